#!/usr/bin/env bash
# The figures of the sources are over their limits when what is planted brings them there.
lint='python3 Scripts/lint/figures.py' root=Sources folders=Sources
source "$(dirname "$0")/planted.sh"

plant Groot/Bytes/Long.swift "$(printf '// line\\n%.0s' {1..601})" 'over the limit of 600: longest'
plant Groot/Bytes/Bare.swift "$(printf 'func f%s(_ a: Int, _ b: Int) {}\\n' {1..120})" ': unlabelled'
plant Groot/Bytes/Many.swift \
  "$(printf 'func f%s(a: Int, b: Int, c: Int, d: Int, e: Int) {}\\n' {1..90})" ': many'
finish
