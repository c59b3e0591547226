#!/usr/bin/env bash
# The lint of imports finds a circle, and an import or a name that a room must not use, in a copy.
lint='python3 Scripts/lint/imports.py' root=python/groot folders=python/groot
source "$(dirname "$0")/planted.sh"

plant errors.py 'from groot._core.text import shorten' 'groot.errors imports groot._core.text'
plant _core/text.py 'import groot._core.json' 'groot._core.text imports groot._core.json'
plant objects.py 'from groot import members' 'groot.objects imports groot.members'
plant columns.py 'def read():\n    from groot.sequence import Objects' 'groot.columns imports groot.sequence'
plant reports.py 'if TYPE_CHECKING:\n    from groot.context import Context' 'groot.reports imports groot.context'
plant _core/handle.py 'from groot import Context' 'groot._core.handle imports groot'
plant _ffi/types.py 'from . import memory' 'groot._ffi.types imports groot._ffi.memory'
plant models/xcode/_attributes.py 'from ._composites import Composites' 'imports groot.models.xcode._composites'
plant _ffi/steps.py 'import groot._core.nesting' 'groot._ffi.steps must not import groot._core.nesting'
plant _core/schema.py 'from groot.objects import Object' 'groot._core.schema must not import groot.objects'
plant _core/nesting.py 'if TYPE_CHECKING:\n    import groot.mapping' 'groot._core.nesting must not import groot.mapping'
plant model.py 'from groot.models import xcode' 'groot.model must not import groot.models.xcode'
plant model.py 'def read():\n    from groot import typed' 'groot.model must not import groot.typed'
plant context.py 'import groot.cli.output' 'groot.context must not import groot.cli.output'
plant models/xcode/_notes.py 'import groot.cli' 'groot.models.xcode._notes must not import groot.cli'
plant __init__.py 'from groot.cli import main' 'groot must not import groot.cli'
plant models/generate/_swift/words.py 'from groot._core import json' 'groot.models.generate._swift.words uses _core'
plant typed/entity.py 'import groot._ffi' 'groot.typed.entity must not import groot._ffi'
finish
