#!/usr/bin/env bash
# The lint of sizes finds what is planted: a copy of the sources with one thing too large each.
lint='python3 Scripts/lint/sizes.py' root=Sources folders=Sources
source "$(dirname "$0")/planted.sh"

plant Groot/Import/Read/SpelledKeys.swift \
  "struct Large {$(for i in $(seq 21); do printf '\n  let value%d = 0' "$i"; done)
}" 'Large has 21 stored properties'
plant Groot/Bytes/Name.swift \
  "func long() {$(for _ in $(seq 60); do printf '\n  count += 1'; done)
}" 'long has 62 lines'
finish
