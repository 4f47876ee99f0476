# SPDX-License-Identifier: BSD-3-Clause
"""The floor under a test's time: what the machine takes for the least that any library has to do, measured in the same
rounds by tutti-bench's floor tests.

Ranks have to meet, or one has to hear of another; and bytes have to be copied, by as many cores as there are, each in the
shorter one of the ways there are: memcpy() in a warm cache, or the kernel's. No library can be quicker, and none has to be
able to be as quick."""
from collectives import rows
from sizes import list_text

LINE, MEET, COPY, KERNEL, WAKE = "floor-line", "floor-meet", "floor-copy", "floor-kernel", "floor-wake"
WAYS = 4          # of the halo exchange
MOST_S = 0.02     # longest time per size
LIMIT_S = 60      # of a run beyond that
REACHED = 1.15    # times the floor, or less: at the floor


def blocks_of(what, source, target, which):
    """How many blocks are copied among n ranks, in a collective of the table. What a rank has for itself is copied as well."""
    one_buffer = (source, target, which) == ("ROOT", "EACH", "WHOLE")
    if what == "NOTHING":
        return lambda n: 0
    if source == "BESIDE":
        return lambda n: WAYS * n
    if which in ("UP_TO", "BELOW") or one_buffer or (what, target) == ("ELEMENTS", "ROOT"):
        return lambda n: n - 1
    if "ROOT" in (source, target):
        return lambda n: n
    if what == "ELEMENTS":
        return lambda n: 2 * (n - 1) if which == "WHOLE" else n * (n - 1)
    return lambda n: n * n


def meets(source, target, which):
    """Whether no rank can leave before all have come."""
    return source == target == "EACH" and which not in ("UP_TO", "BELOW")


NEEDS = {name: (meets(*row), blocks_of(what, *row)) for name, what, *row in rows()}
NEEDS.update({"latency": (False, lambda n: 1), "halo": (False, lambda n: WAYS * n)})


def on_this_machine(plan):
    """Not where other machines or launchers are in it."""
    return not plan.hosts and not plan.start


def has_floor(plan, series):
    return series.test in NEEDS and on_this_machine(plan)


def arguments_of(plan, tests, sizes):
    words = list(tests) + ["--max-time", "%.3fs" % min(plan.seconds, MOST_S)]
    return words + (["--sizes", list_text(sizes)] if sizes else []) + (["--sync", plan.sync] if plan.sync else [])


def limit_of(plan, sizes):
    return plan.timeout or LIMIT_S + MOST_S * 10 * len(sizes or [0])


class Machine:
    """What one run of the floor tests has found, in us: times[test][bytes]."""

    def __init__(self, results):
        self.times = {}
        for row in results["results"]:
            self.times.setdefault(row["test"], {})[row.get("bytes")] = row["median_us"]

    def only(self, test):
        """Of a test of no size; None: it was not measured."""
        return next(iter(self.times.get(test, {}).values()), None)

    def heard(self, plan):
        """One rank hears of another. Ranks that share cores need theirs once each, and to meet twice: to come and to go."""
        return self.only(LINE) if plan.ranks <= plan.cores else self.only(MEET) / 2

    def copied(self, size):
        times = [self.times[test][size] for test in (COPY, KERNEL) if size in self.times.get(test, {})]
        return min(times) if times else 0

    def floor(self, plan, test, size):
        """us of the test at that size, which is None for what has none."""
        all_meet, blocks = NEEDS[test]
        meeting = self.only(MEET) if all_meet else self.heard(plan)
        return meeting + blocks(plan.ranks) * self.copied(size) / min(plan.ranks, plan.cores)
