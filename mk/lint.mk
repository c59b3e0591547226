# The steps of `make lint`: format, warnings, layers, figures, words and links.

.PHONY: lint-swift lint-c lint-fuzz lint-python lint-documents

lint-swift:
	@$(SWIFT) format lint --strict --parallel --recursive --configuration .swift-format \
	  $(wildcard Sources Tests examples Benchmarks) Package.swift
	@Scripts/lint/sources.sh
	@Tests/Lint/sources.sh
	@$(PYTHON) Scripts/lint/layers.py
	@Tests/Lint/layers.sh
	@$(PYTHON) Scripts/lint/sizes.py
	@Tests/Lint/sizes.sh
	@$(PYTHON) Scripts/lint/figures.py
	@Tests/Lint/figures.sh

# The header alone, taken in twice, must be a program in both languages.
HEADER_TWICE := printf '\#include "groot.h"\n\#include "groot.h"\n'
C_FILES := $(wildcard Tests/CTests/*.c Tests/CTests/*/*.c Tests/FuzzAPI/*.c Tests/Growth/*.c \
  Tests/Install/*.c Scripts/package/*.c Scripts/package/*/*.c examples/c/*.c Benchmarks/*/*.c)
lint-c:
	@$(HEADER_TWICE) | $(CC) -x c -std=c99 $(WARNINGS) $(SHADOW) -fsyntax-only -Iinclude $(JANSSON_CFLAGS) -
	@$(HEADER_TWICE) | $(CXX) -x c++ -std=c++17 $(WARNINGS) $(SHADOW) -fsyntax-only -Iinclude $(JANSSON_CFLAGS) -
	@$(subst groot.h,groot_ffi.h,$(HEADER_TWICE)) | \
	  $(CC) -x c -std=c99 $(WARNINGS) $(SHADOW) -fsyntax-only -Iinclude $(JANSSON_CFLAGS) -
	@$(subst groot.h,groot.hpp,$(HEADER_TWICE)) | $(CXX) -x c++ $(CXX_FLAGS) -fsyntax-only -
	@$(TOOLCHAIN)/bin/clang++ $(CXX_FLAGS) -fsyntax-only Tests/CTests/plusplus.cpp
	@for file in $(C_FILES); do $(CC) $(C_FLAGS) $(POSTGRESQL_CFLAGS) -fsyntax-only $$file || exit 1; done
	@! $(PKG_CONFIG) --exists simdjson || \
	  $(CXX) $(CXX_FLAGS) $(SIMDJSON_CFLAGS) -fsyntax-only Benchmarks/native/simdjson_rows.cpp
	@$(PYTHON) Scripts/lint/header.py
	@Tests/Lint/header.sh
	@Tests/Lint/generated.sh

# The fuzz targets still compile: `make fuzz` takes minutes to build them.
lint-fuzz: build/fuzz/modules/GrootSQL.swiftmodule
	@$(SWIFT)c -typecheck -wmo -swift-version 6 -parse-as-library -suppress-warnings \
	  -package-name groot -module-name Groot $(MODULES) -I Sources/CSQLite -I build/fuzz/modules \
	  $(wildcard Tests/Fuzz/*.swift) \
	  $(sort $(FUZZ_MODELS) $(FUZZ_QUERIES)) \
	  $(wildcard Sources/GrootSQL/*.swift Sources/GrootSQLite/*.swift) \
	  Tests/GrootTests/JSON/JanssonOracle.swift

PYTHON_FILES := $(wildcard python examples/python Tests Tests/PostgreSQL/server Benchmarks Scripts)
lint-python: .venv/ready
	@.venv/bin/ruff check --quiet $(PYTHON_FILES)
	@.venv/bin/ruff format --quiet --check $(PYTHON_FILES)
	@MYPYPATH=python .venv/bin/mypy --strict --no-error-summary python/groot python/tests/typed_program.py
	@$(PYTHON) Scripts/lint/checkers.py mypy
	@$(PYTHON) Scripts/lint/checkers.py pyright
	@$(PYTHON) Scripts/lint/imports.py
	@Tests/Lint/imports.sh

lint-documents: documentation lib .venv/ready
	@$(PYTHON) Scripts/lint/links.py
	@Tests/Lint/links.sh
	@$(PYTHON) Scripts/lint/prose
	@Tests/Lint/prose.sh
	@.venv/bin/python Scripts/record --check
	@Tests/Lint/commands.sh

# The commands of the README on a terminal, as docs/commands.svg shows them.
.PHONY: figures
figures: lib .venv/ready
	@.venv/bin/python Scripts/record

# Every public declaration of Swift has a summary, its parameters and errors.
DOCUMENTED := $(notdir $(wildcard $(addprefix Sources/,Groot GrootSQL GrootSQLite GrootFoundation)))
SYMBOLS := build/docs/symbols
.PHONY: documentation
documentation: $(SYMBOLS)/ready
	@$(PYTHON) Scripts/lint/documentation.py $(DOCUMENTED:%=$(SYMBOLS)/%)
	@SWIFT=$(SWIFT) Tests/Lint/documentation.sh

$(SYMBOLS)/ready: $(SWIFT_SOURCES) Scripts/lint/symbols.sh
	@SWIFT=$(SWIFT) Scripts/lint/symbols.sh $(SYMBOLS) $(DOCUMENTED)
	@touch $@
