# SPDX-License-Identifier: BSD-3-Clause
"""Tutti's latency beside libfabric's own fi_pingpong, on the same provider, the same two hosts, pinned alike."""
import os
import shutil
import statistics
import subprocess
import time

from peers import ROOT, Problem
from runs import Failure, end, run_bench, run_bounded
from sizes import expand

SERVER = "10.77.0.2"  # host2 of tests/hosts/with-hosts; the decoy interfaces must not be taken
ITERATIONS = 10000


def limit_of(plan):
    return plan.timeout or 60 + 60 * plan.seconds


def fi_words(plan, size):
    iterations = max(100, min(ITERATIONS, (1 << 28) // max(size, 1)))
    words = ["fi_pingpong", "-e", "rdm", "-p", plan.provider, "-m", "tagged", "-I", str(iterations), "-S", str(size)]
    return words + (["-d", "eth0"] if plan.hosts and plan.provider != "shm" else [])


def usec_per_transfer(output):
    """The column of that name: half the round trip, in the mean."""
    lines = [line.split() for line in output.splitlines() if line.strip()]
    for head, row in zip(lines, lines[1:]):
        if "usec/xfer" in head:
            return float(row[head.index("usec/xfer")])
    raise Failure("fi_pingpong: no result in: " + " ".join(output.split())[:200])


def fi_pingpong(plan, size):
    enter = [os.path.join(ROOT, "tests", "hosts", "hosts-enter")] if plan.hosts else []
    server = subprocess.Popen((enter + ["host2"] if enter else []) + fi_words(plan, size), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        time.sleep(0.5)  # until it listens
        client = (enter + ["host1"] if enter else []) + fi_words(plan, size) + [SERVER if enter else "127.0.0.1"]
        _, output = run_bounded(client, dict(os.environ), limit_of(plan))
        return usec_per_transfer(output)
    finally:
        if server.poll() is None:
            end(server)


def tutti_latency(plan, tutti, size):
    extra = {"TUTTI_PROVIDER": plan.provider, "TUTTI_TRANSPORT": "fabric"}
    results = run_bench(tutti, plan, ["latency", "--sizes", str(size), "--max-time", plan.max_time], limit_of(plan), extra)
    return results["results"][0]["mean_us"]


def one_size(plan, tutti, size):
    """The rounds of both, in turn."""
    rounds = {"fi_pingpong": [], "Tutti": []}
    measures = [("fi_pingpong", lambda: fi_pingpong(plan, size)), ("Tutti", lambda: tutti_latency(plan, tutti, size))]
    failed = {}
    for number in range(plan.rounds):
        for name, measure in measures if number % 2 == 0 else measures[::-1]:
            try:
                rounds[name].append(measure())
            except Failure as failure:
                failed[name] = str(failure)
    return rounds, failed


def compare_pingpong(plan, tutti):
    """Prints the table; both sides are means over a run, for fi_pingpong gives no median."""
    if not shutil.which("fi_pingpong"):
        raise Problem("fi_pingpong is missing: apt install libfabric-bin")
    if plan.ranks != 2:
        raise Problem("pingpong takes two ranks: leave -n out, or --hosts 2x1")
    found, ratios = [], []
    print("half round trip over %s (us, median of %d rounds' means)" % (plan.provider, plan.rounds))
    print("%8s %14s %14s %18s" % ("bytes", "fi_pingpong", "Tutti", "Tutti/fi_pingpong"))
    for size in expand(plan.sizes or "8-1m"):
        rounds, failed = one_size(plan, tutti, size)
        middle = {name: statistics.median(values) if values else None for name, values in rounds.items()}
        ratio = middle["Tutti"] / middle["fi_pingpong"] if all(middle.values()) else None
        cells = ["%.2f" % value if value else "failed" for value in middle.values()]
        print("%8d %14s %14s %18s" % (size, *cells, "%.2f" % ratio if ratio else ""), flush=True)
        for name, why in failed.items():
            print("%8s %s: %s" % ("", name, why))
        ratios += [ratio] if ratio else []
        found.append({"test": "pingpong", "provider": plan.provider, "bytes": size, "rounds": rounds, "ratio": ratio,
                      "failed": failed})
    if len(ratios) > 1:
        print("%8s median over sizes %.2f, highest %.2f" % ("", statistics.median(ratios), max(ratios)))
    return found
