# `make check-long`, for hours: the laws again, at length, and more of what a store must outlive.

LONG_KILLS := 200
LONG_POWER := 20
LONG_GROWTH := 1024
LONG_LAW := 1000-6000
LONG_ORDERS := 1000-6000
LONG_REPORTS := 1000-3000
LONG_TRIPS := 1000-16000
LONG_FLIPS := 10000
LONG_RESTS := 10000-60000
LONG_HOSTILE := 0-99999
LONG_REFUSED := 0-99999
LONG_LAWS := law orders reports trips rests flips hostile refused
LONG_STEPS := growth faults kills postgresql reproducible debian checkers programs \
  $(LONG_LAWS)

.PHONY: check-long $(LONG_STEPS:%=long-%)
check-long:
	@rm -rf build/check-long
	@$(MAKE) --no-print-directory --keep-going $(LONG_STEPS:%=long-%); \
	  Scripts/ci/summary.sh build/check-long $(LONG_STEPS)

LONG_STEP = Scripts/ci/step.sh build/check-long $(@:long-%=%)
long-growth:
	@$(LONG_STEP) $(MAKE) --no-print-directory growth GROWTH_SIZE=$(LONG_GROWTH)
long-faults: lib $(OUT)/store_faults
	@$(LONG_STEP) $(OUT)/store_faults 1 $(LONG_POWER)
long-kills: lib .venv/ready
	@$(LONG_STEP) env GROOT_KILLS=$(LONG_KILLS) $(PYTEST) python/tests/test_store_kills.py \
	  python/tests/test_command_interrupts.py
long-postgresql: lib .venv/ready
	@$(LONG_STEP) env GROOT_LONG=1 $(PYTEST) python/tests/postgresql

long-reproducible: lib $(LIB)/libgroot.a
	@$(LONG_STEP) Tests/Install/reproducible.sh
long-debian: deb build/examples/tour
	@$(LONG_STEP) Tests/Install/debian.sh

# Two more type checkers, which change too often for `make check`.
build/checkers/ready:
	@$(PYTHON) -m venv build/checkers
	@build/checkers/bin/python -m pip install --quiet --disable-pip-version-check \
	  ty==0.0.107 pyrefly==1.4.1 typing_extensions
	@touch $@
long-checkers: build/checkers/ready
	@$(LONG_STEP) sh -c 'for name in ty pyrefly; do \
	  $(PYTHON) Scripts/lint/checkers.py $$name build/checkers/bin || exit 1; done'

# Other programs on a store, which need many packages.
build/programs/ready: python/tests/programs/requirements.txt
	@$(PYTHON) -m venv build/programs
	@build/programs/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@
long-programs: lib build/programs/ready
	@$(LONG_STEP) env PYTHONPATH=python build/programs/bin/python -m pytest -rs -p no:cacheprovider \
	  python/tests/programs

long-law: SEEDS = GROOT_LAW=$(LONG_LAW)
long-law: SUITE = StoreEqualityLaw
long-orders: SEEDS = GROOT_ORDER_LAW=$(LONG_ORDERS)
long-orders: SUITE = OrderLaw
long-reports: SEEDS = GROOT_REPORTS=$(LONG_REPORTS)
long-reports: SUITE = ReportLaw
long-trips: SEEDS = GROOT_ROUND_TRIPS=$(LONG_TRIPS)
long-trips: SUITE = RoundTripLaw
long-rests: SEEDS = GROOT_REST=$(LONG_RESTS)
long-rests: SUITE = RestLaw
long-flips: SEEDS = GROOT_FLIPS=$(LONG_FLIPS)
long-flips: SUITE = StoreFlipTests
long-hostile: SEEDS = GROOT_HOSTILE=$(LONG_HOSTILE)
long-hostile: SUITE = HostileModel
long-refused: SEEDS = GROOT_REFUSED=$(LONG_REFUSED)
long-refused: SUITE = RefusedMemoryTests
$(LONG_LAWS:%=long-%): swift-build
	@$(LONG_STEP) env $(SEEDS) $(SWIFT) test --skip-build $(TEST_BUILD) --filter $(SUITE)
