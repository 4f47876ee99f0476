# SPDX-License-Identifier: BSD-3-Clause
"""Comparisons of whole jobs rather than of one operation."""
import os
import shutil
import statistics
import tempfile

from arguments import FLOW_RANKS
from peers import ROOT, Problem
from rounds import turns
from runs import Failure, environment, run_bench, run_bounded
from tables import lingering

FLOW_INPUT = os.path.join(ROOT, "examples", "flow", "cylinder.conf")


def collect(plan, peers, measure_one):
    """measure_one(peer) gives a dictionary of figures: the rounds' by name, and why some failed."""
    rounds, failed = {peer.name: [] for peer in peers}, {}
    for _, peer in turns(peers, plan.rounds):
        try:
            rounds[peer.name].append(measure_one(peer))
        except Failure as failure:
            failed[peer.name] = str(failure)
    return rounds, failed


def print_medians(heading, columns, rounds, failed):
    """One line a name; columns are (key, title, format)."""
    print("\n%s (medians of the rounds)" % heading)
    print("%-16s" % "" + "".join("  %s" % title for _, title, _ in columns))
    for name, rows in rounds.items():
        cells = ["  %*s" % (len(title), form % statistics.median(row[key] for row in rows)) for key, title, form in columns if rows]
        print("%-16s" % name + "".join(cells) + ("  failed: " + failed[name] if name in failed else ""))


def job_json(test, plan, rounds, failed, lingered):
    medians = {name: {key: statistics.median(row[key] for row in rows) for key in rows[0]} for name, rows in rounds.items() if rows}
    return {"test": test, "ranks": plan.ranks, "bind": plan.bind, "median": medians, "rounds": rounds, "failed": failed,
            "lingered": lingered}


def compare_startup(plan, peers):
    """Wall time from the start of the launcher to its end, with one barrier between."""

    def measure_one(peer):
        results = run_bench(peer, plan, ["startup"], plan.timeout or 120)
        if results["wall_s"] is None:
            raise Failure("it did not end by itself")
        row = results["results"][0]
        return {"wall_s": results["wall_s"], "barrier_ms": row["median_us"] / 1000,
                "resident_MiB": row["resident_bytes"] / 1048576, "largest_MiB": row["resident_bytes_largest"] / 1048576}

    rounds, failed = collect(plan, peers, measure_one)
    print_medians("startup of %d ranks" % plan.ranks, (("wall_s", "      wall s", "%.2f"),
                  ("barrier_ms", "exec to barrier ms", "%.1f"), ("resident_MiB", "resident MiB", "%.1f"),
                  ("largest_MiB", "largest MiB", "%.1f")), rounds, failed)
    return job_json("startup", plan, rounds, failed, {})


def compare_idle(plan, peers):
    """Processor time of the ranks that wait in a barrier, and what that costs the one that computes."""

    lingered = {}

    def measure_one(peer):
        results = run_bench(peer, plan, ["idle"], plan.timeout or 120)
        if results["wall_s"] is None:
            lingered[peer.name] = lingered.get(peer.name, 0) + 1
        row = results["results"][0]
        return {"waiters_cpu_percent": row["waiters_cpu_percent"], "slower_percent": (row["slowdown"] - 1) * 100}

    rounds, failed = collect(plan, peers, measure_one)
    print_medians("idle: one rank computes 2 s, %d wait in a barrier" % (plan.ranks - 1),
                  (("waiters_cpu_percent", "waiters together, % of a core", "%.2f"),
                   ("slower_percent", "computing rank slower by %", "%.1f")), rounds, failed)
    for text in lingering(lingered):
        print(text)
    return job_json("idle", plan, rounds, failed, lingered)


def flow_seconds(plan, tutti, program, ranks, folder):
    words = [tutti.launcher, "-n", str(ranks), program, "--output", os.path.join(folder, "flow.png")]
    words += (["--steps", plan.steps] if plan.steps else []) + [FLOW_INPUT]
    took, said = run_bounded(words, environment(tutti, plan, tutti.settings), plan.timeout or 600)
    return took, [line for line in said.splitlines() if line.startswith("checksum")]


def find_flow(tutti):
    """The example's program."""
    program = os.path.join(os.path.dirname(tutti.program), "flow")
    if not os.access(program, os.X_OK):
        program = shutil.which("flow")
    if not program or not os.path.exists(FLOW_INPUT):
        raise Problem("flow needs the source tree's examples/flow and its program, built, beside tutti-bench")
    return program


def compare_flow(plan, peers):
    """Wall time of the example flow, from the launcher's start to its end, on many ranks and on two in turn."""
    tutti, program = peers[0], find_flow(peers[0])
    rounds, sums, failed = {FLOW_RANKS: [], plan.ranks: []}, set(), {}
    with tempfile.TemporaryDirectory(prefix="tutti-compare-") as folder:
        for _, ranks in turns(list(rounds), plan.rounds):
            try:
                took, said = flow_seconds(plan, tutti, program, ranks, folder)
            except Failure as failure:
                failed[tutti.name] = "on %d ranks: %s" % (ranks, failure)
                continue
            rounds[ranks].append(took)
            sums.update(said)
    if not failed and len(sums) != 1:
        failed[tutti.name] = "the results differ by the number of ranks: %s" % ", ".join(sorted(sums))
    return print_flow(plan, rounds, failed)


def print_flow(plan, rounds, failed):
    few, many = (statistics.median(rounds[ranks]) if rounds[ranks] else None for ranks in (FLOW_RANKS, plan.ranks))
    ratio = many / few if few and many else None
    print("\nflow, whole process (medians of the rounds): "
          + ("%.2f s on %d ranks, %.2f s on %d: ratio %.3f" % (few, FLOW_RANKS, many, plan.ranks, ratio) if ratio else "no ratio"))
    for name, why in failed.items():
        print("%s failed: %s" % (name, why))
    return {"test": "flow", "ranks": plan.ranks, "rounds": rounds, "ratio": ratio, "failed": failed}


JOBS = {"startup": compare_startup, "idle": compare_idle, "flow": compare_flow}
