#!/usr/bin/env bash
# The lint of imports finds what is planted: a copy of the package with one circle each.
set -u
cd "$(dirname "$0")/.." || exit 1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
passed=0 failed=0

# plant FILE LINES PART-OF-MESSAGE
plant() {
  rm -rf "$copy/groot"
  cp -r python/groot "$copy/groot"
  printf '%b\n' "$2" >>"$copy/groot/$1"
  if output=$(python3 Scripts/import-circles.py "$copy/groot") || ! grep -q "$3" <<<"$output"; then
    echo "not found in $1: $2"
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
}

plant errors.py 'from groot._text import shorten' 'groot.errors imports groot._text'
plant _session.py 'import groot.objects' 'groot._session imports groot.objects'
plant objects.py 'from groot import members' 'groot.objects imports groot.members'
plant columns.py 'def read():\n    from groot.sequence import Objects' 'groot.columns imports groot.sequence'
plant report.py 'if TYPE_CHECKING:\n    from groot.context import Context' 'groot.report imports groot.context'
plant _handle.py 'from groot import Context' 'groot._handle imports groot$'
plant _ffi/types.py 'from . import memory' 'groot._ffi.types imports groot._ffi.memory'
plant xcode/_attributes.py 'from ._composites import Composites' 'imports groot.xcode._composites'
plant xcode/_notes.py 'from ..model import Model' 'groot.xcode._notes imports groot.model'
if python3 Scripts/import-circles.py >/dev/null; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
