# The static library: in a program with shared libraries beside it, and in one without any. For run.sh.

tour() { # tour NAME ARGUMENT...: builds the tour in C
  local name=$1
  shift
  c -o "$folder/$name" examples/c/tour.c "$@"
}
needs_no_groot() { ! readelf -dW "$folder/tour-a" | grep -E 'NEEDED.*(groot|swift)'; }
needs_nothing() { ! readelf -dW "$folder/tour-static" | grep NEEDED; }
shows_only_groot() {
  ! nm -g --defined-only "$usr/lib/libgroot.a" | awk 'NF == 3 && $3 !~ /^groot_/' | grep .
}
same_functions() {
  diff <(nm -g --defined-only "$usr/lib/libgroot.a" | awk 'NF == 3 { print $3 }' | sort) \
    <(nm -D --defined-only "$usr/lib/libgroot.so" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort)
}

# shellcheck disable=SC2046
check "links the static library" tour tour-a $(pkg-config --cflags --libs groot-static)
check "runs the tour" tour_runs "$folder/tour-a"
check "needs no shared groot" needs_no_groot
# shellcheck disable=SC2046
check "links a program without shared libraries" tour tour-static -static \
  $(pkg-config --static --cflags --libs groot)
check "runs that tour" tour_runs "$folder/tour-static"
check "needs nothing at run time" needs_nothing
check "hides Swift's runtime in the static library" shows_only_groot
check "has the shared library's functions" same_functions
