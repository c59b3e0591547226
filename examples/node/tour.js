// A tour of Groot from Node: JSON to a linked graph of objects, and back.
//
// Run it from the top of the repository, after `make`; Node's headers are in its include folder
// (Debian: nodejs, libnode-dev):
//
//     cc -shared -fPIC -DGROOT_NO_JANSSON -Iinclude -I/usr/include/node \
//       -o examples/node/addon.node examples/node/addon.c -Lbuild/lib -lgroot
//     LD_LIBRARY_PATH=build/lib node examples/node/tour.js

'use strict'

const fs = require('fs')
const path = require('path')
const groot = require('./groot')

// The names that the model mentions: functions from one JSON value to another.

const registry = new groot.Registry()

registry.transformer(
  'StringToInteger',
  (digits) => {
    if (!/^\d+$/.test(digits)) throw new TypeError(`expected digits, found ${digits}`)
    return Number(digits)
  },
  (number) => String(number)
)

registry.entityMapper(
  'MessageMapper',
  (message) => ({ text: 'TextMessage', picture: 'PictureMessage' })[message.type]
)

registry.dictionaryTransformer('LegacyCharacter', (character) =>
  // undefined: the object as it is
  'legacy_id' in character ? { ...character, id: character.legacy_id } : undefined
)

// A model says what there is and which JSON key feeds what; a context holds the objects.

const document = fs.readFileSync(path.join(__dirname, '../comics.json'), 'utf8')
const comics = new groot.Context(document, registry)

const names = (objects) => objects.map((each) => each.get('name') ?? 'not known yet').join(', ')

function describe(hero) {
  const realName = hero.get('realName') ?? 'nobody knows'
  const publisher = hero.get('publisher').get('name')
  console.log(`   ${hero.get('name')} (${realName}), ${publisher}: ${names(hero.get('powers'))}`)
}

function describeGraph() {
  const [characters, powers, publishers] = ['Character', 'Power', 'Publisher'].map((entity) =>
    comics.count(entity)
  )
  console.log(`   ${characters} characters, ${powers} powers, ${publishers} publishers`)
}

console.log('1. Import a hero with everything that belongs to him')
const [batman] = comics.load('Character', {
  id: '1699',
  name: 'Batman',
  powers: [
    { id: '4', name: 'Agility' },
    { id: '9', name: 'Insanely Rich' },
  ],
  publisher: { id: '10', name: 'DC Comics' },
})
describe(batman)
describeGraph()

console.log('2. Import the same id again: the same object is updated')
const [again] = comics.load('Character', '{"id": "1699", "real_name": "Bruce Wayne"}')
console.log(`   the same object: ${again.id === batman.id ? 'yes' : 'no'}`)
describe(batman)
describeGraph()

console.log('3. Import a sidekick whose powers and publisher are mere ids')
const [robin] = comics.load('Character', {
  id: '1700',
  name: 'Robin',
  real_name: 'Tim Drake',
  powers: ['4', '12'],
  publisher: '10',
})
describe(robin)
describeGraph()

console.log('4. Import the power that was missing: every link is in place')
comics.load('Power', [{ id: '12', name: 'Bo Staff' }])
describe(robin)
const publisher = batman.get('publisher')
console.log(`   ${publisher.get('name')} publishes ${names(publisher.get('characters'))}`)

console.log('5. Import old JSON, which a function brings up to date first')
const [alfred] = comics.load('Character', { legacy_id: '1701', name: 'Alfred' })
console.log(`   ${alfred.get('name')} has the id ${alfred.get('identifier')}`)

console.log('6. Import messages, whose entity a function finds')
const [note, picture] = comics.load('Message', [
  { id: 1, type: 'text', text: 'Hello there!' },
  { id: 2, type: 'picture', image_url: 'https://example.com/signal.jpg' },
])
console.log(`   ${note.entity} ${note.get('identifier')}: ${note.get('text')}`)
console.log(`   ${picture.entity} ${picture.get('identifier')}: ${picture.get('imageURL')}`)

console.log('7. Import a mistake: nothing changes, and the error says where it is')
try {
  comics.load('Character', [
    { id: '1702', name: 'Joker' },
    { id: '1699', powers: 'none' },
  ])
} catch (error) {
  const [issue] = error.issues
  console.log(`   refused: ${issue.entity}.${issue.property} at ${issue.path}`)
}
describeGraph()

console.log('8. Export')
console.log(`   ${batman.export()}`)
comics.close()
