# Two commands: `make run` opens the studio on the examples, `make test` checks everything.

.PHONY: editors run studio tour test bench python page programs toolchain node
.DEFAULT_GOAL := run

EXAMPLES := $(sort $(wildcard examples/*.anz))
CARGO ?= cargo
# rustup puts cargo here; a shell that was open before does not know it yet.
export PATH := $(HOME)/.cargo/bin:$(PATH)

## Builds Ansatz with its page, and opens the studio in the browser; without a display it prints the address. What one saves goes to `scenes`.
run: studio
	@mkdir -p scenes
	target/release/ansatz studio scenes

## Builds Ansatz with its page: `target/release/ansatz`.
studio: page toolchain
	$(CARGO) build --release --locked -p cli

## Simulates every example in the terminal: a drawing and a summary of each. Needs no page.
tour: toolchain
	$(CARGO) build --release --locked -p cli
	@set -e; for scene in $(EXAMPLES); do \
		echo; echo "=== $$scene"; head -n 1 $$scene; echo; \
		target/release/ansatz run $$scene; \
	done

## Layout, lints, all tests, examples in the documentation, rules of the house, the page in a browser.
test: page programs toolchain
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) xtask tidy
	$(CARGO) test --workspace --all-targets --locked
	$(CARGO) test --workspace --doc --locked
	cd web && ANSATZ=$(CURDIR)/target/debug/ansatz npm test
	@$(MAKE) python

## Tables of compile and run times and of sizes, with C written by hand to compare with.
bench: toolchain
	$(CARGO) run --release --locked -p benchmarks

## The package for Python, built and tested in an environment of its own; `pip install ./python` installs it for use.
python: toolchain
	@if ! python3 -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
		echo "skipped: the package for Python needs python3, version 3.11 or later, with venv"; \
	else \
		set -e; \
		python3 -m venv target/python; \
		target/python/bin/pip install --quiet --disable-pip-version-check -r python/requirements.txt; \
		$(CARGO) build --locked -p cli; \
		(cd python && VIRTUAL_ENV=$(CURDIR)/target/python ../target/python/bin/maturin develop --quiet --locked); \
		target/python/bin/mypy --strict --ignore-missing-imports python/ansatz; \
		ANSATZ=$(CURDIR)/target/debug/ansatz target/python/bin/python -m pytest -q python/tests; \
	fi

## The extension for Visual Studio Code; see docs/how-to/editors.md.
editors: node
	cd editors/vscode && npm install --no-save --no-audit --no-fund && npm run build

# The page, which the program has in it. `npm ci` would refuse the lock file, which knows the packages of one platform only.
page: node
	cd web && npm install --no-save --no-audit --no-fund && npm run build

# Programs that `ansatz build` writes are compiled and run in the tests. clang is used too where it is there.
programs:
	@command -v gcc >/dev/null 2>&1 || { echo "the tests need gcc (Debian: apt-get install build-essential)" >&2; exit 1; }
	@command -v g++ >/dev/null 2>&1 || { echo "the tests need g++ (Debian: apt-get install build-essential)" >&2; exit 1; }
	@command -v node >/dev/null 2>&1 || { echo "the tests need node (Debian: apt-get install nodejs)" >&2; exit 1; }

# Rust itself needs a C compiler to link with.
toolchain:
	@command -v cc >/dev/null 2>&1 || { echo "a C compiler is needed to link (Debian: apt-get install build-essential)" >&2; exit 1; }
	@command -v $(CARGO) >/dev/null 2>&1 || { echo "Rust is needed: install it with rustup, then try again" >&2; exit 1; }

node:
	@command -v npm >/dev/null 2>&1 || { echo "Node and npm are needed to build the page (Debian: apt-get install nodejs npm)" >&2; exit 1; }
