#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Unit tests of bench/comparing/relations.py: the rules that Tutti's own times keep."""
import os
import re
import sys
import unittest

sys.dont_write_bytecode = True
from given import ROOT  # noqa: E402
from collectives import COLLECTIVES  # noqa: E402
import relations  # noqa: E402


class Relations(unittest.TestCase):
    def test_sizes_and_their_neighbours(self):
        self.assertEqual(relations.sizes_around([1, 8, 64], "bcast", "float", 2), [1, 2, 7, 8, 9, 12, 63, 64, 65])
        self.assertEqual(relations.sizes_around([1, 4, 32, 64], "reduce", "float", 2), [4, 8, 28, 32, 36, 48, 60, 64, 68])
        for test in "allgather", "scatter", "alltoall", "reduce_scatter_block":
            self.assertEqual(relations.sizes_around([1 << 20], test, "float", 32), [])

    def test_every_collective_has_its_rules(self):
        """A row of the table that the lists do not find, or a name in the rules that no row has, would be left out unseen."""
        with open(os.path.join(ROOT, "bench", "collectives_measured.h"), encoding="utf-8") as table:
            self.assertEqual(len(COLLECTIVES), len(re.findall(r"^COLLECTIVE\(", table.read(), re.M)))
        named = {name for pair in relations.LESS + relations.LESS_THAN_OF_ALL + relations.ALMOST for name in pair}
        self.assertEqual(named | {"barrier"}, set(COLLECTIVES))

    def test_rules(self):
        rules = relations.stand_ins([8, 64], {"barrier", "bcast", "reduce", "allreduce"}, 1.1, 4)
        self.assertEqual(len(rules), 7)
        self.assertEqual(relations.stand_ins([8], {"barrier", "bcast"}, 1.1, 4), [])
        rules = relations.stand_ins([8], {"gather", "allgather", "scan", "exscan"}, 1.1, 4)
        self.assertEqual([(rule.left, rule.right) for rule in rules],
                         [(("exscan", 8), [("scan", 8)]), (("gather", 8), [("allgather", 8)])])
        rule, = relations.stand_ins([8, 64], {"scatter", "bcast"}, 1.1, 3)
        self.assertEqual((rule.left, rule.right), (("scatter", 8), [("bcast", 24)]))
        self.assertEqual(relations.sizes_of_terms([rule], "bcast"), {24})
        rule, = relations.stand_ins([8], {"scan", "allreduce"}, 1.1, 3)
        self.assertAlmostEqual(rule.factor, 1.65)
        self.assertFalse(relations.takes_whole_elements(relations.Relation(("scatter", 1), [("allreduce", 2)], 1.1), "float"))
        self.assertTrue(relations.takes_whole_elements(relations.Relation(("barrier", None), [("allreduce", 8)], 1.1), "double"))
        self.assertTrue(relations.takes_whole_elements(relations.Relation(("gather", 1), [("allgather", 1)], 1.1), "double"))
        rule, = relations.cliffs("bcast", [7, 8], 1.5)
        self.assertEqual((rule.left, rule.right), (("bcast", 7), [("bcast", 8)]))

    def test_a_cliff_above_a_limit_is_seen(self):
        """Ways that change at 4 KiB, as measured once: 4 KiB in 0.45 us, a byte more in 2.6."""
        powers = [2048, 4096, 8192, 16384]
        times = {2048: 0.30, 4096: 0.45, 8192: 2.7, 16384: 3.3}
        listed = relations.sizes_around(powers, "latency", "float", 2)
        measured = {("latency", size): times.get(size, 2.6 if size > 4096 else 0.44) for size in listed}
        broken = [rule.terms() for rule in relations.doublings("latency", listed, 2.2) if rule.is_broken(rule.ratio(measured))]
        self.assertEqual(broken, [[("latency", large), ("latency", small)] for large, small in
                                  ((4097, 4096), (6144, 3072), (8192, 4096))])
        self.assertEqual(relations.doublings("bcast", [8, 64], 2.2), [])  # eight times as much may take its time

    def test_broken(self):
        rule = relations.Relation(("allreduce", 8), [("reduce", 8), ("bcast", 8)], 1.5)
        times = {("allreduce", 8): 16.0, ("reduce", 8): 6.0, ("bcast", 8): 4.0}
        self.assertTrue(rule.is_broken(rule.ratio(times)))
        self.assertFalse(rule.is_broken(rule.ratio({**times, ("reduce", 8): 9.0})))
        self.assertFalse(rule.is_broken(rule.ratio({("allreduce", 8): 16.0})))

    def test_a_slow_machine_is_no_breach(self):
        rule = relations.Relation(("bcast", 7), [("bcast", 8)], 1.5)
        rounds_of = [{("bcast", 7): scale, ("bcast", 8): scale} for scale in (1.0, 1.0, 9.0)]
        self.assertEqual(relations.verdict(rule, rounds_of)[0], 1)
        text = relations.breach_text(4, rule, 2.0, {("bcast", 7): 6.0, ("bcast", 8): 3.0})
        self.assertEqual(text, " 4 ranks: bcast of 7 takes 6.00 us, 2.00 times bcast of 8 (3.00 us); 1.50 times is allowed")


if __name__ == "__main__":
    unittest.main()
