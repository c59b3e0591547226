#!/usr/bin/env bash
# What the tours in examples/ need and the machine does not have, as names of Debian packages.
# usage: tour-tools.sh LANGUAGE...
set -u

need() { # need PACKAGE COMMAND...: the package is missing when the command fails
  local package=$1
  shift
  "$@" >/dev/null 2>&1 </dev/null || echo "$package"
}
header() { # header COMPILER HEADER: the compiler finds it
  printf '#include <%s>\n' "$2" | "$1" -E -x c++ - 2>&1 >/dev/null
}
node_header() {
  [ -e "$(node -p 'require("path").join(process.execPath, "../../include/node/node_api.h")')" ]
}

for language in "$@"; do
  case $language in
    c | python | feeds | swift | mirror) ;; # the build itself needs these
    cpp)
      need g++ command -v "${CXX:-g++}"
      need nlohmann-json3-dev test -z "$(header "${CXX:-g++}" nlohmann/json.hpp)"
      ;;
    rust) need rustc command -v "${RUSTC:-rustc}" ;;
    go) need golang-go command -v "${GO:-go}" ;;
    luajit)
      need luajit command -v luajit
      need lua-cjson luajit -l cjson -e 'return'
      ;;
    ruby)
      need ruby command -v ruby
      need ruby-ffi ruby -r ffi -e ''
      ;;
    java)
      need default-jdk-headless javac --release 17 -version
      need libjna-java test -e "${JARS:-/usr/share/java}/jna.jar"
      need libgoogle-gson-java test -e "${JARS:-/usr/share/java}/gson.jar"
      ;;
    node)
      need nodejs command -v node
      need libnode-dev node_header
      ;;
    *)
      echo "tour-tools: no tour in $language" >&2
      exit 2
      ;;
  esac
done
