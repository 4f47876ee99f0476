#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Unit tests of bench/comparing/runs.py: one run of a program."""
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True
from given import peers, plan_of  # noqa: E402
import arguments  # noqa: E402
from peers import BENCH, loop_hash  # noqa: E402
import runs  # noqa: E402
from runs import Failure  # noqa: E402


class Runs(unittest.TestCase):
    def test_ends_are_seen_at_once(self):
        """Not at a next look, before which one sleeps: wall times would be rounded up."""
        with mock.patch("time.sleep", side_effect=AssertionError("it slept")):
            self.assertGreater(runs.run_bounded(["sleep", "0.1"], None, 60)[0], 0.1)

    def test_limits(self):
        with self.assertRaises(Failure):
            runs.run_bounded(["sleep", "600"], None, 0.1)
        with mock.patch("runs.LINGER", 0):
            self.assertEqual(runs.run_bounded(["sh", "-c", "echo here; sleep 600"], None, 600, lambda: True), (None, "here\n"))
        with self.assertRaisesRegex(Failure, "exit status 3: gone"):
            runs.run_bounded(["sh", "-c", "echo gone; exit 3"], None, 60)

    def test_an_old_tutti_bench_is_said(self):
        said, tutti, plan = [], peers()[0], arguments.with_ranks(plan_of("latency"), 2)
        plan.say = said.append
        for loop in loop_hash(), "older", "older":
            runs.warn_if_old(tutti, plan, {"loop": loop})
        runs.warn_if_old(peers()[1], plan, {})
        self.assertEqual(said, ["program was not built of the sources in %s: build Tutti anew" % BENCH])


if __name__ == "__main__":
    unittest.main()
