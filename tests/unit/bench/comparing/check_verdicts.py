#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Unit tests of bench/comparing/verdicts.py: what is missed."""
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True
from given import peers, plan_of, results  # noqa: E402
import rounds  # noqa: E402
from tables import Series, series_json  # noqa: E402
from verdicts import absent, verdicts  # noqa: E402


class Verdicts(unittest.TestCase):
    @staticmethod
    def series(ratios, ranks=2):
        return {"test": "bcast", "type": None, "op": None, "ranks": ranks,
                "sizes": [{"bytes": 1024 << i, "ratio": ratio, "median": {"Tutti": 1 if ratio else None}}
                          for i, ratio in enumerate(ratios)]}

    def test_series(self):
        self.assertEqual(verdicts([self.series([1.5, 1.6])], 1.5), [])
        self.assertEqual(verdicts([self.series([1.5, 1.49]), self.series([2, 1], 8)], 1.5),
                         ["bcast, 2 ranks: 2k 1.49", "bcast, 8 ranks: 2k 1.00"])
        self.assertEqual(verdicts([self.series([2, None])], 1.5), ["bcast, 2 ranks: 2k not measured"])
        self.assertEqual(verdicts([self.series([])], 1.5), ["bcast, 2 ranks: nothing measured"])

    def test_what_was_not_compared_is_missed(self):
        series = self.series([2, 2])
        series["sizes"][1]["ratio"] = None
        self.assertEqual(verdicts([series], 1.5), ["bcast, 2 ranks: no peer at 2k"])
        series["sizes"][1]["over_floor"] = 1.1
        self.assertEqual(verdicts([series], 1.5), [])

    def test_runs_that_failed_are_missed(self):
        """Whatever figures the others gave; a peer's failure is none of Tutti's, but is said."""
        series = self.series([2, 2])
        series.update(failed={"MPICH": "gone"}, lingered={"MPICH": 1}, peers=["Open MPI", "MPICH"])
        series["sizes"][0]["median"].update({"Open MPI": 1, "MPICH": 1})
        self.assertEqual(verdicts([series], 1.5), [])
        self.assertEqual(absent([series]), ["bcast, 2 ranks: without Open MPI at 2k", "bcast, 2 ranks: without MPICH at 2k"])
        series.update(failed={"Tutti": "exit status 1"}, lingered={"Tutti": 2})
        self.assertEqual(verdicts([series], 1.5), ["bcast, 2 ranks: failed: exit status 1, Tutti: 2 runs had their results but did "
                                                   "not end by themselves"])
        idle = {"test": "idle", "failed": {}, "lingered": {"Tutti": 1},
                "median": {"Tutti": {"waiters_cpu_percent": 0.1, "slower_percent": 0.5}}}
        self.assertIn("did not end by themselves", verdicts([idle], None)[0])

    def test_sizes_that_nobody_reached_are_there(self):
        plan = plan_of("latency", "--sizes", "8,64", "--rounds", "1")
        plan.ranks, plan.cores, plan.bind = 2, 2, "core"
        series = Series("latency")
        with mock.patch("rounds.run_bench", lambda *_: results("latency", [(8, 1)])), mock.patch("rounds.measure_floor"):
            rounds.measure(plan, peers(), series)
        found = series_json(series, ["Tutti", "Open MPI", "MPICH"], plan)
        self.assertEqual(verdicts([found], 1), ["latency, 2 ranks: 64 not measured"])
        self.assertEqual(found["sizes"][1]["median"], {"Tutti": None, "Open MPI": None, "MPICH": None})
        series = Series("barrier", "blocking")
        with mock.patch("rounds.run_bench", lambda *_: results("barrier", [(None, 1)], "blocking")), \
             mock.patch("rounds.measure_floor"):
            rounds.measure(plan, peers(), series)
        self.assertEqual(verdicts([series_json(series, ["Tutti", "MPICH"], plan)], 1), [])

    def test_who_is_at_the_floor_misses_nothing(self):
        series = self.series([1.2, 1.2, 1.2])
        for size, over in zip(series["sizes"], (1.15, 1.16, None)):
            size["over_floor"] = over
        self.assertEqual(verdicts([series], 1.5), ["bcast, 2 ranks: 2k 1.20, 4k 1.20"])

    def test_whole_jobs(self):
        idle = {"test": "idle", "failed": {}, "median": {"Tutti": {"waiters_cpu_percent": 0.1, "slower_percent": 0.5}}}
        self.assertEqual(verdicts([idle, {"test": "flow", "ratio": 1.1, "failed": {}}], None), [])
        idle["median"]["Tutti"]["waiters_cpu_percent"] = 2.5
        self.assertEqual(verdicts([idle, {"test": "flow", "ratio": 1.2, "failed": {}}], None), ["waiters use 2.50 % of a core", "1.200"])
        self.assertEqual(verdicts([{"test": "idle", "median": {}, "failed": {"Tutti": "gone"}}], None), ["failed: gone"])


if __name__ == "__main__":
    unittest.main()
