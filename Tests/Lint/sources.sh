#!/usr/bin/env bash
# The lint of the sources finds what is planted: a trap, a print, a file that does not say what it is for.
lint=Scripts/lint/sources.sh root=Sources folders=Sources
source "$(dirname "$0")/planted.sh"

plant Groot/Bytes/Byte.swift 'let number = try! parse()' 'this can trap'
plant Groot/Bytes/Byte.swift 'let kept = withoutActuallyEscaping(body) { $0 }' 'this can trap'
plant Groot/Graph/Graph.swift 'func show() { print(1) }' 'never prints'
plant Groot/JSON/JSONTape+Planted.swift 'import CJansson\n\nextension JSONTape {}' \
  'begins with a line that says what it is for'
plant GrootSQL/SQLText.swift 'import Foundation' 'neither Foundation nor Dispatch'
plant GrootC/CText.swift 'import Dispatch' 'neither Foundation nor Dispatch'
finish
