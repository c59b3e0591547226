#!/usr/bin/env bash
# The lint of imports finds what is planted: a copy of the package with one circle each.
lint='python3 Scripts/lint/import-circles.py' root=python/groot folders=python/groot
source "$(dirname "$0")/planted.sh"

plant errors.py 'from groot._core.text import shorten' 'groot.errors imports groot._core.text'
plant _session.py 'import groot.objects' 'groot._core.session imports groot.objects'
plant objects.py 'from groot import members' 'groot.objects imports groot.members'
plant columns.py 'def read():\n    from groot.sequence import Objects' 'groot.columns imports groot.sequence'
plant _reports.py 'if TYPE_CHECKING:\n    from groot.context import Context' 'groot._reports imports groot.context'
plant _handle.py 'from groot import Context' 'groot._core.handle imports groot'
plant _ffi/types.py 'from . import memory' 'groot._ffi.types imports groot._ffi.memory'
plant xcode/_attributes.py 'from ._composites import Composites' 'imports groot.models.xcode._composites'
plant xcode/_notes.py 'from ..model import Model' 'groot.models.xcode._notes imports groot.model'
finish
