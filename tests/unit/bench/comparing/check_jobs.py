#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Unit tests of bench/comparing/jobs.py: jobs measured as a whole."""
import contextlib
import io
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True
from given import peers, plan_of  # noqa: E402
import comparison  # noqa: E402
import jobs  # noqa: E402
from runs import Failure  # noqa: E402
from verdicts import verdicts  # noqa: E402


class Jobs(unittest.TestCase):
    def test_medians(self):
        found, out = {"Tutti": [{"a": 1.0}, {"a": 3.0}, {"a": 100.0}], "MPICH": []}, io.StringIO()
        with contextlib.redirect_stdout(out):
            jobs.print_medians("idle", (("a", "title", "%.1f"),), found, {"MPICH": "exit status 1"})
        self.assertRegex(out.getvalue(), r"idle \(medians of the rounds\)\n +title\nTutti +3\.0\nMPICH +failed: exit status 1\n")

    def test_one_failure_does_not_end_the_rounds(self):
        plan = plan_of("idle", "--rounds", "2")

        def measure_one(peer):
            if peer.name == "MPICH":
                raise Failure("gone")
            return {"a": 1}

        found, failed = jobs.collect(plan, peers(), measure_one)
        self.assertEqual((len(found["Tutti"]), found["MPICH"], failed), (2, [], {"MPICH": "gone"}))

    def test_flow_that_fails_ends_nothing(self):
        """What other tests and rows have found is not lost with it."""
        plan, out = plan_of("flow", "--rounds", "2"), io.StringIO()
        plan.ranks = 8

        def flow_seconds(plan, tutti, program, ranks, folder):
            if ranks == 8:
                raise Failure("exit status 1: gone")
            return 1.0, ["checksum 1"]

        with mock.patch("jobs.flow_seconds", flow_seconds), mock.patch("jobs.find_flow"), contextlib.redirect_stdout(out):
            found = jobs.compare_flow(plan, peers())
        self.assertEqual((found["ratio"], found["failed"]), (None, {"Tutti": "on 8 ranks: exit status 1: gone"}))
        self.assertEqual(verdicts([found], None), ["failed: on 8 ranks: exit status 1: gone"])
        self.assertTrue(comparison.own_failed([found], peers()))
        self.assertFalse(comparison.own_failed([{"failed": {"MPICH": "gone"}, "lingered": {"MPICH": 1}}], peers()))


if __name__ == "__main__":
    unittest.main()
