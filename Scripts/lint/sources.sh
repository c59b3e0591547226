#!/usr/bin/env bash
# What the formatter cannot forbid: a trap in the library would kill the process of its host, and
# Foundation would add tens of megabytes to it, so that a module of its own has what needs it. And
# what each file must have.
# usage: sources.sh [SOURCES]
set -u
root=${1:-Sources}
code=0
forbid() { # forbid REASON PATTERN [FOLDER THAT MAY]
  if grep -rnE --include='*.swift' --exclude-dir="${3-}" "$2" "$root"; then
    echo "lint: $1"
    code=1
  fi
}
forbid "this can trap" '^[^"/]*(\btry!|\bas!|\b(fatalError|withoutActuallyEscaping|precondition|preconditionFailure|assertionFailure)\()'
forbid "unchecked on purpose" 'unsafelyUnwrapped|-Ounchecked'
forbid "the library imports neither Foundation nor Dispatch" '^ *(@[a-z_()]+ )*import (Foundation|FoundationEssentials|Dispatch)\b' GrootFoundation
forbid "Swift's regular expressions have no limits" '^[^"/]*\bRegex\b|_StringProcessing'
forbid "the library never prints" '^[^"/]*\b(print|debugPrint|dump)\('

# Each file begins, after its imports, with a comment that says what it is for.
for file in $(find "$root" -name '*.swift'); do
  first=$(grep -m 1 -vE '^ *$|^ *#(if|elseif|else|endif)|^ *(@[a-z_()]+ )*((private|internal|package|public) )?import ' "$file")
  case "$first" in
    //*) ;;
    *)
      echo "$file: $first"
      echo "lint: a file begins with a line that says what it is for"
      code=1
      ;;
  esac
done
exit $code
