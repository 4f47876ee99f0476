#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Unit tests of bench/comparing/rounds.py: rounds of runs, and which are measured again."""
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True
from given import peers, plan_of, results  # noqa: E402
import arguments  # noqa: E402
import rounds  # noqa: E402
from runs import Failure  # noqa: E402
import sizes  # noqa: E402
from tables import series_json  # noqa: E402
from verdicts import verdicts  # noqa: E402


class Turns(unittest.TestCase):
    def test_turns(self):
        self.assertEqual(list(rounds.turns(["a", "b"], 2)), [(0, "a"), (0, "b"), (1, "b"), (1, "a")])


class MeasuredAgain(unittest.TestCase):
    """What comes out below --least in a few rounds may be chance."""

    def measured(self, first, again, *options):
        """Open MPI takes 10 at every size. Of Tutti at 8 and 64 bytes `first` in the first round, `again` in later ones, and 5
        at 1 KiB. The series, and the sizes of Tutti's runs."""
        plan, asked = arguments.with_ranks(plan_of("bcast", "--sizes", "8,64,1k", "--rounds", "1", *options), 8), []

        def run(peer, plan, words, limit):
            if words[0] != "bcast":
                raise Failure("no floor")
            known = sizes.expand(words[words.index("--sizes") + 1])
            asked.extend([known] if peer.name == "Tutti" else [])
            mine = first if len(asked) == 1 else again
            rows = [(size, 10 if peer.name != "Tutti" else mine if size < 1024 else 5) for size in known]
            return results("bcast", rows, form="blocking")

        series, = rounds.all_series(plan, ["bcast"])
        with mock.patch("rounds.run_bench", run):
            rounds.measure(plan, peers()[:2], series)
        return series, asked

    def test_low_sizes_have_more_rounds(self):
        series, asked = self.measured(20, 5, "--least", "0.95")
        self.assertEqual(asked, [[8, 64, 1024]] + [[8, 64]] * 3)
        self.assertEqual(series.ratio(8, ["Tutti", "Open MPI"]), 2)

    def test_what_stays_low_is_missed(self):
        series, _ = self.measured(20, 20, "--least", "0.95")
        plan = arguments.with_ranks(plan_of("bcast"), 8)
        missed, = verdicts([series_json(series, ["Tutti", "Open MPI"], plan)], 0.95)
        self.assertRegex(missed, "bcast.*8 ranks: 8 0.50, 64 0.50$")

    def test_only_where_asked(self):
        self.assertEqual(len(self.measured(20, 5)[1]), 1)
        self.assertEqual(len(self.measured(10, 5, "--least", "0.95")[1]), 1)


if __name__ == "__main__":
    unittest.main()
