#!/usr/bin/env bash
# The lint of documentation finds what is planted: a small module with one wrong comment each.
set -u
cd "$(dirname "$0")/../.." || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0

# plant LINES PART-OF-MESSAGE    no message: nothing is found
plant() {
  rm -f "$folder"/*.symbols.json
  printf '%b\n' "$1" >"$folder/planted.swift"
  "${SWIFT:-swift}c" -frontend -emit-module -o "$folder/Planted.swiftmodule" -module-name Planted \
    -emit-symbol-graph -emit-symbol-graph-dir "$folder" -symbol-graph-minimum-access-level public \
    "$folder/planted.swift" || exit 1
  output=$(python3 Scripts/lint/documentation.py "$folder")
  code=$?
  if [ $((code == 0)) -ne $((${#2} == 0)) ] || ! grep -qF -- "$2" <<<"$output"; then
    printf 'expected "%s" for\n%b\n%s\n' "$2" "$1" "$output"
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
}

fetch='public func fetch(_ name: String, limit: Int, offset: Int) {}'
plant 'public func fetch() {}' 'fetch(): no summary'
plant '/// Fetches.\npublic struct Fetch { public let limit: Int }' 'Fetch.limit: no summary'
plant '/// - Throws: often.\npublic func fetch() throws {}' 'no summary'
plant '/// Sizes.\nextension Int { public var half: Int { self / 2 } }' 'Int.half: no summary'
plant "/// Fetches.\n$fetch" '3 parameters, which are not described'
plant "/// Fetches.\n///\n/// - Parameter limit: At most.\n$fetch" 'the parameters are name, limit, offset'
plant "/// Fetches.\n///\n/// - Parameters:\n///   - name: It.\n///   - offset: From.\n///   - limit: At most.\n$fetch" \
  'describes name, offset, limit'
plant '/// Fetches.\npublic func fetch(each: (Int) -> Void) {}' 'takes a function'
plant '/// Fetches.\npublic func fetch() throws {}' 'throws, and does not say what'
plant '/// Fetches.\n///\n/// - Throws:\npublic func fetch() throws {}' 'throws, and does not say what'
plant '/// First.\npublic var first: Int { get throws { 1 } }' 'throws, and does not say what'
plant 'func fetch() throws {}' 'no symbols'
plant "/// Fetches.\n///\n/// - Parameters:\n///   - name: What is\n///     fetched.\n///   - limit: At most.\n///   - offset: From.\n$fetch" ''
plant '/// Fetches.\n///\n/// - Throws: as ``fetch()``.\npublic func fetch(_ name: String) throws {}' ''
plant '/// Fetches.\n///\n/// - Parameter each: Is given each.\npublic func fetch(each: (Int) throws -> Void) {}' ''
plant '/// An order.\npublic enum Order: Int, Comparable {\n/// Up.\ncase up\n/// By number.\npublic static func < (left: Order, right: Order) -> Bool { left.rawValue < right.rawValue }\n}' ''
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
