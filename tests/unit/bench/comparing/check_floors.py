#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Unit tests of bench/comparing/floors.py: the machine's floor under each test."""
import io
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True
from given import peers, plan_of, results  # noqa: E402
import arguments  # noqa: E402
from collectives import COLLECTIVES  # noqa: E402
import floors  # noqa: E402
import rounds  # noqa: E402
from runs import Failure  # noqa: E402
from tables import Series, print_series  # noqa: E402


class Floors(unittest.TestCase):
    """On a machine that copies 64 KiB in 4 us, in 8 where it is more; the kernel in 6; from core to core it takes 10. Of an
    exchange 64 KiB take 70 us by the kernel, 100 through shared memory; among neighbours 30 and 40."""
    times = {"floor-line": [(None, 0.1)], "floor-meet": [(None, 8)], "floor-copy": [(8, 0.01)], "floor-kernel": [(8, 0.5)],
             "floor-pass": [(8, 0.22)]}
    block = 65536

    def machine(self, sizes, *left_out):
        times = dict(self.times)
        times["floor-copy"] = [(size, size / self.block * (4 if size <= self.block else 8)) for size in sizes]
        times["floor-kernel"] = [(size, size / self.block * 6) for size in sizes]
        times["floor-pass"] = [(size, size / self.block * 10 + 0.2 * -(-size // self.block)) for size in sizes]
        for test, time in (("alltoall-kernel", 70), ("alltoall-pass", 100), ("halo-kernel", 30), ("halo-pass", 40)):
            times["floor-" + test] = [(size, size / self.block * time) for size in sizes]
        rows = [row for test, found in times.items() if test not in left_out for row in results(test, found)["results"]]
        return floors.Machine({"results": rows})

    def floor(self, test, size, ranks, cores=2, left_out=(), options=()):
        plan = plan_of(test, *options)
        plan.ranks, plan.cores = ranks, cores
        return self.machine(floors.sizes_of(plan, test, [size or 0]), *left_out).floor(plan, test, size)

    def test_every_collective_has_one(self):
        self.assertEqual(set(floors.NEEDS), set(COLLECTIVES) | {"latency", "halo"})

    def test_meeting_and_copies(self):
        """Meeting of all or hearing of one, and the shortest way to copy, by as many cores as there are."""
        for test, ranks, meeting, copying in (("latency", 2, 0.1, 3), ("bcast", 8, 4, 8 * 2), ("scan", 8, 4, 7 * 2),
                                              ("reduce", 8, 4, 7 * 3), ("allreduce", 2, 8, 6),
                                              ("gatherv", 8, 4, 2 + 7 * 3), ("scatter", 8, 4, 2 + 7 * 3),
                                              ("allgather", 2, 8, 2 * 2 + 2 * 3), ("reduce_scatter", 4, 8, 12 * 3),
                                              ("neighbor_allgather", 8, 4, 8 * 2 + 32 * 2),
                                              ("neighbor_allgatherv", 2, 0.1, 6 * 2 + 2 * 3)):
            self.assertAlmostEqual(self.floor(test, self.block, ranks), meeting + copying, msg=test)
        self.assertAlmostEqual(self.floor("barrier", None, 8), 8)
        self.assertAlmostEqual(self.floor("bcast", 0, 8), 4)
        self.assertAlmostEqual(self.floor("bcast", self.block, 8, cores=8), 0.1 + (10 + 6 * 4) / 8)

    def test_ways_to_copy(self):
        """Without the kernel's: by two copies, or from memory; and by one where all can read it."""
        self.assertAlmostEqual(self.floor("latency", self.block, 2, left_out=["floor-kernel"]), 0.1 + 5)
        self.assertAlmostEqual(self.floor("bcast", self.block, 8, options=["--memory", "shared"]), 4 + 7 * 2)

    def test_exchanges(self):
        """Measured as a whole, by the shorter way that there is; or taken at once where all can read."""
        for test, ranks, time in (("alltoallv", 4, 70), ("alltoall", 2, 70), ("halo", 8, 30), ("neighbor_alltoallw", 2, 30)):
            self.assertAlmostEqual(self.floor(test, self.block, ranks), time, msg=test)
        self.assertAlmostEqual(self.floor("halo", self.block, 8, left_out=["floor-halo-kernel"]), 40)
        self.assertAlmostEqual(self.floor("alltoall", 0, 8), 8)
        self.assertAlmostEqual(self.floor("alltoall", self.block, 4, options=["--memory", "shared"]), 8 + 16 * 2)
        self.assertAlmostEqual(self.floor("alltoall", 300 * self.block, 2), 300 * 70)

    def test_iterations(self):
        """A barrier of their own is timed with the others, and none with the floor tests; neighbours and pairs have none."""
        for sync, given in (("iteration", "none"), ("clock", "clock")):
            words = floors.arguments_of(plan_of("bcast", "--sync", sync), (floors.MEET,), None)
            self.assertEqual(words[words.index("--sync") + 1], given)
        self.assertNotIn("--sync", floors.arguments_of(plan_of("bcast"), (floors.MEET,), None))
        options = ["--sync", "iteration"]
        for test, ranks, time in (("barrier", 8, 16), ("allreduce", 2, 8 + 8), ("bcast", 2, 8 + 0.1), ("bcast", 8, 8),
                                  ("alltoall", 8, 16), ("neighbor_allgather", 8, 4), ("latency", 2, 0.1), ("halo", 2, 0.1)):
            self.assertAlmostEqual(self.floor(test, 0, ranks, options=options), time, msg=test)
        self.assertAlmostEqual(self.floor("alltoall", self.block, 4, options=options), 8 + 70)
        self.assertAlmostEqual(self.floor("halo", self.block, 8, options=options), 30)

    def test_of_very_much(self):
        """More than is copied at once lasts as much longer."""
        mib = 16 * self.block
        self.assertAlmostEqual(self.floor("scatter", mib, 16), 4 + 64 + 15 * 48)
        self.assertAlmostEqual(self.floor("latency", 32 * mib, 2), 0.1 + 32 * 48)

    def test_where_there_is_none(self):
        for words, test in ((["put"], "put"), (["bandwidth"], "bandwidth"), (["bcast", "--hosts", "2x1"], "bcast"),
                            (["bcast", "--start", "srun -n {n}"], "bcast"), (["allreduce", "-n", "1"], "allreduce")):
            plan = plan_of(*words)
            self.assertFalse(floors.has_floor(arguments.with_ranks(plan, plan.rank_list[0]), Series(test)), msg=words)
        self.assertTrue(floors.has_floor(arguments.with_ranks(plan_of("bcast"), 2), Series("bcast", "blocking")))

    def test_short_times_are_no_zeroes(self):
        """tutti-bench refuses 0."""
        for asked, given in (("400us", "400us"), ("1ms", "1000us"), ("500ms", "20000us"), ("0.1us", "1us")):
            words = floors.arguments_of(plan_of("bcast", "--max-time", asked), (floors.LINE,), None)
            self.assertEqual(words[words.index("--max-time") + 1], given)

    def test_measured_in_every_round(self):
        """In the same rounds as the libraries; and where the kernel copies for nobody, without that."""
        plan, asked = plan_of("latency", "--sizes", "8", "--rounds", "3", "--max-time", "1s"), []
        plan.ranks, plan.cores = 2, 2

        def run(peer, plan, words, limit):
            asked.append((peer.name, words[0]))
            if "floor-kernel" in words:
                raise Failure("exit status 1: process_vm_readv: Operation not permitted")
            found = {test: rows[:1] for test, rows in self.times.items() if test in words} or {"latency": [(8, 0.21)]}
            return {"wall_s": 1, "results": [row for test, rows in found.items() for row in results(test, rows)["results"]]}

        series = Series("latency")
        with mock.patch("rounds.run_bench", run):
            rounds.measure(plan, peers(), series)
        self.assertEqual([name for name, test in asked if test == "floor-line"], ["Tutti"] * 6)
        self.assertEqual(len(series.floors[8]), 3)
        self.assertAlmostEqual(series.over_floor(8), 0.21 / 0.11)
        out = io.StringIO()
        print_series(series, ["Tutti"], "latency", out)
        self.assertRegex(out.getvalue(), r"Tutti/floor\n +8 +0.21 +0.11 +1.91\n")
        self.assertIn("floor: exit status 1: process_vm_readv", out.getvalue())


if __name__ == "__main__":
    unittest.main()
