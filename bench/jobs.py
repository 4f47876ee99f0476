# SPDX-License-Identifier: BSD-3-Clause
"""Comparisons of whole jobs rather than of one operation."""
import statistics

from rounds import turns
from runs import Failure, run_bench


def compare_startup(plan, peers):
    """Wall time from the start of the launcher to its end, with one barrier between."""
    rounds, failed = {peer.name: [] for peer in peers}, {}
    for _, peer in turns(peers, plan.rounds):
        try:
            results = run_bench(peer, plan, ["startup"], plan.timeout or 120)
            if results["wall_s"] is None:
                raise Failure("it did not end by itself")
            row = results["results"][0]
            rounds[peer.name].append({"wall_s": results["wall_s"], "barrier_ms": row["median_us"] / 1000,
                                      "resident_MiB": row["resident_bytes"] / 1048576,
                                      "largest_MiB": row["resident_bytes_largest"] / 1048576})
        except Failure as failure:
            failed[peer.name] = str(failure)
    print("\nstartup of %d ranks (medians of the rounds)" % plan.ranks)
    print("%-16s %12s %20s %14s %14s" % ("", "wall s", "exec to barrier ms", "resident MiB", "largest MiB"))
    for name, rows in rounds.items():
        cells = [statistics.median(row[key] for row in rows) for key in rows[0]] if rows else None
        print("%-16s " % name + ("%12.2f %20.1f %14.1f %14.1f" % tuple(cells) if cells else
                                 "%12s  %s" % ("failed", failed[name])))
    return {"test": "startup", "ranks": plan.ranks, "rounds": rounds, "failed": failed}
