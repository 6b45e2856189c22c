# One command to run, one to test. Both first make sure the machine has what is needed.
.PHONY: setup run test lint docs sim

setup:
	@scripts/setup

# Until there is a server: the par sheet of every layout.
run: setup
	@scripts/par-sheets

test: setup lint
	cargo nextest run --workspace
	cargo test --workspace --doc

# One simulated world, `make sim SEED=7`, or the long run over SEEDS of them.
SEEDS ?= 1..1001
sim: setup
	cargo run --release --quiet -p sicbo-sim -- $(if $(SEED),--seed $(SEED),--seeds $(SEEDS))

lint: setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	@if cargo deny --version >/dev/null 2>&1; then cargo deny check bans licenses sources; fi

# Writes the generated documents anew: docs/cli.md, docs/pictures, the README's examples.
docs: setup
	SICBO_BLESS=1 cargo test --quiet -p sicbo-cli docs
