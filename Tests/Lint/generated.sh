#!/usr/bin/env bash
# The tests that are written from the header ask for each thing in it that their tables do not have.
lint=write_tests root=include folders=include
source "$(dirname "$0")/planted.sh"

write_tests() {
  local part
  for part in layout null twins; do
    python3 Tests/CTests/generated/write.py "$part" "$1" "$copy/written.c" 2>&1 || return 1
  done
}
plants() { plant groot.h "GROOT_API $1;" "$2"; }
plants 'groot_status groot_planted(groot_context *context, const char *planted, groot_error **error)' \
  "groot_planted: no good argument for 'char *planted'"
plants 'groot_status groot_planted(groot_context *context, double *number, groot_error **error)' \
  'the state of a double after a failure'
plants 'float groot_planted(groot_context *context)' 'groot_planted: no result that means none'
plants 'groot_status groot_planted(groot_stream *stream, const char *text, groot_error **error)' \
  'groot_planted: no stream for it'
plants 'groot_status groot_planted(groot_context *context) GROOT_PLANTED' 'cannot read all of the header'
plants 'groot_status groot_planted_json(const json_t *json, groot_error **error)' \
  'groot_planted_json has no twin'
plants 'groot_status groot_planted(groot_context *context, const char *text, groot_error **error);
GROOT_API groot_status groot_planted_json(groot_context *context, const json_t *json, groot_error **error)' \
  "groot_planted: no inputs for 'char *text'"
plants 'groot_status groot_export_planted_text(groot_context *context, groot_buffer *text, groot_error **error)' \
  'export_planted has the sinks text'
finish
