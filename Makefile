# `make run` and `make test` are all that a fresh machine needs.

export SWIFT ?= swift
# A crash in a test must end the test, not start a debugger.
export SWIFT_BACKTRACE = enable=no

# The package manager gives a package's traits to the compiler in the order in which a set has them, which is another one in
# each run: all modules would be built again.
SWIFT_BUILD = $(YIELDING) SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
RUN_TESTS = scripts/run-tests
# WARNINGS='-Xswiftc -warnings-as-errors' in the environment ends builds at the first warning, as CI does.
TEST_BUILD = -Xswiftc -enable-testing $(WARNINGS) --scratch-path .build-test
# On Linux the suite runs under RealtimeSanitizer, which is in the toolchain there.
ifeq ($(shell uname -s),Linux)
REALTIME = BARLINE_REALTIME=1
endif
TEST = $(REALTIME) $(RUN_TESTS) --skip-build --scratch-path .build-test
# Builds for the other sanitizers leave out what they don't look at.
ENGINE_ALONE = BARLINE_ENGINE_ALONE=1
THREADS_ALONE = $(ENGINE_ALONE) BARLINE_THREADS_ALONE=1
SANITIZED_BUILD = -c release -Xswiftc -enable-testing $(SANITIZED) --product barlinePackageTests

# Where `make install` puts things; DESTDIR goes before it, for those who make packages.
PREFIX ?= /usr/local
DESTDIR ?=
BUILD ?= .build/release
MAN = $(DESTDIR)$(PREFIX)/share/man/man1
BASH_COMPLETION = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_COMPLETION = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH_COMPLETION = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

.PHONY: run build build-tests install uninstall test check lint fuzz fuzz-api soak deb check-deb check-reproducible check-builds check-page-and-builds build-threads build-memory check-warnings check-bare check-realtime check-machine-code check-threads check-memory check-instructions check-page check-airplay bench bench-stretch bench-tempo picture reference docs format clean

run: build
	.build/release/barline run $(ARGS)

build:
	scripts/install-dependencies
	$(SWIFT_BUILD) -c release --product barline
	$(SWIFT_BUILD) -c release --product ManualWriter

# What is built is installed as it is: who may write to PREFIX need not be who builds.
install: $(BUILD)/barline
	install -d $(DESTDIR)$(PREFIX)/bin $(MAN) $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION)
	install -m 755 $(BUILD)/barline $(DESTDIR)$(PREFIX)/bin/barline
	$(BUILD)/barline --experimental-dump-help | $(BUILD)/ManualWriter $(MAN)
	$(BUILD)/barline --generate-completion-script bash >$(BASH_COMPLETION)/barline
	$(BUILD)/barline --generate-completion-script zsh >$(ZSH_COMPLETION)/_barline
	$(BUILD)/barline --generate-completion-script fish >$(FISH_COMPLETION)/barline.fish

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/barline $(MAN)/barline.1 $(MAN)/barline-*.1
	rm -f $(BASH_COMPLETION)/barline $(ZSH_COMPLETION)/_barline $(FISH_COMPLETION)/barline.fish

$(BUILD)/barline:
	$(MAKE) build

# Built once: `swift test` by itself gives the compiler other arguments than `swift build`, and all modules are built again.
build-tests:
	scripts/install-dependencies --test
	$(REALTIME) $(SWIFT_BUILD) -c release $(TEST_BUILD) --build-tests

test: build-tests
	$(REALTIME) scripts/run-suite --scratch-path .build-test

check: lint check-page-and-builds check-machine-code check-threads check-memory check-instructions

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Plugins Sources Tests Snippets Examples Benchmarks/Package.swift Benchmarks/Sources
	scripts/check-repository
	scripts/check-release

BUILDS = build-memory check-warnings build-threads check-bare

# The compiler optimises a module on one core: two builds at a time have work for both.
check-builds:
	$(MAKE) -j2 --output-sync=target $(BUILDS)

# The page's tests wait for the clock for much of their time, and builds have what they leave.
check-page-and-builds:
	$(MAKE) -j3 --output-sync=target check-page $(BUILDS) \
		YIELDING="$$(chrt --idle 0 true 2>/dev/null && echo chrt --idle 0 || echo nice) env"

