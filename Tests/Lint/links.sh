#!/usr/bin/env bash
# The check of documents finds what is planted: a copy of them with one fault each.
lint='python3 Scripts/lint/links.py' root=.
folders='docs include examples python Benchmarks Scripts Sources Tests LICENSE CHANGELOG.md CONTRIBUTING.md README.md SECURITY.md'
source "$(dirname "$0")/planted.sh"

plant README.md '[gone](docs/gone.md)' 'README.md: docs/gone.md leads to no file'
plant docs/README.md '[gone](#no-such-heading)' 'docs/README.md: #no-such-heading leads to no heading'
plant SECURITY.md '[gone](docs/reference/errors.md#no-such-heading)' 'leads to no heading'
plant docs/reference/orphan.md 'Nobody links here.' 'docs/README.md does not lead here'
plant docs/README.md "$(yes line | head -400)" 'are allowed'
plant include/groot.h '/* see docs/errors.md */' 'include/groot.h: docs/errors.md is not there'
plant Sources/Groot/Groot.docc/Errors.md 'See `docs/errors.md`.' 'docs/errors.md is not there'
plant docs/README.md 'See `column(_:of:_:)`.' 'column(_:of:_:) is not a name of the sources'
plant docs/README.md 'See `NoSuchType`.' 'NoSuchType is not a name of the sources'
finish
