"""Names of a model as names of C macros: capitals, digits and single underscores."""

from __future__ import annotations

import re
import unicodedata

_GAP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_MACRO = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*_?\Z")
_LIMITS = r"(MIN|MAX|C|WIDTH)"
_INTEGERS = r"U?INT(_LEAST|_FAST)?(8|16|32|64)|U?INT(PTR|MAX)?|U?(CHAR|SHRT|LONG|LLONG)|SCHAR"
_SIZES = r"PTRDIFF|SIG_ATOMIC|SIZE|WCHAR|WINT|MB_LEN|RAND|TMP|FOPEN|FILENAME|BOOL"
_FAMILIES = (
    r"ATOMIC|DBL|DECIMAL|EXIT|FE|FLT|FP|GROOT|HUGE|JANSSON|JSON|LC|LDBL|MATH|MB|SEEK|SIG|SSIZE"
)
_SINGLE = re.compile(rf"({_INTEGERS}|{_SIZES})_{_LIMITS}|CHAR_BIT|CLOCKS_PER_SEC|TIME_UTC")
_FAMILY = re.compile(rf"({_FAMILIES})(_\w*)?")


def macro(name: str) -> str:
    """Make a part of a macro's name of a name: `realName` becomes `REAL_NAME`.

    Args:
        name: The name in the model.

    Returns:
        The part; `UNNAMED` for a name without a letter or digit of ASCII.
    """
    plain = unicodedata.normalize("NFKD", name)
    plain = "".join(one for one in plain if not unicodedata.combining(one))
    words = re.sub(r"[^A-Za-z0-9]+", "_", _GAP.sub("_", plain))
    return words.strip("_").upper() or "UNNAMED"


def is_macro(name: str) -> bool:
    """Tell whether a text can be the beginning of a macro's name."""
    return _MACRO.match(name) is not None


def is_reserved(name: str) -> bool:
    """Tell whether a macro may be one of the C library, or of `groot.h` and its headers."""
    return is_family(name) or _SINGLE.fullmatch(name) is not None


def is_family(name: str) -> bool:
    """Tell whether all macros that begin with a name and `_` may be such a macro."""
    return _FAMILY.fullmatch(name) is not None


def stem(prefix: str, name: str) -> str:
    """Make the beginning of macros, which no other header uses.

    Args:
        prefix: The beginning of all names.
        name: The name in the model, or of a file.

    Returns:
        A name that can be a macro, too.
    """
    part = macro(name)
    made = f"{prefix}{part}"
    if is_reserved(made):
        made = f"{prefix}MODEL_{part}"
    return f"N{made}" if made[0].isdigit() else made
