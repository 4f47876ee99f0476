#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Unit tests of bench/comparing/arguments.py: command lines, and how ranks are bound."""
import io
import re
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True
from given import peers, plan_of, results  # noqa: E402
import arguments  # noqa: E402
from peers import Problem  # noqa: E402
import processors  # noqa: E402
import rounds  # noqa: E402
from tables import Series  # noqa: E402


class CommandLine(unittest.TestCase):
    def test_series(self):
        plan = plan_of("latency", "halo", "allreduce", "--type", "float,double", "--op", "sum,max", "-n", "2,8")
        self.assertEqual([series.title() for series in rounds.all_series(plan, plan.tests)],
                         ["latency", "halo, nonblocking", "allreduce, blocking, sum of float", "allreduce, blocking, max of float",
                          "allreduce, blocking, sum of double", "allreduce, blocking, max of double"])
        self.assertEqual(plan.rank_list, [2, 8])
        self.assertEqual([plan_of(test).rank_list for test in ("startup", "idle", "flow", "bcast")], [[64], [8], [8], [2]])
        self.assertEqual((plan_of("idle", "flow").rank_list, plan_of("allreduce", "startup", "-n", "4").rank_list), ([8], [4]))

    def test_sizes_fit_the_test(self):
        plan = plan_of("latency", "allreduce")
        self.assertEqual(rounds.sizes_of(plan, "latency", None)[0], 1)
        self.assertEqual(rounds.sizes_of(plan, "allreduce", "float")[0], 4)
        self.assertEqual(rounds.sizes_of(plan, "allreduce", "double")[0], 8)
        self.assertEqual(rounds.sizes_of(plan_of("put"), "put", None)[0], 8)

    def test_nothing_has_no_bandwidth(self):
        """tutti-bench gives none; the other sizes are measured all the same."""
        plan = plan_of("bandwidth", "latency", "--sizes", "0-2", "--rounds", "1")
        plan.ranks, plan.cores, plan.bind = 2, 2, "core"
        self.assertEqual([rounds.sizes_of(plan, test, None) for test in plan.tests], [[1, 2], [0, 1, 2]])
        series, nothing = Series("bandwidth"), {"test": "bandwidth", "form": None, "bytes": 0, "median_us": 1.0}
        series.take("Tutti", {"wall_s": 1, "results": [nothing] + results("bandwidth", [(1, 5)])["results"]})
        self.assertEqual((series.sizes(), series.value(1, "Tutti")), ([1], 5))
        plan.sizes = "0"
        rounds.measure(plan, peers(), series)
        self.assertEqual(series.failed["Tutti"], "0 bytes have no bandwidth")

    def test_refusals(self):
        for words in (["allredcue"], ["bcast", "-n", "0"], ["bcast", "-n", "2,x"], ["bcast", "--form", "quick"],
                      ["bcast", "--type", "complex"], ["bcast", "--op", "avg"], ["bcast", "--sizes", "8-x"],
                      ["bcast", "--rounds", "0"], ["bcast", "--hosts", "3"], ["bcast", "--hosts", "1+"], ["bcast", "--hosts", "2x"],
                      ["bcast", "--hosts", "0x2"], ["bcast", "--hosts", "1+0"], ["bcast", "--hosts", "+".join("1" * 10)],
                      ["bcast", "--max-time", "soon"], ["allreduce", "startup"], ["startup", "allreduce"], ["flow", "-n", "2"],
                      ["flow", "-n", "4,2"], ["bcast", "--hosts", "2x1", "-n", "2"],
                      ["pingpong", "bcast"], ["bcast", "--least", "0"], ["bcast", "--least", "most"], ["startup", "--least", "1"],
                      ["pingpong", "--least", "1"], ["rate", "--window", "abc"], ["rate", "--window", "0"], ["rate", "--window", "4097"],
                      ["bcast", "--sync", "foo"], ["bcast", "--max-time", "0"], ["bcast", "--max-time", "0.0ms"],
                      ["bcast", "--max-time", "1" + "0" * 400], ["bcast", "--max-time", ".5"], ["flow", "--steps", "1.5"],
                      ["flow", "--steps", "0"], ["flow", "--steps", "-1"], ["bcast", "--sizes", ""], ["bcast", "--sizes", "8589934592g"],
                      ["bcast", "--sizes", "8-1025g"], ["bcast", "--sizes", ",".join(["8"] * 129)], ["bcast", "--timeout", "0"],
                      ["bcast", "--timeout", "nan"]):
            with self.assertRaises(Problem, msg=words):
                plan_of(*words)
        plan_of("rate", "--window", "4096", "--sync", "barrier", "--max-time", "1us", "--sizes", "1024g", "--timeout", "0.5")
        plan_of("flow", "--steps", "1000000000")
        with self.assertRaisesRegex(Problem, "pingpong is run alone, and latency, bcast without it"):
            plan_of("latency", "pingpong", "bcast")

    def test_hosts(self):
        for hosts, ranks, words in (("3x2", [6], "-n 2,2,2 "), ("1+2+5", [8], "-n 1,2,5 ")):
            plan = plan_of("bcast", "--hosts", hosts)
            self.assertEqual((plan.rank_list, words in plan.start), (ranks, True), msg=hosts)

    def test_cores_of_several_processors(self):
        """Launchers bind to cores: of two with two processors each, three ranks get none, and yet share no processor."""
        siblings = {0: "0,2\n", 1: "1,3\n", 2: "0,2\n", 3: "1,3\n"}

        def read(path, **_):
            return io.StringIO(siblings[int(re.search("cpu([0-9]+)/", path).group(1))])

        with mock.patch("os.sched_getaffinity", return_value=set(siblings)), \
             mock.patch("processors.open", side_effect=read, create=True):
            self.assertEqual(processors.cores_apart(), ["0,2", "1,3"])
            found = [arguments.with_ranks(plan_of("bcast"), ranks) for ranks in (2, 3, 4, 5)]
            self.assertEqual([(plan.cores, plan.bind) for plan in found], [(4, "core"), (4, "none"), (4, "none"), (4, "none")])
        with mock.patch("os.sched_getaffinity", return_value={0, 1}), \
             mock.patch("processors.open", side_effect=OSError, create=True):
            self.assertEqual(arguments.with_ranks(plan_of("bcast"), 2).bind, "core")

    def test_runs_are_bounded(self):
        plan = plan_of("bcast", "--max-time", "1s", "--sizes", "1-8")
        words = rounds.arguments_of(plan, next(rounds.all_series(plan, ["bcast"])), [1, 2, 4, 8])
        self.assertEqual(words[words.index("--total-time") + 1], "8.000s")


if __name__ == "__main__":
    unittest.main()
