# Programs that find the library by CMake. For run.sh.

configure() { # configure VERSION
  cmake -S Tests/Install/cmake -B "$folder/cmake" -DCMAKE_PREFIX_PATH="$usr" -DVERSION="$1" \
    -DTOUR="$PWD/examples/c/tour.c" -DPROGRAM="$PWD/Tests/Install/program.c"
}
build() { cmake --build "$folder/cmake"; }
loads_none() { ! ldd "$folder/cmake/static" | grep groot; }
refuses() { # refuses VERSION
  rm -rf "$folder/cmake"
  if configure "$1"; then return 1; fi
}

check "configures a CMake project" configure 0.1
check "builds it" build
check "runs the program of groot::groot" program_runs "$folder/cmake/shared"
check "runs the program of groot::static" tour_runs "$folder/cmake/static"
check "loads libgroot where it is shared" has "libgroot.so.0.1" ldd "$folder/cmake/shared"
check "loads none where it is static" loads_none
check "refuses to be the next version" refuses 0.2
check "refuses to be a younger patch" refuses 0.1.9
check "refuses to be version 1" refuses 1.0
