# The programs and data of the benchmarks, and a file larger than the memory (large).

# A JSON array through a store and back, larger than the memory that this may take.
MEGABYTES := 1000
LARGE_OPTIONS :=
.PHONY: large
large: lib
	@$(PYTHON) Benchmarks/large.py --megabytes $(MEGABYTES) $(LARGE_OPTIONS)

build/bench/bench: $(wildcard Benchmarks/native/*) include/groot.h build/lib/libgroot.so
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) $(POSTGRESQL_CFLAGS) -O2 -o $@ $(filter %.c,$^) -Lbuild/lib \
	  -Wl,-rpath,$(CURDIR)/build/lib -lgroot $(JANSSON_LIBS) -lsqlite3 $(POSTGRESQL_LIBS)

# Instructions of rows, against Benchmarks/instructions.json, which bench-count-update writes.
COUNT = SWIFT='$(SWIFT)' CC='$(CC)' $(PYTHON) Benchmarks/instructions.py
COUNT_OPTIONS ?=
.PHONY: bench-count bench-count-update
bench-count: build/bench/bench
	@$(COUNT) $(COUNT_OPTIONS)

bench-count-update: build/bench/bench
	@$(COUNT) --update

# simdjson and the graph by hand, without Groot. Its reader On Demand is made of templates, which are
# compiled for this processor as its library chooses when it runs. Without it there is no program.
SIMDJSON_CFLAGS = $(shell $(PKG_CONFIG) --cflags simdjson)
SIMDJSON_LIBS = $(shell $(PKG_CONFIG) --libs simdjson)
SIMDJSON_PARTS := $(addprefix build/bench/parts/,$(addsuffix .o,bench hand_graph hand_import hand_record \
  hand_scan))
SIMDJSON = $(shell $(PKG_CONFIG) --exists simdjson && echo build/bench/simdjson)

build/bench/parts/%.o: Benchmarks/native/%.c $(wildcard Benchmarks/native/*.h)
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) -O2 -c -o $@ $<

build/bench/simdjson: Benchmarks/native/simdjson_rows.cpp $(SIMDJSON_PARTS)
	@$(CXX) $(CXX_FLAGS) $(SIMDJSON_CFLAGS) -O3 -DNDEBUG -march=native -o $@ $^ $(SIMDJSON_LIBS)

# Not linked to the library, which it loads itself.
build/bench/start: Benchmarks/start/start.c include/groot.h | lib
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) -o $@ $<

# The readers of dates do not belong to the interface: they are compiled with the program.
DATE_SOURCES = $(addprefix Sources/Groot/Values/Dates/,Timestamp.swift TimestampReader.swift CalendarDay.swift) \
  Sources/Groot/Bytes/ByteLanes.swift Sources/Groot/Bytes/Byte.swift

build/bench/dates: $(wildcard Benchmarks/dates/*.swift) $(DATE_SOURCES)
	@mkdir -p $(@D)
	@$(SWIFT)c -O -wmo -swift-version 6 -parse-as-library -module-name DateBenchmarks -o $@ $^

# Without the libraries to compare with the benchmark leaves their rows out.
build/bench/venv/ready: Benchmarks/peers.txt
	@$(PYTHON) -m venv build/bench/venv
	@build/bench/venv/bin/python -m pip install --quiet --disable-pip-version-check -r $< || \
	  echo 'the libraries to compare with cannot be installed' >&2
	@touch $@

# The tables and the plot of docs/explanation/performance.md; fails when a table could not be made.
.PHONY: bench-document
bench-document:
	@$(PYTHON) Benchmarks/document.py
