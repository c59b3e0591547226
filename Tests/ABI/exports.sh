#!/usr/bin/env bash
# The interface of the built library: the header's functions and nothing else, under
# versioned names, no Swift library needed at run time, a size that fits an embedded library.
# usage: exports.sh LIBRARY INCLUDE
set -u
library=$1 header=$2/groot.h headers="$2/groot.h $2/groot_ffi.h"
number() { sed -n "s/^#define GROOT_VERSION_$1 //p" "$header"; }
if [ "$(number MAJOR)" -eq 0 ]; then interface=0.$(number MINOR); else interface=$(number MAJOR); fi
# shellcheck source=Tests/Install/check.sh
. "$(dirname "$0")/../Install/check.sh"

declared() { cat $headers | grep -v '^ *\*' | grep -oE '\bgroot_[a-z0-9_]+\(' | tr -d '(' | sort -u; }
exported() { nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort; }
same_functions() { diff <(declared) <(exported); }
versioned() { ! nm -D --defined-only "$library" | awk '$2 != "A"' | grep -v '@@GROOT_0\.1$'; }
self_contained() { ! ldd "$library" | grep -E 'libswift|Foundation|dispatch|not found'; }
dynamic() { readelf -dW "$library"; }
no_regex() { ! grep -qE '_StringProcessing|_RegexParser' "$library"; }
has_soname() { dynamic | grep -qF "soname: [libgroot.so.$interface]" || { dynamic && false; }; }
stays_loaded() { dynamic | grep -q 'NODELETE' || { dynamic && false; }; }
no_search_path() { ! dynamic | grep -E 'R(UN)?PATH'; }
binds_at_once() { dynamic | grep -q 'FLAGS_1.*NOW' || { dynamic && false; }; }
no_source_path() { ! strings "$library" | grep -F "$PWD"; }
small() {
  local size
  size=$(stat -Lc %s "$library")
  [ "$size" -lt 10000000 ] || { echo "$size bytes" && false; }
}

check "exports the header's functions, no more, no less" same_functions
check "every symbol has a version" versioned
check "needs no Swift library at run time" self_contained
check "contains no Regex of Swift, which has no limits and is 1.4 MB" no_regex
check "has a soname" has_soname
check "stays in the process" stays_loaded
check "searches no folder of its own" no_search_path
check "binds all functions when it is loaded" binds_at_once
check "names no folder of this machine" no_source_path
check "is under 10 MB" small
finish
