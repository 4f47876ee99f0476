# SPDX-License-Identifier: BSD-3-Clause
"""The floor under a test's time: what the machine takes for the least that any library has to do, measured in the same
rounds by tutti-bench's floor tests.

Ranks have to meet, or one has to hear of another; and bytes have to be copied, by as many cores as there are. Nobody can
read another process's plain memory: either the kernel copies, or its owner lays a copy where both can read, as often as it
has different data, and the other copies from there. No library can be quicker, and none has to be able to be as quick.

Where all ranks exchange parts at once, what that costs in processors, caches and memory follows from no single copy: there
the whole exchange is measured, with no library (suite_floor_exchange.c). A library that does better is below 1."""
from collections import namedtuple

from collectives import rows
from sizes import list_text

LINE, MEET, COPY, KERNEL, PASS, WAKE = "floor-line", "floor-meet", "floor-copy", "floor-kernel", "floor-pass", "floor-wake"
EXCHANGE_PASS, EXCHANGE_KERNEL = "floor-%s-pass", "floor-%s-kernel"
PIECE = 64 << 10      # of floor-pass, after each of which a line goes there and one back
MOST_S = 0.02         # longest time per size
LIMIT_S = 60          # of a run beyond that
MOST_BYTES = 16 << 20  # copied at once; more is taken to last as much longer
REACHED = 1.15        # times the floor, or less: at the floor

# Blocks copied among n ranks: within a rank's own memory; laid where others can read; taken from others. Apart: each of
# these is another one's data and goes to a place of its own, so what does not fit into the caches comes from memory.
Work = namedtuple("Work", "own shown taken apart", defaults=(False,))


