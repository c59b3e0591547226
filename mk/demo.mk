# The programs and data of `make demo`.

CHARACTERS := 100000
DEMO_FILE := build/demo/characters-$(CHARACTERS).json

.PHONY: demo-run
demo-run: lib build/examples/tour build/examples/tour-swift build/demo/import_export $(DEMO_FILE)
	@Tests/tours.sh --show c python swift
	@echo "Import and export of $(DEMO_FILE), best of three"
	@build/demo/import_export Benchmarks/characters.json $(DEMO_FILE)

build/demo/import_export: Benchmarks/demo/import_export.c include/groot.h | lib
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) -O2 -o $@ $< -Lbuild/lib -Wl,-rpath,$(CURDIR)/build/lib -lgroot $(JANSSON_LIBS)

$(DEMO_FILE): Benchmarks/generate.py
	@mkdir -p $(@D)
	@$(PYTHON) $< $(CHARACTERS) $@
