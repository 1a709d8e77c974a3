# Two commands: `make run` shows what Ansatz does, `make test` checks everything.

.PHONY: run test bench toolchain
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
test: toolchain
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) xtask tidy
	$(CARGO) test --workspace --all-targets --locked
	$(CARGO) test --workspace --doc --locked

## Tables of compile and run times, with a reference written by hand.
bench: toolchain
	$(CARGO) run --release --locked -p benchmarks

# Rust itself needs a C compiler to link with.
toolchain:
	@command -v cc >/dev/null 2>&1 || { echo "a C compiler is needed to link (Debian: apt-get install build-essential)" >&2; exit 1; }
	@command -v $(CARGO) >/dev/null 2>&1 || { echo "Rust is needed: install it with rustup, then try again" >&2; exit 1; }