# An index is for editors, which look into .build, and to find tests.
NO_INDEX = --disable-index-store

# What is released, as those build it who work with it: the tests are built with WARNINGS.
check-warnings:
	$(SWIFT_BUILD) -Xswiftc -warnings-as-errors $(NO_INDEX) --scratch-path .build-warnings

# The libraries without the system's that are behind package traits.
check-bare:
	$(SWIFT_BUILD) --disable-default-traits --target BarlineHost -Xswiftc -warnings-as-errors $(NO_INDEX) --scratch-path .build-bare

# The suite runs under RealtimeSanitizer as a whole: with `make test` before it, the machine code is what is left.
check-realtime: build-tests check-machine-code
	$(TEST) --filter 'BarlineDSPTests|BarlineEngineTests'

check-machine-code:
	$(REALTIME) $(SWIFT_BUILD) -c release $(TEST_BUILD) --target BarlineOutputs
	scripts/check-render-symbols .build-test

build-threads check-threads: SANITIZED = --sanitize=thread --scratch-path .build-tsan
build-threads:
	$(THREADS_ALONE) $(SWIFT_BUILD) $(SANITIZED_BUILD)

check-threads: build-threads
	$(THREADS_ALONE) BARLINE_STORM_SECONDS=60 $(RUN_TESTS) --skip-build $(SANITIZED)

# With assertions on: after each block and each change every part says whether it agrees with itself. Days of beats, and
# how much is computed in a block, say nothing about memory.
build-memory check-memory: SANITIZED = --sanitize=address -Xswiftc -assert-config -Xswiftc Debug --scratch-path .build-asan
build-memory:
	$(ENGINE_ALONE) $(SWIFT_BUILD) $(SANITIZED_BUILD)

check-memory: build-memory
	$(ENGINE_ALONE) BARLINE_ASSERTIONS=1 ASAN_OPTIONS=detect_leaks=0 $(RUN_TESTS) --skip-build $(SANITIZED) --skip 'MetronomeDayTests|StretchWorkTests|aDayOfRolling'

check-page:
	scripts/check-page

# Wants root: it runs in a network namespace of its own.
check-airplay: build
	scripts/check-airplay

# The table is of the program that the tests are built with.
check-instructions:
	scripts/install-dependencies --test
	$(REALTIME) $(SWIFT_BUILD) -c release $(TEST_BUILD) --product InstructionCounts
	scripts/check-instructions

# FUZZ=session for one boundary; FUZZ_SECONDS=60 for a minute each instead of an hour.
fuzz:
	scripts/install-dependencies
	scripts/fuzz

fuzz-api: build
	scripts/fuzz-api

# SOAK_HOURS are simulated, SOAK_MINUTES real.
SOAK_HOURS ?= 24
SOAK_MINUTES ?= 60
soak: build-tests
	BARLINE_SOAK_HOURS=$(SOAK_HOURS) $(TEST) --filter SoakTests
	scripts/soak --program .build-test/release/barline --minutes $(SOAK_MINUTES)

# A Debian package: .build-deb.
deb:
	scripts/install-dependencies --deb
	scripts/build-deb

# Wants root and the network: it makes a Debian system to install the package on.
check-deb: deb
	scripts/install-dependencies --deb
	scripts/check-deb

check-reproducible:
	scripts/install-dependencies --deb
	scripts/check-reproducible

bench:
	scripts/install-dependencies --bench
	scripts/bench

bench-stretch:
	scripts/install-dependencies --bench-stretch
	scripts/bench-stretch

bench-tempo:
	scripts/install-dependencies --bench-tempo
	scripts/bench-tempo

picture: build
	scripts/draw-picture

# The dispatch of sources and effects, the schemas of the OpenAPI document, the tables of docs and what the page knows of effects,
# made of lists and declarations.
reference:
	scripts/write-dispatch
	$(SWIFT) run -c release ReferenceWriter .

# The library products' documentation: .build/docs.
docs:
	scripts/build-docs

format:
	$(SWIFT) format --in-place --recursive Package.swift Plugins Sources Tests Snippets Examples Benchmarks/Package.swift Benchmarks/Sources

clean:
	rm -rf .build .build-* Benchmarks/.build
