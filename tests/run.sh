#!/usr/bin/env bash
# Everything that CI runs. `tests/run.sh` runs all of it, `tests/run.sh STEP ...` the steps named.
set -euo pipefail
cd "$(dirname "$0")/.."

# Nobody looks into these builds, nor goes on from them: without what that would take, they are done sooner.
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0

steps=(format clippy features docs test service redis examples optimised loom mutants package)

step_format() {
    need_component rustfmt cargo-fmt
    cargo fmt --all --check
}

step_clippy() {
    need_component clippy cargo-clippy
    cargo clippy --workspace --all-targets --all-features -- -D warnings
    # Alone, without what the other members switch on.
    cargo clippy -p windowlimit-macros -- -D warnings
}

# No feature, each alone and all of them, without what the other members switch on.
step_features() {
    local feature features
    features=$(sed -n '/^\[features\]/,/^\[dependencies\]/s/^\([a-z][a-z0-9-]*\) = .*/\1/p' windowlimit/Cargo.toml)
    [ -n "$features" ] || {
        echo "no feature was found in windowlimit/Cargo.toml" >&2
        return 1
    }
    cargo clippy -p windowlimit -- -D warnings
    for feature in $features; do
        echo "-- $feature"
        cargo clippy -p windowlimit --features "$feature" -- -D warnings
    done
    cargo clippy -p windowlimit --all-features -- -D warnings
}

step_docs() {
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features
}

# Unit, integration, ui and doc tests; the macro cases; the service over a socket.
step_test() {
    cargo test --workspace --no-run
    # The messages of the compiler are had one after the other, which leaves room for all others beside it.
    local messages="${CARGO_TARGET_DIR:-target}/ui.log" ui
    cargo test --workspace --test ui >"$messages" 2>&1 &
    ui=$!
    BUILT_EXAMPLES=$(examples) \
        cargo test --workspace --no-fail-fast -- --skip every_mistake_is_explained || {
        wait "$ui"
        return 1
    }
    wait "$ui" || {
        cat "$messages"
        return 1
    }
    cat "$messages"
}

# All features at once, so that what they need is built once. With some of them no limiter is decided in the plain way, so
# none is in the tests above.
all_features=(-p windowlimit -p windowlimit-tests -p windowlimit-examples --all-features)

# The frameworks, by real clients, and the examples that are services on them; what is told of decisions; the docs.
step_service() {
    cargo test "${all_features[@]}" --doc
    cargo build "${all_features[@]}" --examples
    BUILT_EXAMPLES=$(examples) \
        cargo test "${all_features[@]}" --test service --test http --test telemetry
}

# Shared windows, on servers of the tests' own: those on the path, or those that WINDOWLIMIT_REDIS_SERVER and
# WINDOWLIMIT_VALKEY_SERVER name. Where one is not installed and cannot be, its tests are reported as ignored.
step_redis() {
    local program
    # The last sets clocks apart.
    for program in redis-server valkey-server faketime; do
        command -v "$program" >/dev/null || install_package "$program"
    done
    cargo test "${all_features[@]}" --test redis
}

# The one that the README starts with, and those that end by themselves; the service is run by the tests, which also
# compare the picture with the one that is committed.
step_examples() {
    cargo run --quiet --example quickstart
    cargo run --quiet --example threads
    if command -v redis-server >/dev/null || command -v valkey-server >/dev/null; then
        cargo run --quiet --example redis
    else
        echo "SKIPPED: the example redis needs redis-server or valkey-server"
    fi
    cargo run --quiet --example windows "${CARGO_TARGET_DIR:-target}/windows.svg"
}

# Threads meet in other ways in optimised code. What is tested is optimised, not all that it depends on.
step_optimised() {
    cargo test -p windowlimit-tests --test stress \
        --config profile.dev.package.windowlimit.opt-level=3 --config profile.dev.package.windowlimit-tests.opt-level=3
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
    cargo package --workspace --exclude windowlimit-tests --exclude windowlimit-ui --exclude windowlimit-examples --allow-dirty
    for file in README.md LICENSE-MIT LICENSE-APACHE CHANGELOG.md; do
        cargo package -p windowlimit --list --allow-dirty | grep -qx "$file" || {
            echo "the package windowlimit lacks $file" >&2
            return 1
        }
    done
}

# Where cargo has put the examples that it built last.
examples() {
    echo "$(cd "${CARGO_TARGET_DIR:-target}" && pwd)/debug/examples"
}

# Installs a package of the system where apt can do so without asking; else goes on without it, and says so.
install_package() {
    if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
        DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq "$1" >/dev/null 2>&1 && return
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq "$1" >/dev/null && return
    fi
    echo "$1 is not installed and cannot be from here: what needs it is skipped" >&2
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
