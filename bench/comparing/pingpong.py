# SPDX-License-Identifier: BSD-3-Clause
"""Tutti's latency beside ping-pongs on libfabric alone, on the same provider, the same two hosts, pinned alike: libfabric's own
fi_pingpong, and examples/ofi/pingpong_rdm where it has been built."""
import os
import shutil
import statistics
import subprocess
import time

from ending import Hold
from peers import ROOT, Problem
from processors import cores_apart
from runs import Failure, end, run_bench, run_bounded
from sizes import expand

SERVER = "10.77.0.2"  # host2 of tests/hosts/with-hosts; the decoy interfaces must not be taken
ITERATIONS = 40000
BYTES = 1 << 30  # all iterations of a size together, each way


def limit_of(plan):
    return plan.timeout or 60 + 60 * plan.seconds


def iterations_of(size):
    """The same for all: connections grow faster for the first some thousand messages."""
    return str(max(100, min(ITERATIONS, BYTES // max(size, 1))))


def fi_words(plan, size):
    words = ["fi_pingpong", "-e", "rdm", "-p", plan.provider, "-m", "tagged", "-I", iterations_of(size), "-S", str(size)]
    return words + (["-d", "eth0"] if plan.hosts and plan.provider != "shm" else [])


class Bare:
    """A ping-pong on libfabric alone: its name, the words of either side, and whether its server says that it listens."""

    def __init__(self, name, words, tells):
        self.name, self.words, self.tells = name, words, tells


def find_bare(tutti):
    """Those that are here, the one that ratios refer to first."""
    program = os.path.join(os.path.dirname(tutti.program), "pingpong_rdm")
    found = []
    if shutil.which("fi_pingpong"):
        found.append(Bare("fi_pingpong", fi_words, False))
    if os.access(program, os.X_OK):
        found.append(Bare("pingpong_rdm", lambda plan, size: [program, "-p", plan.provider, "-n", iterations_of(size),
                                                               "-s", str(size)], True))
    if not found:
        raise Problem("there is no ping-pong on libfabric alone: apt install libfabric-bin (fi_pingpong), or build Tutti's tree "
                      "(pingpong_rdm)")
    return found


def usec_per_transfer(output):
    """The column of that name: half the round trip, in the mean."""
    lines = [line.split() for line in output.splitlines() if line.strip()]
    for head, row in zip(lines, lines[1:]):
        if "usec/xfer" in head:
            return float(row[head.index("usec/xfer")])
    raise Failure("no result in: " + " ".join(output.split())[:200])


def await_listener(bare, server):
    if not bare.tells:
        time.sleep(0.5)
    elif not server.stdout.readline():
        raise Failure("the server of %s ended at once" % bare.name)


def sides_of(plan):
    """The words before those of server and client: into its host, which is pinned; else onto a core of its own, as Tutti's ranks
    are by their launcher."""
    if plan.hosts:
        enter = os.path.join(ROOT, "tests", "hosts", "hosts-enter")
        return [enter, "host2"], [enter, "host1"]
    if plan.bind != "core" or not shutil.which("taskset"):
        plan.bind = "none"
        return [], []
    cores = cores_apart()
    return ["taskset", "-c", cores[1]], ["taskset", "-c", cores[0]]


def bare_latency(plan, bare, size):
    server_side, client_side = sides_of(plan)
    words, server = bare.words(plan, size), None
    try:
        with Hold():
            server = subprocess.Popen(server_side + words, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE if bare.tells else subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                      start_new_session=True)
        await_listener(bare, server)
        client = client_side + words + [SERVER if plan.hosts else "127.0.0.1"]
        _, output = run_bounded(client, dict(os.environ), limit_of(plan))
        return usec_per_transfer(output)
    finally:
        if server and server.poll() is None:
            end(server)
        if server and server.stdout:
            server.stdout.close()


def tutti_latency(plan, tutti, size):
    extra = {"TUTTI_PROVIDER": plan.provider, "TUTTI_TRANSPORT": "fabric"}
    results = run_bench(tutti, plan, ["latency", "--sizes", str(size), "--iterations", iterations_of(size)],
                        limit_of(plan), extra)
    return results["results"][0]["mean_us"]


def one_size(plan, peers, bare, size):
    """The rounds of all, in turn."""
    measures = [(one.name, lambda one=one: bare_latency(plan, one, size)) for one in bare]
    measures += [(tutti.name, lambda tutti=tutti: tutti_latency(plan, tutti, size)) for tutti in peers]
    rounds = {name: [] for name, _ in measures}
    failed = {}
    for number in range(plan.rounds):
        for name, measure in measures if number % 2 == 0 else measures[::-1]:
            try:
                rounds[name].append(measure())
            except Failure as failure:
                failed[name] = str(failure)
    return rounds, failed


def compare_pingpong(plan, peers, found):
    """Prints the table, of Tutti, the first of the peers, and its variants, and adds it to what was found; all are means over a run,
    for fi_pingpong gives no median. The ratio is Tutti's."""
    if plan.ranks != 2:
        raise Problem("pingpong takes two ranks: leave -n out, or --hosts 2x1")
    bare = find_bare(peers[0])
    sides_of(plan)  # before the first run of Tutti: bound alike, or not at all
    base = bare[0].name
    ratios = []
    print("half round trip over %s (us, median of %d rounds' means)" % (plan.provider, plan.rounds))
    print("%8s" % "bytes" + "".join(" %14s" % name for name in [one.name for one in bare + peers])
          + " %18s" % ("Tutti/" + base))
    for size in expand(plan.sizes or "8-1m"):
        rounds, failed = one_size(plan, peers, bare, size)
        middle = {name: statistics.median(values) if values else None for name, values in rounds.items()}
        ratio = middle["Tutti"] / middle[base] if middle["Tutti"] and middle[base] else None
        cells = ["%.2f" % value if value else "failed" for value in middle.values()]
        print("%8d" % size + "".join(" %14s" % cell for cell in cells) + " %18s" % ("%.2f" % ratio if ratio else ""), flush=True)
        for name, why in failed.items():
            print("%8s %s: %s" % ("", name, why))
        ratios += [ratio] if ratio else []
        found.append({"test": "pingpong", "provider": plan.provider, "bytes": size, "rounds": rounds, "base": base,
                      "ratio": ratio, "failed": failed})
    if len(ratios) > 1:
        print("%8s median over sizes %.2f, highest %.2f" % ("", statistics.median(ratios), max(ratios)))
