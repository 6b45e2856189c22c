# One command to run, one to test. Both first make sure the machine has what is needed.
.PHONY: setup run test mutants lint docs pictures sim soak bench web web-test web-browser

# A Node that scripts/setup had to fetch.
export PATH := $(CURDIR)/target/tools/bin:$(PATH)

setup:
	@scripts/setup web

# The web app, built anew only when something of it has changed.
WEB_SOURCES := $(shell find web/src web/public web/tools -type f) web/index.html \
	web/vite.config.ts web/svelte.config.js web/package.json
web: setup web/dist/index.html
web/node_modules/.package-lock.json: web/package-lock.json web/.npmrc
	cd web && npm install --no-save --silent --no-fund --no-audit
	@touch $@
web/dist/index.html: $(WEB_SOURCES) web/node_modules/.package-lock.json
	cd web && npm run --silent build -- --logLevel warn

# Types, messages and units of the web app.
web-test: web
	cd web && npm run --silent check && npm run --silent test

# The app in Chromium against the real house, on a bounded set of languages and sizes;
# SICBO_SOAK=1 takes them all and leaves a console open for a thousand rounds.
web-browser: web
	@scripts/setup web browser
	cargo build --quiet -p sicbo-cli -p sicbo-sim
	cd web && npm run --silent browser

# Takes the pictures of every view anew, from the tests that show them.
pictures: web
	@scripts/setup web browser
	cargo build --quiet -p sicbo-cli -p sicbo-sim
	cd web && SICBO_BLESS=1 npm run --silent browser -- everywhere round situations lost

# A trial house with all five tables on loopback.
run: setup web
	cargo run --quiet -p sicbo-cli -- serve

# The simulator plays worlds that nobody has seen before, from a start that is drawn here;
# `make test SEEDS_FROM=N` plays the same ones again, `make sim SEED=N` a single one.
SEEDS_FROM ?= $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
test: setup web-test lint
	@echo "simulated worlds: fresh seeds from $(SEEDS_FROM)"
	SICBO_SEEDS_FROM=$(SEEDS_FROM) cargo nextest run --workspace
	cargo test --workspace --doc
	$(MAKE) --no-print-directory web-browser

# Takes the rules of the five books away one by one and names the test that notices each; at most
# an hour. `make mutants ONLY=voiding` tries those whose line has the word.
mutants: setup
	cargo run --quiet -p sicbo-mutants -- $(if $(ONLY),--only "$(ONLY)")

# One simulated world, `make sim SEED=7`; a span of them, `make sim SEEDS=1..1001`; or the long
# run of WORLDS from a start that nobody chose, which is printed. With the debug assertions of the
# ordinary profile, which a simulation wants.
WORLDS ?= 30000
sim: setup
	cargo run --quiet -p sicbo-sim -- $(if $(SEED),--seed $(SEED),$(if $(SEEDS),--seeds $(SEEDS),--fresh $(WORLDS)))

# What is too long for `make test`: many seeds, thousands of kills, millions of random steps,
# the long simulated run of the lab, a shift of a million bets, long play over real connections
# with the real program, and every view in every language at every size.
soak: setup web sim
	SICBO_KILLS=3000 cargo nextest run --release -p sicbo-house --test kill --no-capture
	SICBO_STEPS=5000000 cargo nextest run --release -p sicbo-table --test properties
	cargo test --release -p sicbo-lab --test simulate -- --ignored
	cargo test --release -p sicbo-house --test tools -- --ignored --nocapture million
	cargo build --release --quiet -p sicbo-cli -p sicbo-sim
	SICBO_BIN=$(CURDIR)/target/release/sicbo cargo nextest run --release -p sicbo-server --test killed
	SICBO_BIN=$(CURDIR)/target/release/sicbo SICBO_KILLS=3000 SICBO_TERMINALS=200 \
		cargo nextest run --release -p sicbo-server --test history --no-capture
	SICBO_BIN=$(CURDIR)/target/release/sicbo SICBO_ROUNDS=400 cargo nextest run --release \
		-p sicbo-server --test e2e --run-ignored all
	SICBO_SOAK=1 SICBO_BIN=$(CURDIR)/target/release/sicbo $(MAKE) --no-print-directory web-browser
	scripts/setup api
	SICBO_BIN=$(CURDIR)/target/release/sicbo scripts/schemathesis --long

# Every figure beside a limit measured in the same run.
bench: setup
	cargo build --release --quiet -p sicbo-cli
	target/release/sicbo bench settle
	target/release/sicbo bench table
	target/release/sicbo bench journal
	target/release/sicbo bench simulate
	target/release/sicbo bench serve

lint: setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	@if cargo deny --version >/dev/null 2>&1; then cargo deny check bans licenses sources; fi

# Writes the generated documents anew: docs/cli.md, docs/pictures, the README's examples,
# docs/conformance.md.
docs: setup
	SICBO_BLESS=1 cargo test --quiet -p sicbo-cli docs
	SICBO_UPDATE=1 cargo test --quiet -p sicbo-table --test conformance
