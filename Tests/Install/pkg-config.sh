# Programs that find the library by pkg-config, and what the build asks pkg-config for. For run.sh.

build_program() {
  # shellcheck disable=SC2046
  c -o "$folder/program" Tests/Install/program.c $(pkg-config --cflags --libs groot)
}
only_soname_needed() { rm "$usr/lib/libgroot.so" && program_runs "$folder/program"; }
requires() { # requires PACKAGE VERSION: the build, and who uses it, refuse an older one
  local package=$1 version=$2 old=$folder/old
  mkdir -p "$old"
  printf 'Name: %s\nDescription: an old one\nVersion: 0.9\n' "$package" >"$old/$package.pc"
  for refusing in "run_make required" "pkg-config --exists --print-errors groot-static"; do
    PKG_CONFIG_PATH=$old:$PKG_CONFIG_PATH has "$package >= $version" $refusing || return 1
    if PKG_CONFIG_PATH=$old:$PKG_CONFIG_PATH $refusing 2>/dev/null; then return 1; fi
  done
  rm -r "$old"
}
states() { # states LINE
  grep -qxF "$1" "$usr/lib/pkgconfig/groot.pc" || { cat "$usr/lib/pkgconfig/groot.pc" && false; }
}

# With a jansson.h that would end the compilation, and the library of jansson not named.
build_text_program() {
  mkdir -p "$folder/none"
  echo '#error "jansson is not for this program"' >"$folder/none/jansson.h"
  c -DGROOT_NO_JANSSON -I"$folder/none" -I"$usr/include" -o "$folder/text-program" \
    Tests/Install/program.c -L"$usr/lib" -lgroot
}

# Nothing else is to report, of any kind.
quiet_under_valgrind() {
  LD_LIBRARY_PATH=$usr/lib valgrind --quiet --leak-check=full --show-leak-kinds=all \
    --errors-for-leak-kinds=all --error-exitcode=9 \
    --suppressions="$usr/lib/valgrind/groot.supp" "$folder/program" "$(pkg-config --modversion groot)"
}
# A tree that was copied is compiled with its own header.
finds_its_own_header() {
  local copy=$folder/copy
  mkdir -p "$copy/build" && cp -r build/lib "$copy/build" && cp -r include "$copy" || return 1
  [ "$(realpath "$(PKG_CONFIG_PATH=$copy/build/lib pkg-config --variable=includedir groot)")" = \
    "$(realpath "$copy/include")" ] && rm -r "$copy"
}

check "builds a program without jansson" build_text_program
check "runs it" program_runs "$folder/text-program"
check "builds a program" build_program
check "runs it" program_runs "$folder/program"
check "reports nothing under valgrind with the suppressions" quiet_under_valgrind
check "finds its own header in a copied tree" finds_its_own_header
check "runs it when only the soname's link is there" only_soname_needed
ln -s "$(basename "$usr"/lib/libgroot.so.*.*.*)" "$usr/lib/libgroot.so"
check "has what its header needs" states 'Requires: jansson >= 2.14'
check "has what a static program needs" states \
  'Requires.private: sqlite3 >= 3.37, libpcre2-8 >= 10.30'
check "refuses an old jansson" requires jansson 2.14
check "refuses an old SQLite" requires sqlite3 3.37
check "refuses an old PCRE2" requires libpcre2-8 10.30
