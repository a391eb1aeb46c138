#!/usr/bin/env bash
# The example `load` under wrk with a hundred connections: what the limit lets through, and what the attribute costs.
# `windowlimit/benches/load.sh [PAIRS [SECONDS]]`
#
# The cost is the ratio of two services that differ by the attribute, one second each by turns, which is taken pair by pair: a
# machine that others use is as busy for one as for the other, mostly. Of many pairs the median is told, with the interval in
# which the true one lies with 95 % (the binomial one, which supposes nothing about how the noise is distributed).
set -euo pipefail
cd "$(dirname "$0")/../.."

pairs=${1:-120}
seconds=${2:-1}
command -v wrk >/dev/null || {
    echo "this needs wrk (Debian: apt-get install wrk)" >&2
    exit 1
}

cargo build --quiet --release --example load -p windowlimit-examples
folder=$(mktemp -d)
PORT=0 "${CARGO_TARGET_DIR:-target}/release/examples/load" >"$folder/service" &
service=$!
trap 'kill $service; rm -rf "$folder"' EXIT
until url=$(sed -n 's/^listening on //p' "$folder/service") && [ -n "$url" ]; do sleep 0.1; done

# What wrk sees of each answer: one thread, so that the counts are of one state.
cat >"$folder/statuses.lua" <<'LUA'
local threads = {}
function setup(thread) table.insert(threads, thread) end
function init() statuses = '' seen = {} end
function response(status)
  seen[status] = (seen[status] or 0) + 1
  statuses = ''
  for each, count in pairs(seen) do statuses = statuses .. ' ' .. each .. ':' .. count end
end
function done() for _, thread in ipairs(threads) do io.write('statuses', thread:get('statuses'), '\n') end end
LUA
echo "== /limited: a thousand a second, 5 s"
wrk -t1 -c100 -d5s -s "$folder/statuses.lua" "$url/limited" | grep -E '^statuses|Socket errors'
echo "the service: $(python3 -c 'import sys, urllib.request as r; print(r.urlopen(sys.argv[1]).read().decode().strip())' "$url/records")"

echo "== /plain and /never by turns, $pairs pairs, $seconds s each"
URL=$url SERVICE=$service PAIRS=$pairs SECONDS_EACH=$seconds python3 - <<'PYTHON'
import glob, math, os, re, statistics, subprocess

url, service = os.environ["URL"], os.environ["SERVICE"]
pairs, seconds = int(os.environ["PAIRS"]), int(os.environ["SECONDS_EACH"])


def processor():
    """The nanoseconds that the service's threads have run, of the kernel for them included."""
    return sum(int(open(path).read().split()[0]) for path in glob.glob(f"/proc/{service}/task/*/schedstat"))


def load(path):
    before = processor()
    said = subprocess.run(
        ["wrk", "-t1", "-c100", f"-d{seconds}s", f"{url}/{path}"], capture_output=True, text=True, check=True
    ).stdout
    used = processor() - before
    requests = int(re.search(r"(\d+) requests in", said)[1])
    if requests == 0:
        # Others had the machine for all of that time.
        return load(path)
    assert "Non-2xx" not in said, said
    rate = float(re.search(r"Requests/sec: +([\d.]+)", said)[1])
    return rate, used / requests / 1000


def interval(values):
    """The median, and the order statistics between which it lies with 95 %."""
    values, n = sorted(values), len(values)
    below, chance = 0, 0.5**n
    while chance + math.comb(n, below + 1) * 0.5**n <= 0.025:
        below += 1
        chance += math.comb(n, below) * 0.5**n
    return statistics.median(values), values[below], values[n - 1 - below]


load("plain"), load("never")
runs = []
for pair in range(pairs):
    # Whoever goes first goes second in the next pair.
    order = ("plain", "never") if pair % 2 == 0 else ("never", "plain")
    runs.append({path: load(path) for path in order})
for place, what in enumerate(("requests a second", "microseconds of the processor for a request")):
    plain, never = ([run[path][place] for run in runs] for path in ("plain", "never"))
    ratio, low, high = interval([after / before for before, after in zip(plain, never)])
    print(
        f"{what}: plain {statistics.median(plain):.4g}, with the attribute {statistics.median(never):.4g}, "
        f"ratio {ratio:.4f}, with 95 % between {low:.4f} and {high:.4f}"
    )
PYTHON
