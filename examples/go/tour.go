// A tour of Groot from Go: JSON to a linked graph of objects, and back.
//
// Run it from the top of the repository, after `make`:
//
//	export PKG_CONFIG_PATH=$PWD/build/lib LD_LIBRARY_PATH=$PWD/build/lib
//	(cd examples/go && go run . ../comics.json)
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"tour/groot"
)

// The names that the model mentions: functions from one JSON value to another.

func stringToInteger(text []byte) ([]byte, error) {
	var digits string
	if err := json.Unmarshal(text, &digits); err != nil {
		return nil, err
	}
	number, err := strconv.ParseInt(digits, 10, 64)
	return strconv.AppendInt(nil, number, 10), err
}

func integerToString(number []byte) ([]byte, error) {
	return json.Marshal(string(number))
}

func messageEntity(text []byte) ([]byte, error) {
	var message struct{ Type string }
	err := json.Unmarshal(text, &message)
	switch message.Type {
	case "text":
		return []byte(`"TextMessage"`), err
	case "picture":
		return []byte(`"PictureMessage"`), err
	}
	return nil, err
}

func upgradeCharacter(text []byte) ([]byte, error) {
	var character map[string]json.RawMessage
	if err := json.Unmarshal(text, &character); err != nil {
		return nil, err
	}
	legacy, old := character["legacy_id"]
	if !old {
		return nil, nil // the object as it is
	}
	character["id"] = legacy
	return json.Marshal(character)
}

// This program ends at the first error.

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

// The value of a property, or the zero value where there is none.
func get[T any](object groot.Object, name string) T {
	value, _ := must(object.Get(name)).(T)
	return value
}

func textOr(object groot.Object, name, otherwise string) string {
	if text := get[string](object, name); text != "" {
		return text
	}
	return otherwise
}

func names(objects []groot.Object) string {
	var names []string
	for _, object := range objects {
		names = append(names, textOr(object, "name", "not known yet"))
	}
	return strings.Join(names, ", ")
}

func describe(hero groot.Object) {
	fmt.Printf("   %s (%s), %s: %s\n", get[string](hero, "name"),
		textOr(hero, "realName", "nobody knows"),
		get[string](get[groot.Object](hero, "publisher"), "name"),
		names(must(hero.Members("powers"))))
}

func describeGraph(comics *groot.Context) {
	fmt.Printf("   %d characters, %d powers, %d publishers\n", must(comics.Count("Character")),
		must(comics.Count("Power")), must(comics.Count("Publisher")))
}

// A model says what there is and which JSON key feeds what; a context holds the objects.
func openComics(path string) *groot.Context {
	registry := must(groot.NewRegistry())
	defer registry.Close()
	check(registry.Transformer("StringToInteger", stringToInteger, integerToString))
	check(registry.EntityMapper("MessageMapper", messageEntity))
	check(registry.DictionaryTransformer("LegacyCharacter", upgradeCharacter))
	return must(groot.NewContext(string(must(os.ReadFile(path))), registry))
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: tour MODEL")
	}
	comics := openComics(os.Args[1])
	defer comics.Close()

	fmt.Println("1. Import a hero with everything that belongs to him")
	batman := must(comics.Import("Character", `{
		"id": "1699", "name": "Batman",
		"powers": [{"id": "4", "name": "Agility"}, {"id": "9", "name": "Insanely Rich"}],
		"publisher": {"id": "10", "name": "DC Comics"}
	}`))[0]
	describe(batman)
	describeGraph(comics)

	fmt.Println("2. Import the same id again: the same object is updated")
	again := must(comics.Import("Character", `{"id": "1699", "real_name": "Bruce Wayne"}`))[0]
	fmt.Println("   the same object:", map[bool]string{true: "yes", false: "no"}[again == batman])
	describe(batman)
	describeGraph(comics)

	fmt.Println("3. Import a sidekick whose powers and publisher are mere ids")
	robin := must(comics.Import("Character", `{
		"id": "1700", "name": "Robin", "real_name": "Tim Drake",
		"powers": ["4", "12"], "publisher": "10"
	}`))[0]
	describe(robin)
	describeGraph(comics)

	fmt.Println("4. Import the power that was missing: every link is in place")
	must(comics.Import("Power", `[{"id": "12", "name": "Bo Staff"}]`))
	describe(robin)
	publisher := get[groot.Object](batman, "publisher")
	fmt.Printf("   %s publishes %s\n", get[string](publisher, "name"),
		names(must(publisher.Members("characters"))))

	fmt.Println("5. Import old JSON, which a function brings up to date first")
	alfred := must(comics.Import("Character", `{"legacy_id": "1701", "name": "Alfred"}`))[0]
	fmt.Printf("   %s has the id %d\n", get[string](alfred, "name"), get[int64](alfred, "identifier"))

	fmt.Println("6. Import messages, whose entity a function finds")
	for _, message := range must(comics.Import("Message", `[
		{"id": 1, "type": "text", "text": "Hello there!"},
		{"id": 2, "type": "picture", "image_url": "https://example.com/signal.jpg"}
	]`)) {
		content := map[string]string{"TextMessage": "text", "PictureMessage": "imageURL"}
		entity := must(message.Entity())
		fmt.Printf("   %s %d: %s\n", entity, get[int64](message, "identifier"),
			get[string](message, content[entity]))
	}

	fmt.Println("7. Import a mistake: nothing changes, and the error says where it is")
	_, err := comics.Import("Character",
		`[{"id": "1702", "name": "Joker"}, {"id": "1699", "powers": "none"}]`)
	var mistake *groot.Error
	if errors.As(err, &mistake) {
		issue := mistake.Issues[0]
		fmt.Printf("   refused: %s.%s at %s\n", issue.Entity, issue.Property, issue.Path)
	}
	describeGraph(comics)

	fmt.Println("8. Export")
	fmt.Println("  ", must(comics.Export(batman)))
}
