# The counts of the tests of scripts.

passed=0 failed=0
check() { # check DESCRIPTION COMMAND...: passes when the command succeeds; it prints why when not
  local description=$1 output
  shift
  if output=$("$@" 2>&1); then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf '%s\n%s\n' "$description" "$output"
  fi
}
has() { # has TEXT COMMAND...: the command prints the text
  local text=$1 output
  shift
  output=$("$@" 2>&1)
  grep -qF -- "$text" <<<"$output" || { echo "no '$text' in: $output" && false; }
}
finish() { # prints the counts; fails when a test did
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
