//! A tour of Groot from Rust: JSON to a linked graph of objects, and back.
//!
//! Run it from the top of the repository, after `make`:
//!
//!     rustc --edition 2021 -L build/lib -o build/tour examples/rust/tour.rs
//!     LD_LIBRARY_PATH=build/lib build/tour examples/comics.json

mod groot;

use groot::{Context, Object, Registry, Transformed};
use std::error::Error;

// The names that the model mentions: functions from one JSON value to another. A program would read
// the text with a crate such as serde_json; the tour does without crates.

fn string_to_integer(json: &str) -> Transformed {
    let digits = json.trim_matches('"');
    let number: i64 = digits.parse().map_err(|_| format!("expected digits, found {json}"))?;
    Ok(Some(number.to_string()))
}

fn integer_to_string(json: &str) -> Transformed {
    Ok(Some(format!("\"{json}\"")))
}

fn message_entity(json: &str) -> Transformed {
    Ok(match member(json, "type") {
        Some("\"text\"") => Some("\"TextMessage\"".to_string()),
        Some("\"picture\"") => Some("\"PictureMessage\"".to_string()),
        _ => None,
    })
}

fn upgrade_character(json: &str) -> Transformed {
    // Nothing as result: the object as it is.
    Ok(member(json, "legacy_id").map(|id| format!("{{\"id\":{id},{}", &json[1..])))
}

/// The text of a member of a JSON object, whose text has no white space between values.
fn member<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    let (mut depth, mut quoted, mut escaped, mut start) = (0, false, false, 1);
    for (i, byte) in object.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' | b'[' => depth += 1,
            b',' | b'}' if depth == 1 => {
                let (found, value) = object[start..i].split_once(':')?;
                if found.trim_matches('"') == key {
                    return Some(value);
                }
                start = i + 1;
            }
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn names(objects: &[Object]) -> groot::Result<String> {
    let mut names = Vec::new();
    for object in objects {
        names.push(object.text("name")?.unwrap_or_else(|| "not known yet".into()));
    }
    Ok(names.join(", "))
}

fn describe(hero: Object) -> groot::Result<()> {
    let name = hero.text("name")?.unwrap_or_default();
    let real_name = hero.text("realName")?.unwrap_or_else(|| "nobody knows".into());
    let publisher = match hero.to_one("publisher")? {
        Some(publisher) => publisher.text("name")?.unwrap_or_default(),
        None => "nobody".into(),
    };
    println!("   {name} ({real_name}), {publisher}: {}", names(&hero.members("powers")?)?);
    Ok(())
}

fn describe_graph(comics: &Context) -> groot::Result<()> {
    let (characters, powers) = (comics.count("Character")?, comics.count("Power")?);
    let publishers = comics.count("Publisher")?;
    println!("   {characters} characters, {powers} powers, {publishers} publishers");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut registry = Registry::new()?;
    registry.transformer("StringToInteger", string_to_integer, integer_to_string)?;
    registry.entity_mapper("MessageMapper", message_entity)?;
    registry.dictionary_transformer("LegacyCharacter", upgrade_character)?;

    // A model says what there is and which JSON key feeds what; a context holds the objects.
    let path = std::env::args().nth(1).unwrap_or_else(|| "examples/comics.json".into());
    let comics = Context::new(&std::fs::read_to_string(path)?, &registry)?;

    println!("1. Import a hero with everything that belongs to him");
    let batman = comics.import(
        "Character",
        r#"{
            "id": "1699", "name": "Batman",
            "powers": [{"id": "4", "name": "Agility"}, {"id": "9", "name": "Insanely Rich"}],
            "publisher": {"id": "10", "name": "DC Comics"}
        }"#,
    )?[0];
    describe(batman)?;
    describe_graph(&comics)?;

    println!("2. Import the same id again: the same object is updated");
    let again = comics.import("Character", r#"{"id": "1699", "real_name": "Bruce Wayne"}"#)?[0];
    println!("   the same object: {}", if again == batman { "yes" } else { "no" });
    describe(batman)?;
    describe_graph(&comics)?;

    println!("3. Import a sidekick whose powers and publisher are mere ids");
    let robin = comics.import(
        "Character",
        r#"{
            "id": "1700", "name": "Robin", "real_name": "Tim Drake",
            "powers": ["4", "12"], "publisher": "10"
        }"#,
    )?[0];
    describe(robin)?;
    describe_graph(&comics)?;

    println!("4. Import the power that was missing: every link is in place");
    comics.import("Power", r#"[{"id": "12", "name": "Bo Staff"}]"#)?;
    describe(robin)?;
    if let Some(publisher) = batman.to_one("publisher")? {
        let heroes = names(&publisher.members("characters")?)?;
        println!("   {} publishes {heroes}", publisher.text("name")?.unwrap_or_default());
    }

    println!("5. Import old JSON, which a function brings up to date first");
    let alfred = comics.import("Character", r#"{"legacy_id": "1701", "name": "Alfred"}"#)?[0];
    let id = alfred.integer("identifier")?.unwrap_or_default();
    println!("   {} has the id {id}", alfred.text("name")?.unwrap_or_default());

    println!("6. Import messages, whose entity a function finds");
    let messages = comics.import(
        "Message",
        r#"[
            {"id": 1, "type": "text", "text": "Hello there!"},
            {"id": 2, "type": "picture", "image_url": "https://example.com/signal.jpg"}
        ]"#,
    )?;
    for message in messages {
        let entity = message.entity()?;
        let content = message.text(if entity == "TextMessage" { "text" } else { "imageURL" })?;
        let id = message.integer("identifier")?.unwrap_or_default();
        println!("   {entity} {id}: {}", content.unwrap_or_default());
    }

    println!("7. Import a mistake: nothing changes, and the error says where it is");
    let mistake = r#"[{"id": "1702", "name": "Joker"}, {"id": "1699", "powers": "none"}]"#;
    if let Err(error) = comics.import("Character", mistake) {
        let issue = &error.issues[0];
        println!("   refused: {}.{} at {}", issue.entity, issue.property, issue.path);
    }
    describe_graph(&comics)?;

    println!("8. Export");
    println!("   {}", batman.export()?);
    Ok(())
}
