# Random input: texts made by libFuzzer (fuzz), calls of the C interface (fuzz-api).

# Random programs of calls of the interface, with a model of the graph in plain C beside the library;
# see Tests/FuzzAPI/fuzz.h. The usual build looks for leaks.
FUZZ_API_SEED := 1
FUZZ_API_CALLS := 200000
FUZZ_API_SANITIZE = $(or $(SANITIZE),-fsanitize=leak)

.PHONY: fuzz-api fuzz-api-address
fuzz-api: $(OUT)/fuzz_api
	@$< $(FUZZ_API_SEED) $(FUZZ_API_CALLS)

$(OUT)/fuzz_api: $(wildcard Tests/FuzzAPI/*) include/groot.h | $(LIBRARY)
	@mkdir -p $(@D)
	@Tests/FuzzAPI/calls.sh Tests/FuzzAPI include/groot.h include/groot_ffi.h
	@$(CC) $(C_FLAGS) $(FUZZ_API_SANITIZE) -o $@ $(filter %.c,$^) $(C_TEST_LIBS)

fuzz-api-address: export LSAN_OPTIONS = \
  print_suppressions=0:suppressions=$(CURDIR)/Tests/Suppressions/leaks.supp
fuzz-api-address:
	@$(SWIFT) build --quiet -c release --sanitize=address --scratch-path build/address-release \
	  --product groot
	@$(MAKE) --no-print-directory fuzz-api OUT=build/address-release/ctests \
	  LIBRARY=build/address-release/release/libgroot.so CC=$(TOOLCHAIN)/bin/clang \
	  SANITIZE='-fsanitize=address -fuse-ld=lld $(SANITIZER_LIBS)'

# libFuzzer with the address sanitizer, over the parts of the library that read text.
FUZZ_SECONDS := 60
FUZZ_SOURCES = $(shell find $(addprefix Sources/Groot/,Errors Bytes JSON Values) -name '*.swift') \
  Tests/Fuzz/Requirement.swift

FUZZ_TARGETS := json dates models rules patterns predicates store
.PHONY: fuzz $(FUZZ_TARGETS:%=fuzz-%)
fuzz: $(FUZZ_TARGETS:%=fuzz-%)
$(FUZZ_TARGETS:%=fuzz-%): fuzz-%: build/fuzz/%-target
	@Tests/Fuzz/run.sh $< $* $(FUZZ_SECONDS) $(FUZZ_LENGTH)

FUZZ_LENGTH := 400
MODULES := -I Sources/CAtomics -I Sources/CFiles -I Sources/CJansson -I Sources/CPCRE2 \
  -I Sources/CVectors
fuzz-models fuzz-rules: FUZZ_LENGTH := 4000

FUZZ_DRAWS := Tests/Laws/SeededGenerator.swift Tests/Laws/Draws.swift
FUZZ_QUERIES := Tests/Laws/Queries/NaivePredicate.swift Tests/Laws/Queries/QueryModel.swift $(FUZZ_DRAWS)

# Models and rules are tried with what the tests try them with, and with all of the engine.
FUZZ_MODELS = $(shell find Sources/Groot -name '*.swift') $(FUZZ_DRAWS) \
  $(wildcard Tests/Laws/Hostile/[!JH]*.swift)
build/fuzz/json-target: Tests/Fuzz/JSONTarget.swift Tests/GrootTests/JSON/JanssonOracle.swift
build/fuzz/dates-target: Tests/Fuzz/DateTarget.swift
# The whole library in one module, whose name it imports; of GrootSQL it imports a module of nothing.
build/fuzz/modules/GrootSQL.swiftmodule:
	@mkdir -p $(@D)
	@$(SWIFT)c -frontend -emit-module -parse-as-library -module-name GrootSQL -o $@ /dev/null

build/fuzz/store-target: Tests/Fuzz/StoreTarget.swift Tests/Fuzz/Requirement.swift $(SWIFT_SOURCES) \
  | build/fuzz/modules/GrootSQL.swiftmodule
	@mkdir -p $(@D)
	@$(SWIFT)c -O -wmo -gline-tables-only -sanitize=fuzzer,address -use-ld=lld -swift-version 6 \
	  -parse-as-library -suppress-warnings -package-name groot -module-name Groot \
	  $(MODULES) -I Sources/CSQLite -I build/fuzz/modules -o $@ $(filter Tests/%.swift,$^) \
	  $(filter Sources/Groot/%.swift Sources/GrootSQL/%.swift Sources/GrootSQLite/%.swift,$^)

build/fuzz/models-target: Tests/Fuzz/ModelTarget.swift $(FUZZ_MODELS)
build/fuzz/rules-target: Tests/Fuzz/RulesTarget.swift $(FUZZ_MODELS)
build/fuzz/patterns-target: Tests/Fuzz/PatternTarget.swift $(wildcard Sources/Groot/Model/Validation/Pattern*.swift)
# The whole core, with what the tests compare queries with.
build/fuzz/predicates-target: Tests/Fuzz/PredicateTarget.swift $(shell find Sources/Groot -name '*.swift') \
  $(FUZZ_QUERIES)
build/fuzz/%-target: $(FUZZ_SOURCES) mk/fuzz.mk
	@mkdir -p $(@D)
	@$(SWIFT)c -O -wmo -gline-tables-only -sanitize=fuzzer,address -use-ld=lld -swift-version 6 \
	  -parse-as-library -package-name groot -module-name Groot $(MODULES) -o $@ \
	  $(filter %.swift,$^)
