# What `make install` gives, and what the files say about themselves. For run.sh.

all_there() {
  local file code=0
  for file in include/groot.h include/groot_ffi.h lib/valgrind/groot.supp lib/libgroot.so lib/libgroot.a lib/pkgconfig/groot.pc \
    lib/pkgconfig/groot-static.pc lib/cmake/groot/grootConfig.cmake \
    lib/cmake/groot/grootConfigVersion.cmake share/doc/groot/LICENSE share/doc/groot/NOTICE \
    share/doc/groot/README.md share/doc/groot/CHANGELOG.md share/doc/groot/docs/README.md \
    share/doc/groot/examples/c/tour.c; do
    [ -s "$usr/$file" ] || { echo "not installed: $file" && code=1; }
  done
  return $code
}
no_placeholder() { ! grep -rE '@[A-Z_]+@' "$usr/lib/pkgconfig" "$usr/lib/cmake"; }
no_search_path() { ! readelf -dW "$usr/lib/libgroot.so" | grep -E 'R(UN)?PATH'; }
stripped() { ! readelf -SW "$usr/lib/libgroot.so" | grep -E '\.(debug_|symtab)'; }
# The bytes must not tell where the library was built: a build elsewhere is the same.
no_source_path() { ! strings "$usr/lib/libgroot.so" "$usr/lib/libgroot.a" | grep -F "$PWD"; }
small() {
  local size
  size=$(stat -Lc %s "$usr/lib/libgroot.so")
  [ "$size" -lt 10000000 ] || { echo "$size bytes" && false; }
}
keeps_symbols() { # with STRIP=true, from the same link
  run_make lib LIB="$folder/whole" STRIP=true &&
    readelf -SW "$folder/whole/libgroot.so" | grep -q '\.symtab'
}
links_with() { # links_with LDFLAGS TEXT: the linker is called with the text
  has "$2" run_make --dry-run --assume-new=mk/library.mk lib LDFLAGS="$1"
}

check "installs the library, what builds with it, licences and documents" all_there
check "fills in all files" no_placeholder
check "installs a library that searches no folder of its own" no_search_path
check "installs a stripped library" stripped
check "names no folder of this machine in the libraries" no_source_path
check "installs a library under 10 MB" small
check "hands on LDFLAGS" links_with "-Wl,-z,relro -L/opt/lib -O1" \
  "-Xlinker -z -Xlinker relro -Xlinker -L/opt/lib"
check "strips nothing with STRIP=true" keeps_symbols
