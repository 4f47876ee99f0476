#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Unit tests of bench/comparing/tables.py: tables made of given results."""
import io
import sys
import unittest

sys.dont_write_bytecode = True
from given import peers, plan_of, results  # noqa: E402
import arguments  # noqa: E402
from peers import add_variants  # noqa: E402
from tables import Series, print_series, series_json  # noqa: E402


class Tables(unittest.TestCase):
    names = ["Tutti", "Open MPI", "Open MPI yield", "MPICH"]

    def filled(self, test="latency"):
        series = Series(test)
        for name, value in zip(self.names, (2, 5, 4, 3000)):
            for scale in (1, 1, 9):  # one bad round does not count
                series.take(name, results(test, [(8, scale * value), (16, 2 * scale * value)]))
        return series

    def test_ratio_is_to_the_best_of_all(self):
        self.assertEqual(self.filled().ratio(8, self.names), 2)
        self.assertEqual(self.filled("bandwidth").ratio(8, ["Tutti", "Open MPI"]), 2 / 5)

    def test_own_variants_are_no_peers(self):
        """Whatever they are named; and an MPI may be named as one likes, too."""
        series = self.filled()
        named = add_variants(peers(), ["asleep=Tutti:TUTTI_WAIT=sleep", "Tutti's rival=MPICH:A=1"])
        series.begin(named, [8])
        series.take("asleep", results("latency", [(8, 1)]))
        self.assertEqual(series.ratio(8, self.names + ["asleep"]), 2)
        series.take("Tutti's rival", results("latency", [(8, 1)]))
        self.assertEqual(series.ratio(8, [peer.name for peer in named]), 0.5)

    def test_ratios_are_named(self):
        for test, head, ratio in ("latency", "best MPI/Tutti", "2.00"), ("bandwidth", "Tutti/best MPI", "0.40"):
            out = io.StringIO()
            print_series(self.filled(test), ["Tutti", "Open MPI", "Open MPI yield"][:2 + (test == "latency")], test, out)
            self.assertRegex(out.getvalue(), r"%s\n +8 .* %s\n" % (head, ratio))

    def test_who_was_started_otherwise(self):
        """Barriers take over from the clock, for one library and at some sizes."""
        series, out = Series("bcast", "blocking"), io.StringIO()
        for name, sync in (("Tutti", "clock"), ("MPICH", "clock"), ("MPICH", "barrier")):
            found = results("bcast", [(8, 1), (16, 1), (1024, 1)], form="blocking")
            for row in found["results"]:
                row["sync"] = "clock" if row["bytes"] == 1024 else sync
            series.take(name, found)
        print_series(series, ["Tutti", "MPICH"], "bcast", out)
        self.assertIn(" not started alike at 8,16: by barrier MPICH; by clock Tutti, MPICH\n", out.getvalue())
        plan = arguments.with_ranks(plan_of("bcast"), 2)
        self.assertEqual([size["sync"] for size in series_json(series, ["Tutti", "MPICH"], plan)["sizes"]],
                         [{"Tutti": ["clock"], "MPICH": ["barrier", "clock"]}] * 2 + [{"Tutti": ["clock"], "MPICH": ["clock"]}])
        series, out = Series("barrier", "blocking"), io.StringIO()
        for name, sync in (("Tutti", "clock"), ("MPICH", "barrier")):
            found = results("barrier", [(None, 1)], form="blocking")
            found["results"][0]["sync"] = sync
            series.take(name, found)
        print_series(series, ["Tutti", "MPICH"], "barrier", out)
        self.assertIn(" not started alike: by barrier MPICH; by clock Tutti\n", out.getvalue())
        self.assertEqual(Series("latency").uneven(), {})

    def test_hopeless(self):
        series = self.filled()
        series.give_up_on_hopeless(self.names, 20)
        self.assertEqual(series.hopeless, {"MPICH"})
        series.take("Open MPI", results("latency", [(32, 1)]))
        series.take("Tutti", results("latency", [(32, 100)]))
        series.hopeless = set()
        series.give_up_on_hopeless(self.names, 1.5)
        self.assertNotIn("Open MPI", series.hopeless)
        self.assertNotIn("Tutti", series.hopeless)

    def test_printed(self):
        series, out = self.filled(), io.StringIO()
        series.failed["Open MPI"] = "exit status 1: gone"
        series.take("Tutti", results("latency", [(32, 1)], wall=None))
        print_series(series, self.names, "latency, 2 ranks", out)
        text = out.getvalue()
        for part in ("latency, 2 ranks (us", "2.00", "3000", "Open MPI: exit status 1: gone", "1 runs had their results"):
            self.assertIn(part, text)
        self.assertRegex(text, r"\n +32 +1.00 +failed +- +- *\n")


if __name__ == "__main__":
    unittest.main()
