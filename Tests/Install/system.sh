# The oldest system that the library runs on, told from the names it asks for. For run.sh.

needed() { # needed PREFIX: the highest version of a system library's names
  readelf -VW "$usr/lib/libgroot.so" | grep -oE "Name: $1_[0-9.]+" | sed "s/.*_//" | sort -Vu | tail -n 1
}
at_most() { # at_most VERSION PREFIX
  local highest
  highest=$(needed "$2")
  [ -n "$highest" ] || { echo "no $2" && return 1; }
  [ "$(printf '%s\n%s\n' "$highest" "$1" | sort -V | tail -n 1)" = "$1" ] ||
    { nm -D "$usr/lib/libgroot.so" | grep -F "$2_$highest" && false; }
}
needs_no_libstdcxx() { ! readelf -dW "$usr/lib/libgroot.so" | grep 'NEEDED.*libstdc'; }
# Where libdl is not part of libc yet, dlopen must be found in it.
needs_libdl() { readelf -dW "$usr/lib/libgroot.so" | grep -q 'NEEDED.*\[libdl\.so\.2\]'; }

if [ "$(uname -m)" = x86_64 ]; then
  check "runs with glibc 2.16 of 2012" at_most 2.16 GLIBC
  check "asks libdl for what was there" needs_libdl
fi
check "runs with libgcc_s of GCC 4.2" at_most 4.2.0 GCC
check "runs without libstdc++" needs_no_libstdcxx
