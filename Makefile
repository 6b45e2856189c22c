# One command to run, one to test. Both first make sure the machine has what is needed.
.PHONY: setup run test lint

setup:
	@scripts/setup

run: setup
	cargo run --release --quiet

test: setup lint
	cargo nextest run --workspace
	cargo test --workspace --doc

lint: setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
