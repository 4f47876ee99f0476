# SPDX-License-Identifier: BSD-3-Clause
"""What must hold among the times of one library: no cliffs between sizes, and no collective slower than others that could
stand in for it. (Hunold, Carpen-Amarie, Träff and others call such rules performance guidelines.)"""
import statistics

from collectives import OF_PARTS, REDUCTIONS
from sizes import ELEMENT_BYTES, size_text

# bytes x ranks that collectives of parts are measured up to: some rank holds as much.
PARTS_BYTES = 8 << 20
SMALL = 8  # bytes of the allreduce that a barrier must not be slower than


class Relation:
    """The time of `left` is at most `factor` times the sum of those of `right`; all are (test, bytes)."""

    def __init__(self, left, right, factor):
        self.left, self.right, self.factor = left, right, factor

    def terms(self):
        return [self.left] + self.right

    def ratio(self, times):
        """Left over the sum of the right, by a dictionary of times; None where one is missing."""
        if any(term not in times for term in self.terms()):
            return None
        return times[self.left] / sum(times[term] for term in self.right)

    def is_broken(self, ratio):
        return ratio is not None and ratio > self.factor


def sizes_around(powers, test, kind, ranks):
    """Each size with its neighbours, a byte less and more (of reductions, which take whole elements, an element): a way
    that ends at a limit shows there. And half as much again, for what lies between limits."""
    step = ELEMENT_BYTES[kind] if test in REDUCTIONS else 1
    found = {size + shift for size in powers for shift in (-step, 0, step, size // 2) if (size + shift) % step == 0}
    largest = PARTS_BYTES // ranks if test in OF_PARTS else max(powers) + step
    return sorted(size for size in found if step <= size <= largest)


def cliffs(test, sizes, factor):
    """No size is much slower than the next larger one: it could be padded."""
    return [Relation((test, small), [(test, large)], factor) for small, large in zip(sizes, sizes[1:])]


def doublings(test, sizes, factor):
    """No size is much slower than two of half of it, or of the next smaller one if that is more: it could be cut in two."""
    found = []
    for below, large in zip(sizes, sizes[1:]):
        smaller = {small for small in (below, large // 2) if small in sizes and 2 * small >= large}
        found += [Relation((test, large), [(test, small)], factor) for small in sorted(smaller)]
    return found


# Each of the first does nothing that the second does not do of the same size; those with tables of parts include those
# without, since all parts are of one size here.
LESS = (("bcast", "allreduce"), ("reduce", "allreduce"), ("exscan", "scan"), ("gather", "allgather"), ("allgather", "alltoall"),
        ("scatter", "alltoall"), ("gatherv", "allgatherv"), ("scatterv", "alltoallv"), ("allgatherv", "alltoallv"),
        ("gather", "gatherv"), ("scatter", "scatterv"), ("allgather", "allgatherv"), ("alltoall", "alltoallv"),
        ("alltoallv", "alltoallw"), ("reduce_scatter_block", "reduce_scatter"), ("neighbor_allgather", "neighbor_alltoall"),
        ("neighbor_allgather", "neighbor_allgatherv"), ("neighbor_alltoall", "neighbor_alltoallv"),
        ("neighbor_alltoallv", "neighbor_alltoallw"))
# The second has the parts of all ranks as one.
LESS_THAN_OF_ALL = (("scatter", "bcast"), ("scatterv", "bcast"), ("reduce_scatter_block", "allreduce"), ("reduce_scatter", "allreduce"))
# Not the same work: a result of its own for each rank, where ranks of a node may each combine half of what there is. So
# much more of a time is allowed than for the others.
ALMOST, ALMOST_FACTOR = (("scan", "allreduce"),), 1.5


def stand_ins(powers, tests, factor, ranks):
    """No collective is slower than others that do its work. Of sizes beyond the largest of the powers nothing is said."""
    found = []
    for size in powers:
        if {"allreduce", "reduce", "bcast"} <= tests:
            found.append(Relation(("allreduce", size), [("reduce", size), ("bcast", size)], factor))
        found += [Relation((less, size), [(more, size)], factor) for less, more in LESS if {less, more} <= tests]
        found += [Relation((less, size), [(more, size)], factor * ALMOST_FACTOR) for less, more in ALMOST if {less, more} <= tests]
        if size * ranks <= max(powers):
            found += [Relation((less, size), [(more, size * ranks)], factor) for less, more in LESS_THAN_OF_ALL
                      if {less, more} <= tests]
    if {"barrier", "allreduce"} <= tests and SMALL in powers:
        found.append(Relation(("barrier", None), [("allreduce", SMALL)], factor))
    return found


def takes_whole_elements(relation, kind):
    """Reductions cannot be asked about other sizes."""
    return all(test not in REDUCTIONS or size % ELEMENT_BYTES[kind] == 0 for test, size in relation.terms() if size is not None)


def sizes_of_terms(relations, test):
    """Sizes of a test that relations speak of."""
    return {size for relation in relations for name, size in relation.terms() if name == test and size is not None}


def term_text(term):
    test, size = term
    return test if size is None else "%s of %s" % (test, size_text(size))


def verdict(relation, rounds):
    """The medians of interleaved rounds, each a dictionary of times: (ratio, {term: time}). The ratio is the median of the
    rounds' own, so that a machine that slows down meanwhile slows both sides."""
    ratios = [relation.ratio(times) for times in rounds]
    times = {term: statistics.median(one[term] for one in rounds) for term in relation.terms()}
    return statistics.median(ratios), times


def breach_text(ranks, relation, ratio, times):
    left = "%s takes %.2f us" % (term_text(relation.left), times[relation.left])
    right = " + ".join("%s (%.2f us)" % (term_text(term), times[term]) for term in relation.right)
    return "%2d ranks: %s, %.2f times %s; %.2f times is allowed" % (ranks, left, ratio, right, relation.factor)
