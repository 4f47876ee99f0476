# SPDX-License-Identifier: BSD-3-Clause
"""The rounds of one test over all libraries."""
import itertools
import sys

import floors
from arguments import MESSAGES
from collectives import COLLECTIVES, REDUCTIONS
from runs import Failure, run_bench
from sizes import expand, list_text, whole_elements
from tables import Series, is_bandwidth, size_json
from verdicts import is_short

# A library this many times slower than the best, at every size, has shown enough in one round.
HOPELESS = 20
# Tests that have one size, and no word of it.
UNSIZED = ("barrier", "fetch-add", "compare-swap")
# Sizes below the least ratio are measured in so many times the rounds again.
AGAIN = 3
# Sizes are begun until a run took this much longer than their --max-time together, and this many seconds at least; a run
# gets so many more seconds to start and to end.
SLACK, LEAST, START = 2, 5, 60


def turns(peers, rounds):
    """(round, peer): every round has all, each time with another one first."""
    for number in range(rounds):
        shift = number % len(peers)
        for peer in peers[shift:] + peers[:shift]:
            yield number, peer


def sizes_of(plan, test, kind):
    """What is measured: what the user asked for, or what is usual for the test; of reductions, whole elements; of bandwidths not
    0 bytes, which have none."""
    usual = "4-1m" if test in COLLECTIVES else "1-8m" if test in MESSAGES else "8-1m"
    sizes = [size for size in expand(plan.sizes or usual) if size > 0 or not is_bandwidth(test)]
    return whole_elements(sizes, kind) if test in REDUCTIONS else sizes


def all_series(plan, tests):
    """The series that the tests, with forms, types and operations, amount to."""
    for test in tests:
        forms = (plan.forms or ["nonblocking" if test == "halo" else "blocking"]) if test in COLLECTIVES + ("halo",) else [None]
        kinds = itertools.product(plan.types, plan.operations) if test in REDUCTIONS else [(None, None)]
        for form, (kind, op) in itertools.product(forms, list(kinds)):
            yield Series(test, form, kind, op)


def time_of(plan, sizes):
    """Seconds after which a run begins no new size."""
    return max(LEAST, SLACK * plan.seconds * len(sizes))


def arguments_of(plan, series, sizes):
    words = [series.test, "--sizes", list_text(sizes), "--max-time", plan.max_time, "--memory", plan.memory]
    words += ["--total-time", "%.3fs" % time_of(plan, sizes)]
    for option, value in (("--form", series.form), ("--type", series.kind), ("--op", series.op), ("--window", plan.window),
                          ("--sync", plan.sync)):
        words += [option, value] if value else []
    return words


def show(plan, series, number, rounds, peer):
    if sys.stderr.isatty():
        print("\r\033[K%s, %d ranks, round %d of %d: %s" % (series.title(), plan.ranks, number + 1, rounds, peer.name),
              end="", file=sys.stderr, flush=True)


def measure_floor(plan, peer, series, sizes):
    """By the loop of the first peer, Tutti's. Where the kernel copies for nobody the floor is without that."""
    if not floors.has_floor(plan, series):
        return
    sized = None if series.test == "barrier" else floors.sizes_of(plan, series.test, sizes)
    ways = floors.ways_of(plan, series.test) if sized else ()
    for tests in (ways, ways[:-1]):
        words = floors.arguments_of(plan, (floors.LINE, floors.MEET) + tests, sized)
        try:
            machine = floors.Machine(run_bench(peer, plan, words, floors.limit_of(plan, sized)))
            series.take_floor(machine, plan, sizes if sized else [None])
            return
        except Failure as failure:
            series.failed["floor"] = str(failure)


def try_one(plan, peer, series, arguments, limit):
    """False where the run failed."""
    try:
        series.take(peer.name, run_bench(peer, plan, arguments, limit))
    except Failure as failure:
        series.failed[peer.name] = str(failure)
        return False
    return True


def run_rounds(plan, peers, series, sizes, rounds):
    """A library that fails twice is not tried again, nor one that is hopeless in the first round."""
    arguments, failures, begun = arguments_of(plan, series, sizes), {}, -1
    limit = plan.timeout or START + 2 * time_of(plan, sizes)
    for number, peer in turns(peers, rounds):
        if number > begun:
            begun = number
            measure_floor(plan, peers[0], series, sizes)
        if number == 1:
            series.give_up_on_hopeless([one.name for one in peers], HOPELESS)
        if failures.get(peer.name, 0) > 1 or peer.name in series.hopeless:
            continue
        show(plan, series, number, rounds, peer)
        failures[peer.name] = failures.get(peer.name, 0) + (not try_one(plan, peer, series, arguments, limit))


def short_sizes(series, peers, least):
    names = [peer.name for peer in peers]
    return [size for size in series.sizes() if is_short(size_json(series, size, names), least)]


def measure(plan, peers, series):
    """All rounds. Of hundreds of sizes some come out low by chance, in few rounds: those have AGAIN times as many more, and
    all rounds count."""
    sizes = sizes_of(plan, series.test, series.kind)
    if not sizes:
        why = "no size is a whole number of %s elements" % series.kind if series.kind else "0 bytes have no bandwidth"
        series.failed = {peer.name: why for peer in peers}
        return
    series.begin(peers, [None] if series.test in UNSIZED else sizes)
    run_rounds(plan, peers, series, sizes, plan.rounds)
    short = short_sizes(series, peers, plan.least) if plan.least else []
    if short:
        run_rounds(plan, peers, series, sizes if short == [None] else short, AGAIN * plan.rounds)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
