# Two commands: `make run` opens the studio on the examples, `make test` checks everything.

.PHONY: editors run studio tour test bench python page compiler playground dist toolchain tools test-tools
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
studio: tools page
	$(CARGO) build --release --locked -p cli

## Simulates every example in the terminal: a drawing and a summary of each. Needs no page.
tour: toolchain
	$(CARGO) build --release --locked -p cli
	@set -e; for scene in $(EXAMPLES); do \
		echo; echo "=== $$scene"; head -n 1 $$scene; echo; \
		target/release/ansatz run $$scene; \
	done

## Layout, lints, all tests, examples in the documentation, rules of the house, the page in a browser.
test: test-tools page
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) xtask tidy
	$(CARGO) test --workspace --all-targets --locked
	$(CARGO) test --workspace --doc --locked
	cd web && ANSATZ=$(CURDIR)/target/debug/ansatz npm test
	@$(MAKE) python COMMAND=true

## Tables of compile and run times and of sizes, with C written by hand to compare with.
bench: toolchain
	$(CARGO) run --release --locked -p benchmarks

# How the package's tests get the command line; those of everything have it already.
COMMAND ?= $(CARGO) build --locked -p cli

## The package for Python, built and tested in an environment of its own; `pip install ./python` installs it for use.
python: toolchain
	@if ! python3 -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
		echo "skipped: the package for Python needs python3, version 3.11 or later, with venv"; \
	else \
		set -e; \
		python3 -m venv target/python; \
		target/python/bin/pip install --quiet --disable-pip-version-check -r python/requirements.txt; \
		$(COMMAND); \
		(cd python && VIRTUAL_ENV=$(CURDIR)/target/python ../target/python/bin/maturin develop --quiet --locked); \
		target/python/bin/mypy --strict --ignore-missing-imports python/ansatz; \
		ANSATZ=$(CURDIR)/target/debug/ansatz target/python/bin/python -m pytest -q python/tests; \
	fi

## The compiler for browsers, as WebAssembly: `web/dist-compiler/compiler.wasm`.
compiler: toolchain
	scripts/compiler

## A folder that any web server can serve: the studio with the compiler in the page. See docs/how-to/playground.md.
playground: tools page compiler
	$(CARGO) build --release --locked -p cli
	target/release/ansatz playground -o playground

## What others download: the program for this machine, packed, with its checksum. See docs/how-to/distribute.md.
dist: tools page
	scripts/dist

## The extension for Visual Studio Code, packed as `editors/vscode/ansatz.vsix`; see docs/how-to/editors.md.
editors: tools
	cd editors/vscode && npm install --no-save --no-audit --no-fund && npm run package

# The page, which the program has in it, is built again where something of it changed. `npm ci` would refuse the lock file, which knows the
# packages of one platform only.
PAGE := $(shell find web -path web/node_modules -prune -o -path 'web/dist*' -prune -o -path web/tests -prune -o -type f -print)
page: web/dist/index.html
web/dist/index.html: $(PAGE)
	cd web && npm install --no-save --no-audit --no-fund && npm run build && mkdir -p dist-compiler

# What is missing is told before anything is built. Programs that `ansatz build` writes are compiled and run in the tests, with clang too
# where it is there.
toolchain:
	@scripts/tools cc cargo
tools:
	@scripts/tools cc cargo node npm
test-tools:
	@scripts/tools cc cargo node npm gcc g++
