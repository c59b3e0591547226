#!/usr/bin/env bash
# Plants changes in a copy of the header: each must be found. Those that a compiler would not notice
# are the ones that matter.
# usage: planted.sh INCLUDE
set -u
cd "$(dirname "$0")/../.." || exit 1
header=$1/groot.h
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$1"/*.h "$folder"
passed=0 failed=0
finds() { # finds DESCRIPTION EDIT TEXT: the header after sed's EDIT is refused with the TEXT
  local description=$1 edit=$2 text=$3 output
  sed -E "$edit" "$header" >"$folder/groot.h"
  if cmp -s "$header" "$folder/groot.h"; then
    output="nothing in the header fits '$edit'"
  elif output=$(Tests/ABI/abi.sh "$folder" 2>&1); then
    output="not found: $edit"
  elif grep -qF -- "$text" <<<"$output"; then
    passed=$((passed + 1))
    return
  fi
  failed=$((failed + 1))
  printf '%s\n%s\n' "$description" "$output"
}

finds "a number with another meaning" \
  's/^#define GROOT_CANCELLED 4 /#define GROOT_CANCELLED 99 /' "GROOT_CANCELLED"
finds "a number that is gone" '/^#define GROOT_CANCELLED /d' "GROOT_CANCELLED"
finds "a new number" 's/^#define GROOT_CANCELLED .*/&\n#define GROOT_PLANTED 99/' "GROOT_PLANTED"
finds "a function that is gone" '/^GROOT_API const char \*groot_version\(/d' "groot_version()"
finds "a new function" \
  's/^GROOT_API const char \*groot_version\(.*/&\nGROOT_API int groot_planted(void);/' "groot_planted()"
finds "a result of another size" \
  's/^GROOT_API int32_t groot_abi_version/GROOT_API int64_t groot_abi_version/' "groot_abi_version()"
finds "a parameter of another type" \
  's/groot_status_name\(groot_status status\)/groot_status_name(int64_t status)/' "groot_status_name"
finds "one parameter more" \
  's/groot_status_name\(groot_status status\)/groot_status_name(groot_status status, int more)/' \
  "groot_status_name"
finds "a member of another size" 's/^  int32_t severity;/  int64_t severity;/' "severity"
finds "a member that is gone, with a gap where it was" \
  's/^  int32_t severity;.*/  int32_t unused;/' "severity"
finds "members in another order" \
  's/^  groot_string entity;(.*)/  groot_string planted;\1/;
   s/^  groot_string property;/  groot_string entity;/;
   s/^  groot_string planted;/  groot_string property;/' "property"
finds "a struct that grew" \
  's/^  groot_string property;.*/&\n  int64_t planted;/' "planted"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
