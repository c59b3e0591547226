#!/usr/bin/env bash
# The check of the header finds what is planted in it.
lint='python3 Scripts/lint/header.py' root=include folders=include
source "$(dirname "$0")/planted.sh"

guarded() { echo "#ifndef GROOT_NO_JANSSON\n$1\n#endif"; }
plant groot.h 'GROOT_API void groot_planted(json_t *json);' 'a json_t without jansson'
plant groot.h '#ifdef GROOT_PLANTED\ntypedef json_t *groot_planted;\n#endif' 'a json_t without jansson'
plant groot.h '#include <jansson.h>' 'jansson.h is taken in'
plant groot.h '#include "jansson.h"' 'c++17 without jansson'
plant groot.h "$(guarded 'GROOT_API void groot_planted_json(const json_t *json);')" \
  'groot_planted_json has no twin'
plant groot.h "$(guarded 'GROOT_API void groot_planted(const json_t *json);')" \
  'does not end in _json'
plant groot.h 'GROOT_API void groot_planted_json(const char *text);' 'needs no jansson'
plant groot.h 'GROOT_API void groot_planted(int a, int b, int c, int d, int e, int f, int g, int h);' \
  'groot_planted has 8 parameters'
plant groot.h 'struct groot_planted {\n  int32_t number;\n  void *pointer;\n};' 'padding'
plant groot.h 'struct groot_planted {\n  void *pointer;\n  int32_t number;\n};' 'padding'
plant groot.h 'typedef struct groot_planted_options {\n  void *pointer;\n} groot_planted_options;' \
  'does not begin with its size'
plant groot.h 'typedef struct groot_planted_options {\n  size_t struct_size;\n} groot_planted_options;' \
  'has no init function'
finish
