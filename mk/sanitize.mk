# The tests under the address and the thread sanitizer, and under valgrind.

# With the clang of the toolchain: its sanitizers are those that the Swift code is built with. That for
# threads knows about Dispatch and wants to see it.
SANITIZER_LIBS = -L$(TOOLCHAIN)/lib/swift/linux -Wl,-rpath,$(TOOLCHAIN)/lib/swift/linux \
  -Wl,--as-needed -ldispatch -lBlocksRuntime

.PHONY: check-sanitize sanitize-address sanitize-thread valgrind
check-sanitize: sanitize-address sanitize-thread

sanitize-address: export LSAN_OPTIONS = \
  print_suppressions=0:suppressions=$(CURDIR)/Tests/Suppressions/leaks.supp
# A buffer larger than the machine is asked for, and is to be refused as malloc does.
sanitize-address: export ASAN_OPTIONS = allocator_may_return_null=1
sanitize-thread: export TSAN_OPTIONS = \
  allocator_may_return_null=1:suppressions=$(CURDIR)/Tests/Suppressions/races.supp
sanitize-address sanitize-thread: sanitize-%:
	@$(SWIFT) build --quiet --sanitize=$* --scratch-path build/$* --product groot
	@Scripts/ci/step.sh build/check swift-$* $(SWIFT) test --sanitize=$* --scratch-path build/$*
	@Scripts/ci/step.sh build/check c-$* $(MAKE) --no-print-directory test-c native-tours OUT=build/$*/ctests \
	  LIBRARY=build/$*/debug/libgroot.so CC=$(TOOLCHAIN)/bin/clang CXX=$(TOOLCHAIN)/bin/clang++ \
	  SANITIZE='-fsanitize=$* -fuse-ld=lld $(SANITIZER_LIBS)'

# With the names and lines that the library in build/lib has lost.
VALGRIND := valgrind --quiet --error-exitcode=9 --suppressions=Tests/Suppressions/valgrind.supp \
  --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite
valgrind: export LD_LIBRARY_PATH = $(CURDIR)/build/unstripped
valgrind: lib build/examples/tour build/examples/tour-cpp
	@mkdir -p build/unstripped
	@ln -sf ../release/release/libgroot.so build/unstripped/$(SONAME)
	@Scripts/ci/step.sh build/check valgrind $(MAKE) --no-print-directory test-c RUN='$(VALGRIND)'
	@Scripts/ci/step.sh build/check valgrind-tour $(VALGRIND) build/examples/tour examples/comics.json
	@Scripts/ci/step.sh build/check valgrind-cpp $(VALGRIND) build/examples/tour-cpp examples/comics.json