def beside(n):
    """Of a rank's four neighbours on the grid of the halo exchange (bench_halo_rows()): itself; ranks that are among them
    before; others."""
    lines = max(lines for lines in range(1, n + 1) if lines * lines <= n and n % lines == 0)
    own = again = 0
    for length in (lines, n // lines):
        own += 2 * (length == 1)
        again += length == 2
    return own, again, 4 - own - again


def work_of_neighbours(n, which):
    own, again, others = beside(n)
    if which == "WHOLE":
        return Work((own + again) * n, n if others else 0, others * n)
    return Work(own * n, (again + others) * n, (again + others) * n)


def work_of_all(n, what, which):
    """From each to each."""
    if which in ("UP_TO", "BELOW"):
        return Work(0, 0, n - 1)
    if what == "ELEMENTS":
        return Work(0, n - 1, 2 * (n - 1)) if which == "WHOLE" else Work(0, n * (n - 1), n * (n - 1))
    return Work(n, n, n * (n - 1)) if which == "WHOLE" else Work(n, n * (n - 1), n * (n - 1))


def work_of(n, what, source, target, which):
    """Of a collective of the table. What a rank has for itself is copied as well, where there is another buffer for it."""
    which = which.replace("_BY_TABLE", "")
    if what == "NOTHING":
        return Work(0, 0, 0)
    if source == "BESIDE":
        return work_of_neighbours(n, which)
    if (source, target) == ("EACH", "EACH"):
        return work_of_all(n, what, which)
    if (source, which) == ("ROOT", "WHOLE"):
        return Work(0, 1, n - 1)
    return Work(int(what == "BYTES"), n - 1, n - 1, what == "BYTES")


def meets(source, target, which):
    """Whether no rank can leave before all have come."""
    return source == target == "EACH" and which not in ("UP_TO", "BELOW")


# (whether all meet, the work of n ranks)
NEEDS = {name: (meets(*row), lambda n, row=row, what=what: work_of(n, what, *row)) for name, what, *row in rows()}
NEEDS.update({"latency": (False, lambda n: Work(0, 1, 1)), "halo": (False, lambda n: work_of_neighbours(n, "SHARE"))})


# Those that a barrier is timed with by --sync iteration: neighbours and pairs keep each other in step without.
BEHIND_BARRIERS = {name for name, _, source, *_ in rows() if source != "BESIDE"}


def is_exchange(what, source, target, which):
    return what == "BYTES" and source == target and source != "ROOT" and which.startswith("SHARE")


# The tests that are exchanges, and which one of those without a library is like them.
EXCHANGES = {name: "halo" if row[1] == "BESIDE" else "alltoall" for name, *row in rows() if is_exchange(*row)}
EXCHANGES["halo"] = "halo"


def on_this_machine(plan):
    """Not where other machines or launchers are in it, nor of one rank, which meets nobody."""
    return plan.ranks > 1 and not plan.hosts and not plan.start


def has_floor(plan, series):
    return series.test in NEEDS and on_this_machine(plan)


def cores_used(plan):
    return min(plan.ranks, plan.cores)


def work_in(plan, test):
    return NEEDS[test][1](plan.ranks)


def bytes_of_core(plan, test, size):
    """What each core takes from other ranks in the test."""
    return work_in(plan, test).taken * size // cores_used(plan)


def sizes_of(plan, test, sizes):
    """What is to be copied by the floor tests: blocks, and as much as each core has of them where they are apart; in an
    exchange, the parts."""
    if test in EXCHANGES:
        return sorted({size for size in sizes if size > 0})
    whole = [bytes_of_core(plan, test, size) for size in sizes] if work_in(plan, test).apart else []
    return sorted({min(size, MOST_BYTES) for size in sizes + whole if size > 0})


def ways_of(plan, test):
    """The floor tests by which bytes are copied, the kernel's last. Nobody passes them where ranks take turns on a core."""
    if test in EXCHANGES:
        return (COPY, EXCHANGE_PASS % EXCHANGES[test], EXCHANGE_KERNEL % EXCHANGES[test])
    return (COPY, PASS, KERNEL) if plan.ranks <= plan.cores else (COPY, KERNEL)


def sync_of(plan):
    """How the floor tests are started: as the others are; but a barrier that is timed with them would be the library's."""
    return "none" if plan.sync == "iteration" else plan.sync


def arguments_of(plan, tests, sizes):
    words = list(tests) + ["--max-time", "%.0fus" % max(1, min(plan.seconds, MOST_S) * 1e6)]
    return words + (["--sizes", list_text(sizes)] if sizes else []) + (["--sync", sync_of(plan)] if plan.sync else [])


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

    def of(self, test, size):
        """Of a copy of that size; endless where there is no such way."""
        if size == 0:
            return 0
        if test not in self.times:
            return float("inf")
        measured = size if size in self.times[test] else MOST_BYTES
        return self.times[test][measured] * size / measured

    def passed(self, plan, size):
        """Laid by one rank and taken by another: out of the other core's cache, but of ranks that take turns on a core."""
        warm = 2 * self.of(COPY, size)
        if plan.ranks > plan.cores:
            return warm
        return max(warm, self.of(PASS, size) - 2 * self.only(LINE) * -(-size // PIECE))

    def copied(self, plan, test, size):
        """The shortest way: laid and taken, copied by the kernel, or taken at once out of memory that all can read."""
        work, cores = work_in(plan, test), cores_used(plan)
        block = self.of(COPY, size) / cores
        whole = bytes_of_core(plan, test, size)
        laid = work.shown * self.passed(plan, size) / cores + (work.taken - work.shown) * block
        kernel = self.of(KERNEL, whole) if work.apart else work.taken * self.of(KERNEL, size) / cores
        read = self.of(COPY, whole) if work.apart else work.taken * block
        ways = [max(laid, read), kernel] + [read] * (plan.memory == "shared")
        return work.own * block + min(ways)

    def exchanged(self, plan, test, size, meeting):
        """The shorter way; or parts taken at once out of memory that all can read."""
        ways = [self.of(way % EXCHANGES[test], size) for way in (EXCHANGE_PASS, EXCHANGE_KERNEL)]
        work, block = work_in(plan, test), self.of(COPY, size) / cores_used(plan)
        return min(ways + [meeting + (work.own + work.taken) * block] * (plan.memory == "shared"))

    def began(self, plan, test):
        """The barrier of an iteration. Where ranks share cores each hears of its end, and of another rank, in one turn."""
        if plan.sync != "iteration" or test not in BEHIND_BARRIERS:
            return 0
        together = plan.ranks > plan.cores and not NEEDS[test][0]
        return self.only(MEET) - (self.heard(plan) if together else 0)

    def floor(self, plan, test, size):
        """us of the test at that size, which is None for what has none."""
        meeting = self.only(MEET) if NEEDS[test][0] else self.heard(plan)
        if size and test in EXCHANGES:
            return self.began(plan, test) + self.exchanged(plan, test, size, meeting)
        return self.began(plan, test) + meeting + (self.copied(plan, test, size) if size else 0)
