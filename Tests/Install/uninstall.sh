# Nothing is left behind, and nothing names a folder that a package builder staged into. For run.sh.

leaves_nothing() {
  local left
  run_make uninstall PREFIX="$usr" || return 1
  left=$(find "$usr" -not -type d -o -path '*/groot*')
  [ -z "$left" ] || { echo "left behind: $left" && false; }
}
stage() {
  run_make install PREFIX=/opt/groot DESTDIR="$folder/stage" LIBDIR=/opt/groot/lib/here \
    INCLUDEDIR=/opt/groot/headers/groot DOCDIR=/opt/groot/documents
}
names_final_place() {
  local lib=$folder/stage/opt/groot/lib/here
  grep -qx 'prefix=/opt/groot' "$lib/pkgconfig/groot.pc" &&
    grep -qx 'includedir=/opt/groot/headers/groot' "$lib/pkgconfig/groot.pc" &&
    grep -qF '/../../headers/groot"' "$lib/cmake/groot/grootConfig.cmake" &&
    [ -e "$folder/stage/opt/groot/documents/LICENSE" ] && ! grep -rlF "$folder" "$folder/stage"
}

check "leaves nothing behind" leaves_nothing
check "stages into a folder" stage
check "names the final place there" names_final_place
