#!/usr/bin/env bash
# Everything that CI runs. `tests/run.sh` runs all of it, `tests/run.sh STEP ...` the steps named.
set -euo pipefail
cd "$(dirname "$0")/.."

steps=(format clippy docs test examples release loom mutants package)

step_format() {
    need_component rustfmt cargo-fmt
    cargo fmt --all --check
}

step_clippy() {
    need_component clippy cargo-clippy
    cargo clippy --workspace --all-targets --all-features -- -D warnings
    # Alone, without what the other members switch on.
    cargo clippy -p windowlimit -- -D warnings
    for feature in client config metrics test-util tokio tracing; do
        cargo clippy -p windowlimit --features "$feature" -- -D warnings
    done
    cargo clippy -p windowlimit-macros -- -D warnings
}

step_docs() {
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features
}

# Unit, integration, ui and doc tests; the macro cases; the service over a socket.
step_test() {
    cargo test --workspace
    # With these features no limiter is decided in the plain way, so they are not in the tests above.
    cargo test -p windowlimit-tests --features telemetry --test telemetry
}

# The one that the README starts with, and those that end by themselves; the service is run by the tests, which also
# compare the picture with the one that is committed.
step_examples() {
    cargo run --quiet --example quickstart
    cargo run --quiet --example threads
    cargo run --quiet --example windows "${CARGO_TARGET_DIR:-target}/windows.svg"
}

# Threads meet in other ways in optimised code.
step_release() {
    cargo test --release -p windowlimit-tests --test stress
}

# Every interleaving, in a target folder of its own: the flag would build all dependencies again.
step_loom() {
    RUSTFLAGS="--cfg windowlimit_loom" CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/loom" \
        cargo test --release -p windowlimit-tests --test loom
}

step_mutants() {
    cargo test -p windowlimit-tests --features mutants --test mutants
}

# What would be published builds from its own archive, with the README and the licences in it.
step_package() {
    cargo package --workspace --exclude windowlimit-tests --exclude windowlimit-examples --allow-dirty
    for file in README.md LICENSE-MIT LICENSE-APACHE CHANGELOG.md; do
        cargo package -p windowlimit --list --allow-dirty | grep -qx "$file" || {
            echo "the package windowlimit lacks $file" >&2
            return 1
        }
    done
}

# Installs a component of the toolchain where rustup can; else says what is missing.
need_component() {
    command -v "$2" >/dev/null && cargo "${2#cargo-}" --version >/dev/null 2>&1 && return
    command -v rustup >/dev/null && rustup component add "$1" && return
    echo "this step needs $1: install it, or run the other steps by name: ${steps[*]}" >&2
    return 1
}

command -v cargo >/dev/null || {
    echo "cargo was not found: install a Rust toolchain (https://rustup.rs) and start again" >&2
    exit 1
}

for step in "${@:-${steps[@]}}"; do
    declare -F "step_$step" >/dev/null || {
        echo "there is no step \`$step\`; the steps are: ${steps[*]}" >&2
        exit 2
    }
    printf '\n== %s\n' "$step"
    started=$SECONDS
    "step_$step"
    printf '== %s passed in %s s\n' "$step" $((SECONDS - started))
done
