#!/usr/bin/env bash
# The drawings of the README's commands and model must follow each change of them.
lint='.venv/bin/python Scripts/record --check' root=. folders='README.md docs/commands.svg docs/model.svg'
source "$(dirname "$0")/planted.sh"

files='```json tomorrow.json\n%s\n```'
plant docs/commands.svg '<!-- another -->' 'docs/commands.svg differs'
plant docs/model.svg '<!-- another -->' 'docs/model.svg differs'
plant README.md "$(printf "$files" '[{"id": 71}]')" 'docs/commands.svg differs'
plant README.md "$(printf "$files" 'no JSON')" 'README.md: exit code'
finish
