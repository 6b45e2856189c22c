# One command to run, one to test. Both first make sure the machine has what is needed.
.PHONY: setup run test rust-build rust-test mutants lint docs pictures sim canaries same-bytes soak fuzz bench web web-test web-browser schemathesis package package-check

# A Node that scripts/setup had to fetch.
export PATH := $(CURDIR)/target/tools/bin:$(PATH)

# A machine that builds everything once and is thrown away keeps nothing for a next build or a
# debugger.
ifdef CI
export CARGO_INCREMENTAL := 0
export CARGO_PROFILE_DEV_DEBUG := 0
# Many units make the next build quick and the first one slow: with eight, a crate takes a third less.
export CARGO_PROFILE_DEV_CODEGEN_UNITS := 8
endif

setup:
	@scripts/setup web

# The web app, built anew only when something of it has changed.
WEB_SOURCES := $(shell find web/src web/public web/tools -type f) web/index.html \
	web/vite.config.ts web/vite.check.config.ts web/svelte.config.js web/package.json
web: setup web/dist/index.html
# The verifier as WebAssembly, for the page on which players check their receipts.
VERIFIER := target/wasm32-unknown-unknown/page/sicbo_check.wasm
VERIFIER_SOURCES := $(shell find crates/sicbo-check crates/sicbo-journal/src crates/sicbo-rules/src crates/sicbo-table/src -name '*.rs') \
	crates/sicbo-check/Cargo.toml $(wildcard rulebooks/*.toml) Cargo.lock
$(VERIFIER): $(VERIFIER_SOURCES)
	cargo rustc --quiet -p sicbo-check --lib --crate-type cdylib --target wasm32-unknown-unknown --profile page
	@touch $@
web/node_modules/.package-lock.json: web/package-lock.json web/.npmrc
	cd web && npm install --no-save --silent --no-fund --no-audit
	@touch $@
web/dist/index.html: $(WEB_SOURCES) $(VERIFIER) web/node_modules/.package-lock.json
	cd web && npm run --silent build -- --logLevel warn

# Types, messages and units of the web app.
web-test: web
	cd web && npm run --silent check && npm run --silent test

# The app in Chromium against the real house, on a bounded set of languages and sizes;
# SICBO_SOAK=1 takes them all and leaves a console open for a thousand rounds.
# PROGRAM is what builds the program; empty where the tests have built it.
# PART chooses among them.
PROGRAM ?= cargo build --quiet -p sicbo-cli -p sicbo-sim
web-browser: web
	@scripts/setup web browser
	$(PROGRAM)
	cd web && npm run --silent browser -- $(PART)

# Takes the pictures of every view anew, from the tests that show them.
pictures: web
	@scripts/setup web browser
	cargo build --quiet -p sicbo-cli -p sicbo-sim
	cd web && SICBO_BLESS=1 npm run --silent browser -- everywhere guests sizes bets wall check round situations lost \
		pit-screens pit-amend pit-dice pit-cases pit-shift pit-player

# A trial house with all five tables on loopback.
run: setup web
	SICBO_MARKS=$(CURDIR)/target/marks cargo run --quiet -p sicbo-cli -- serve

# The simulator plays worlds that nobody has seen before, from a start that is drawn here;
# `make test SEEDS_FROM=N` plays the same ones again, `make sim SEED=N` a single house and
# `make sim WORLD=N` a single table.
#
# Tests are built with the switches by which sicbo-mutants takes a rule away, so that they are not
# built twice; neither `make run` nor a release has them.
SWITCHES := --features sicbo-house/mutants,sicbo-sim/mutants
# Drawn once: the seed that is printed is the one that is played.
SEEDS_FROM := $(or $(SEEDS_FROM),$(shell od -An -N4 -tu4 /dev/urandom | tr -d ' '))

# Node runs beside the build, which is a chain of crates that leaves a core idle, the lints beside
# the tests, many of which wait, and the API's description beside the browser. Each of the things that
# run beside each other says what it has to say when it is done. What is held to a clock comes last, with the machine to
# itself. (The tests in Rust beside those in the browser were tried: two cores are busy with either,
# and it took longer.)
BESIDE := $(MAKE) --no-print-directory -j3 --output-sync=target
BEGAN := $(shell date +%s)
AFTER = @echo "make test: after $$(( $$(date +%s) - $(BEGAN) )) s:"
test: setup
	$(BESIDE) web-test rust-build
	$(AFTER) web app and build
	$(BESIDE) lint rust-test
	$(AFTER) lints and tests in Rust
	@scripts/setup web browser api
	$(BESIDE) web-browser schemathesis PROGRAM= PART="--project house"
	$(AFTER) tests in the browser
	cargo nextest run --workspace $(SWITCHES) -E '$(TIMED)'
	cd web && npm run --silent browser -- --project measured
	$(AFTER) all

# Tests that hold the program to so many seconds by the clock.
TIMED := binary(server) & test(/^(steady|doors::(bad_http|bad_sockets|crowd|logging_in|sessions|strangers|tls|tumbler))::/)
rust-build: web
	cargo nextest run --workspace $(SWITCHES) --no-run
rust-test:
	@scripts/setup token proof cluster watch data
	@echo "simulated worlds: fresh seeds from $(SEEDS_FROM)"
	SICBO_SEEDS_FROM=$(SEEDS_FROM) cargo nextest run --workspace $(SWITCHES) -E 'not ($(TIMED))'
	cargo test --workspace --doc $(SWITCHES)
	target/debug/sicbo-mutants --short

# The description of the API against a running house.
schemathesis:
	@scripts/setup api
	scripts/schemathesis

# Takes the rules of the five books away one by one and names the test that notices each; at most
# an hour. `make mutants ONLY=voiding` tries those whose line has the word.
mutants: setup
	cargo run --quiet -p sicbo-mutants -- $(if $(ONLY),--only "$(ONLY)")

# One whole simulated house, `make sim SEED=7`, told in words with STORY=1; a span of them, `make sim
# SEEDS=1..1001`; one table and its journal alone, `make sim WORLD=7`; or the long run of WORLDS and of
# HOUSES from starts that nobody chose, which are printed. Of houses it fails as well where they did not
# meet what there is to be met (crates/sicbo-sim/unreached.txt). Many run with the profile `sim`: as
# optimised as a release, with the debug assertions that a simulation wants.
WORLDS ?= 30000
HOUSES ?= 2000
TOLD := $(if $(STORY),--story)
# With the switches of the canaries, so that it is built once; none is on unless it is named.
SIM := cargo run --quiet --profile sim -p sicbo-sim $(SWITCHES)
ONE := cargo run --quiet -p sicbo-sim $(SWITCHES)
sim: setup
ifneq ($(WORLD),)
	$(ONE) -- --world $(WORLD) $(TOLD)
else ifneq ($(SEED)$(HOUSE),)
	$(ONE) -- --seed $(or $(SEED),$(HOUSE)) $(TOLD)
else ifneq ($(SEEDS),)
	$(SIM) -- --seeds $(SEEDS) $(TOLD)
else
	$(SIM) -- --fresh-worlds $(WORLDS)
	$(SIM) -- --fresh-houses $(HOUSES) --covered $(TOLD)
endif

# Small wrongs (crates/sicbo-sim/canaries.txt), switched on one by one: each must be caught by a
# simulated house of its book, and how many houses that took is printed.
canaries: setup
	$(SIM) -- --canaries 160 $(if $(ONLY),--among "$(ONLY)")

# The same houses as the program of the tests and the optimised one play them, on one thread and on
# two, in different folders: every frame and every byte of the journals is in the digests. RELEASE=1
# plays them with the release profile as well, which has neither switches nor debug assertions.
SAME ?= 7..27
same-bytes: setup
	cargo build --quiet -p sicbo-sim $(SWITCHES)
	cargo build --quiet --profile sim -p sicbo-sim $(SWITCHES)
	target/debug/sicbo-sim --seeds $(SAME) | grep digest | sort > target/same-debug
	cd / && taskset -c 0 $(CURDIR)/target/sim/sicbo-sim --seeds $(SAME) | grep digest | sort > $(CURDIR)/target/same-sim
	test -s target/same-debug && cmp target/same-debug target/same-sim
ifneq ($(RELEASE),)
	cargo build --quiet --release -p sicbo-sim
	target/release/sicbo-sim --seeds $(SAME) | grep digest | sort > target/same-release
	cmp target/same-debug target/same-release
endif
	@echo "the same bytes: $$(wc -l < target/same-debug) houses"

# What is too long for `make test`: many seeds, thousands of kills, millions of random steps,
# the long simulated run of the lab, a shift of a million bets, long play over real connections
# with the real program, and every view in every language at every size. KILLS of the real program
# are shared by four houses that run beside each other.
KILLS ?= 3000
# Whole houses from a start that nobody chose: together at least so many rounds, and so many in a
# second of a core's own time.
LONG_HOUSES ?= 10000
LONG_ROUNDS ?= 1000000
LONG_RATE ?= 200
# Acts that a dishonest dealer, cashier, technician, manager and director try, each.
ACTS ?= 100000
# Each reader of bytes from outside is tried for so long on samples that are nearly right, and as
# long by a fuzzer that follows coverage.
FUZZ_SECONDS ?= 300
soak: setup web sim canaries
	$(MAKE) --no-print-directory same-bytes RELEASE=1
	$(SIM) -- --fresh-houses $(LONG_HOUSES) --steps 8000 --covered \
		--at-least-rounds $(LONG_ROUNDS) --at-least-rate $(LONG_RATE)
	$(SIM) -- --dishonest $(ACTS)
	SICBO_KILLS=3000 SICBO_FOLDERS=2 cargo nextest run --release -p sicbo-runner --test runner --no-capture
	SICBO_STEPS=5000000 cargo nextest run --release -p sicbo-table --test table \
		-E 'test(/^properties::/)'
	scripts/setup cluster
	SICBO_LEADER_CHANGES=1000000 cargo nextest run --release -p sicbo-postgres --lib --no-capture
	SICBO_PROMOTIONS=40 cargo nextest run --release -p sicbo-postgres --test postgres \
		-E 'test(/quorum::/)' --no-capture
	cargo test --release -p sicbo-lab --test lab -- --ignored simulate
	cargo test --release -p sicbo-report --test report -- --ignored --nocapture million
	SICBO_FUZZ_SECONDS=$(FUZZ_SECONDS) cargo nextest run --release -p sicbo-server --test server \
		-E 'test(/^fuzz::/)' --no-capture
	scripts/fuzz $(FUZZ_SECONDS)
	SICBO_FORGERIES=10000 cargo nextest run --release -p sicbo-proof --test proof \
		-E 'test(/^tools::forgery::/)' --no-capture
	SICBO_TAMPERINGS=2000 cargo nextest run --release -p sicbo-cli --test cli \
		-E 'test(/^cli::tampered_at_random::/)' --no-capture
	cargo build --release --quiet -p sicbo-cli -p sicbo-sim
	SICBO_BIN=$(CURDIR)/target/release/sicbo cargo nextest run --release \
		-p sicbo-server --test server -E 'test(/^killed::/) - test(/^killed::broken::/)'
	SICBO_BIN=$(CURDIR)/target/release/sicbo SICBO_KILLS=$(KILLS) SICBO_TERMINALS=200 SICBO_HOUSES=4 \
		cargo nextest run --release -p sicbo-server --test server \
		-E 'test(/^history::/)' --no-capture
	SICBO_BIN=$(CURDIR)/target/release/sicbo SICBO_ROUNDS=400 cargo nextest run --release \
		-p sicbo-server --test server -E 'test(/^e2e::/)' --run-ignored all
	cargo nextest run --release -p sicbo-server --test server \
		-E 'test(/^doors::strangers::/)' --run-ignored only --no-capture
	SICBO_SOAK=1 SICBO_BIN=$(CURDIR)/target/release/sicbo $(MAKE) --no-print-directory web-browser
	scripts/setup api
	SICBO_BIN=$(CURDIR)/target/release/sicbo scripts/schemathesis --long

# A Debian package of this commit in target/package, with SHA-256 sums and a bill of materials; then
# whether a second build elsewhere gives the same bytes, and whether it installs and plays a round.
package: setup web
	scripts/package
package-check:
	@scripts/setup package
	scripts/package-check

# The fuzzer alone; `make fuzz KEEP=keep` writes its corpora anew.
fuzz: setup
	scripts/fuzz $(FUZZ_SECONDS) $(KEEP)

# Every figure beside a limit measured in the same run.
bench: setup
	cargo build --release --quiet -p sicbo-cli
	target/release/sicbo bench settle
	target/release/sicbo bench table
	target/release/sicbo bench journal --beside-format-1
	scripts/setup cluster
	target/release/sicbo bench cluster
	target/release/sicbo bench verify
	target/release/sicbo bench simulate
	target/release/sicbo bench serve

# In the folder of the build, whose macros and C libraries it uses again.
lint: setup web
	cargo fmt --all --check
	scripts/duplicates
	cargo clippy --quiet --workspace --all-targets -- -D warnings

# Writes the generated documents anew: docs/cli.md, docs/pictures, the examples of README and command-line.md,
# docs/record-kinds.md, docs/conformance.md, docs/certification/README.md.
docs: setup
	SICBO_BLESS=1 cargo test --quiet -p sicbo-cli --test cli docs
	SICBO_BLESS=1 cargo test --quiet -p sicbo-cli --test cli record_kinds
	SICBO_UPDATE=1 cargo test --quiet -p sicbo-table --test table -- conformance certification
