#!/usr/bin/env bash
# No code in a document is passed over in silence: pages with one mistake each must fail.
set -u
cd "$(dirname "$0")/.." || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0

# plant PAGE PART-OF-MESSAGE
plant() {
  printf '%b\n' "$1" >"$folder/page.md"
  if output=$(python3 Tests/snippets.py "$folder/page.md") || ! grep -qF -- "$2" <<<"$output"; then
    printf 'not found in\n%b\n' "$1"
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
}

plant '```python\nassert 1 == 2\n```' 'AssertionError'
plant '```python\nprint(1)\n```\n\n```text output\n2\n```' 'expected it to print'
plant '```text output\n2\n```' 'no program of the page'
plant '```python no-run\nx = 1\n```' 'no way to check'
plant '```\nx = 1\n```' 'a block without a language'
plant '- item\n  ```python\n  x = 1\n  ```' 'not at the margin'
plant '```python\nx = 1' 'not closed'
plant '~~~python\nx = 1\n~~~' 'a block without a language'
plant '```rust\nfn main() {}\n```' 'no way to check'
plant '```c\nint lonely;\n```' 'not part of a program'
plant '```c\nint main(void) { return 1; }\n```' 'exit code 1'
plant '```sql nowhere.sqlite\nSELECT 1;\n```' 'no program of the page'
plant '```python\nx = 1\n```\n\n```sql nowhere.sqlite\nSELECT 1;\n```' 'no file for'
plant '```python\nx = 1\n```\n\n```sh\nfalse\n```' 'exit code 1'
plant '```json\n{"a": 1,}\n```' 'json:'
plant 'See `groot_no_such_function`.' 'not in groot.h'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
