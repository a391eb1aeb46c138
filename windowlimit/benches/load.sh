#!/usr/bin/env bash
# The example `load` under oha with a hundred connections: what the limit lets through, and what the attribute costs.
# `windowlimit/benches/load.sh [SECONDS [ROUNDS]]`
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:-10}
rounds=${2:-5}
command -v oha >/dev/null || {
    echo "this needs oha: cargo install oha" >&2
    exit 1
}

cargo build --quiet --release --example load -p windowlimit-examples
: >"${TMPDIR:-/tmp}/load.$$"
PORT=0 "${CARGO_TARGET_DIR:-target}/release/examples/load" >"${TMPDIR:-/tmp}/load.$$" &
service=$!
trap 'kill $service; rm -f "${TMPDIR:-/tmp}/load.$$"' EXIT
until url=$(sed -n 's/^listening on //p' "${TMPDIR:-/tmp}/load.$$") && [ -n "$url" ]; do sleep 0.1; done

load() {
    oha --no-tui --output-format json -c 100 -z "${2:-$seconds}s" --wait-ongoing-requests-after-deadline "$url/$1"
}

echo "== /limited: a thousand a second, $seconds s"
load limited | python3 -c 'import json, sys; print("statuses", json.load(sys.stdin)["statusCodeDistribution"])'
echo "the service: $(python3 -c 'import sys, urllib.request as r; print(r.urlopen(sys.argv[1]).read().decode().strip())' "$url/records")"

echo "== /plain and /never by turns, $rounds times, $seconds s each"
load plain 2 >/dev/null
load never 2 >/dev/null
for round in $(seq "$rounds"); do
    for path in plain never; do
        # Of the service alone, in ticks of 10 ms: user and system, the fourteenth and fifteenth field.
        before=$(cut -d ' ' -f 14,15 "/proc/$service/stat")
        run=$(load "$path" | python3 -c '
import json, sys
run = json.load(sys.stdin)
print(run["summary"]["requestsPerSec"], sum(run["statusCodeDistribution"].values()), *run["statusCodeDistribution"])')
        echo "$path $before $(cut -d ' ' -f 14,15 "/proc/$service/stat") $run"
    done
done | python3 -c '
import statistics, sys
rates, costs = {"plain": [], "never": []}, {"plain": [], "never": []}
for line in sys.stdin:
    path, user, system, user_after, system_after, rate, requests, *statuses = line.split()
    assert statuses == ["200"], statuses
    ticks = int(user_after) + int(system_after) - int(user) - int(system)
    rates[path].append(float(rate))
    costs[path].append(ticks * 10_000 / int(requests))
for what, each in ("requests a second", rates), ("microseconds of the processor for a request", costs):
    for path in each:
        print(what + ",", path + ":", *(f"{one:.4g}" for one in each[path]), "median", f"{statistics.median(each[path]):.4g}")
    ratios = sorted(never / plain for plain, never in zip(each["plain"], each["never"]))
    print(what + ", never to plain:", *(f"{ratio:.3f}" for ratio in ratios), "median", f"{statistics.median(ratios):.3f}")
'
