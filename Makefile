# `make run` and `make test` are all that a fresh machine needs.

export SWIFT ?= swift
# A crash in a test must end the test, not start a debugger.
export SWIFT_BACKTRACE = enable=no

# The outputs, and the server on real sockets, run by themselves: a real JACK server drops blocks where both cores are
# busy rendering, and the attack on the server counts them.
TEST = scripts/run-tests
RTSAN = -Xswiftc -Xclang-linker -Xswiftc -fsanitize=realtime
# Their builds leave out what they don't look at.
ENGINE_ALONE = BARLINE_ENGINE_ALONE=1
# ThreadSanitizer slows the engine down a hundredfold: where only one thread runs there is nothing for it to see.
THREAD_TESTS = --filter 'ThreadStormTests|StemStormTests|PlaylistThreadTests|RingTests|ClipLifecycleTests'

.PHONY: run build test check lint check-warnings check-realtime check-threads check-memory check-page check-airplay bench bench-tempo picture format clean

run: build
	.build/release/barline run $(ARGS)

build:
	scripts/install-dependencies
	$(SWIFT) build -c release --product barline

test:
	scripts/install-dependencies --test
	$(TEST) --scratch-path .build-test --skip 'BarlineOutputsTests|BarlineServerTests'
	$(TEST) --scratch-path .build-test --filter BarlineOutputsTests
	$(TEST) --scratch-path .build-test --filter BarlineServerTests --skip AttackTests
	$(TEST) --scratch-path .build-test --filter AttackTests

check: lint check-warnings check-realtime check-threads check-memory check-page

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Plugins Sources Tests Snippets Benchmarks/Package.swift Benchmarks/Sources
	scripts/check-repository

check-warnings:
	$(SWIFT) build --build-tests -Xswiftc -warnings-as-errors --scratch-path .build-warnings

check-realtime:
	$(ENGINE_ALONE) $(TEST) --scratch-path .build-rtsan $(RTSAN)
	scripts/check-render-symbols .build-rtsan

check-threads:
	$(ENGINE_ALONE) BARLINE_STORM_SECONDS=60 $(TEST) --sanitize=thread --scratch-path .build-tsan $(THREAD_TESTS)

check-memory:
	$(ENGINE_ALONE) ASAN_OPTIONS=detect_leaks=0 $(TEST) --sanitize=address --scratch-path .build-asan

check-page:
	scripts/check-page

# Wants root: it runs in a network namespace of its own.
check-airplay: build
	scripts/check-airplay

bench:
	scripts/install-dependencies --bench
	scripts/bench

bench-tempo:
	scripts/install-dependencies --bench-tempo
	scripts/bench-tempo

picture: build
	scripts/draw-picture

format:
	$(SWIFT) format --in-place --recursive Package.swift Plugins Sources Tests Snippets Benchmarks/Package.swift Benchmarks/Sources

clean:
	rm -rf .build .build-* Benchmarks/.build
