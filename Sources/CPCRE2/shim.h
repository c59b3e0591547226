// What Swift cannot import from pcre2.h: names that depend on a macro.
#ifndef GROOT_CPCRE2_SHIM_H
#define GROOT_CPCRE2_SHIM_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#endif
