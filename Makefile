# Two commands: `make run` shows what Ansatz does, `make test` checks everything.

.PHONY: run test bench programs toolchain
.DEFAULT_GOAL := run

EXAMPLES := $(sort $(wildcard examples/*.anz))
CARGO ?= cargo
# rustup puts cargo here; a shell that was open before does not know it yet.
export PATH := $(HOME)/.cargo/bin:$(PATH)

## Builds Ansatz and simulates every example: a drawing and a summary of each.
run: toolchain
	$(CARGO) build --release --locked -p ansatz
	@set -e; for scene in $(EXAMPLES); do \
		echo; echo "=== $$scene"; head -n 1 $$scene; echo; \
		target/release/ansatz run $$scene; \
	done

## Layout, lints, all tests (the fuzzers take a minute each), examples in the documentation, rules of the house.
test: toolchain programs
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) xtask tidy
	$(CARGO) test --workspace --all-targets --locked
	$(CARGO) test --workspace --doc --locked

## Tables of compile and run times and of sizes, with C written by hand to compare with.
bench: toolchain
	$(CARGO) run --release --locked -p benchmarks

# Programs that `ansatz build` writes are compiled and run in the tests. clang is used too where it is there.
programs:
	@command -v gcc >/dev/null 2>&1 || { echo "the tests need gcc (Debian: apt-get install build-essential)" >&2; exit 1; }
	@command -v node >/dev/null 2>&1 || { echo "the tests need node (Debian: apt-get install nodejs)" >&2; exit 1; }

# Rust itself needs a C compiler to link with.
toolchain:
	@command -v cc >/dev/null 2>&1 || { echo "a C compiler is needed to link (Debian: apt-get install build-essential)" >&2; exit 1; }
	@command -v $(CARGO) >/dev/null 2>&1 || { echo "Rust is needed: install it with rustup, then try again" >&2; exit 1; }
