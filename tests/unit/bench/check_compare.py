#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Unit tests of the scripts in bench/: command lines, sizes, and the tables made of given results."""
import contextlib
import io
import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "bench", "comparing"))
import arguments  # noqa: E402
import comparison  # noqa: E402
import ending  # noqa: E402
import floors  # noqa: E402
import jobs  # noqa: E402
import pingpong  # noqa: E402
import processors  # noqa: E402
import relations  # noqa: E402
from collectives import COLLECTIVES  # noqa: E402
import rounds  # noqa: E402
import sizes  # noqa: E402
from peers import BENCH, Peer, Problem, add_variants, family_of, find_mpis, loop_hash, sources, stamp, with_yield  # noqa: E402
import runs  # noqa: E402
from runs import Failure  # noqa: E402
from tables import Series, print_series, series_json  # noqa: E402
from verdicts import absent, verdicts  # noqa: E402


def plan_of(*words):
    plan = arguments.parse("", list(words))
    arguments.complete(plan)
    return plan


def peers():
    return [Peer(name, family, "start", "program")
            for name, family in (("Tutti", "tutti"), ("Open MPI", "openmpi"), ("MPICH", "mpich"))]


def results(test, rows, form=None, wall=1.0):
    """What a run leaves: rows are (bytes, median)."""
    return {"wall_s": wall, "results": [{"test": test, "form": form, "bytes": size, "median_us": value,
                                         "bandwidth_MBps": value} for size, value in rows]}


class Sizes(unittest.TestCase):
    def test_ranges_double(self):
        self.assertEqual(sizes.expand("1-8,4k,1m-2m"), [1, 2, 4, 8, 4096, 1 << 20, 2 << 20])
        self.assertEqual(sizes.expand("0-4"), [0, 1, 2, 4])

    def test_texts_are_read_back(self):
        self.assertEqual(sizes.list_text([0, 1, 1000, 4096, 4097, 1 << 20, 3 << 30]), "0,1,1000,4k,4097,1m,3g")
        self.assertEqual(sizes.expand(sizes.list_text([0, 7, 4097, 16 << 20])), [0, 7, 4097, 16 << 20])

    def test_whole_elements(self):
        self.assertEqual(sizes.whole_elements([4, 8, 12, 16], "double"), [8, 16])

    def test_wrong_sizes_and_times(self):
        for text in ("", "8-", "x", "8-4", "8 16", "-1"):
            with self.assertRaises(Problem):
                sizes.expand(text)
        for text in ("", "fast", "1h", "1.2.3s"):
            with self.assertRaises(Problem):
                sizes.seconds_of("--max-time", text)
        self.assertEqual([sizes.seconds_of("", text) for text in ("200ms", "2s", "0.5")], [0.2, 2, 0.5])


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


class Peers(unittest.TestCase):
    def test_yield_is_a_series_of_its_own(self):
        self.assertEqual([peer.name for peer in with_yield(peers(), False)], ["Tutti", "Open MPI", "MPICH"])
        crowded = with_yield(peers(), True)
        self.assertEqual([peer.name for peer in crowded], ["Tutti", "Open MPI", "Open MPI yield", "MPICH"])
        self.assertEqual([bool(peer.settings) for peer in crowded], [False, False, True, False])

    def test_families(self):
        """By what the wrappers and launchers of installations answer, as recorded."""
        gcc = "gcc -I/opt/x/include -L/opt/x/lib "
        recorded = [  # mpicc -show, mpiexec --version, family
            ("gcc -I/usr/lib/x86_64-linux-gnu/openmpi/include -lmpi", "mpirun.openmpi (OpenRTE) 4.1.4", "openmpi"),
            (gcc + "-lmpi", "mpirun (Open MPI) 5.0.3\n\nReport bugs to https://www.open-mpi.org/", "openmpi"),
            (gcc + "-lmpi", "mpirun (Open MPI) 6.1.0a1", "openmpi"),
            (gcc + "-lmpi -lopen_mpi", "site wrapper 7", "openmpi"),
            (gcc + "-lmpi -lopen_mpi", None, "openmpi"),
            (gcc + "-lmpich", "HYDRA build details:\n    Version:    4.0.2", "mpich"),
            (gcc + "-lmpi", "HYDRA build details:\n    Version:    5.1.0a1", "mpich"),
        ]
        with tempfile.TemporaryDirectory() as folder:
            for number, (show, version, family) in enumerate(recorded):
                compiler = self.program(folder, "mpicc%d" % number, "-show", show)
                launcher = self.program(folder, "mpiexec%d" % number, "--version", version) if version else folder + "/none"
                self.assertEqual(family_of(compiler, launcher), family, msg=(show, version))
            with self.assertRaises(Problem):
                family_of(folder + "/none", launcher)

    def test_programs_are_kept_by_all_that_makes_them(self):
        """With other flags, or another compiler behind the wrapper, it is another program."""
        with tempfile.TemporaryDirectory() as folder:
            compiler = self.program(folder, "mpicc", "-show", "gcc")
            with mock.patch.dict(os.environ):
                for name in "OMPI_CC", "OMPI_CFLAGS", "MPICH_CC", "MPICH_CFLAGS":
                    os.environ.pop(name, None)
                stamps = {stamp(compiler, [], ["-O3"]), stamp(compiler, [], ["-O2"])}
                for name in "OMPI_CC", "OMPI_CFLAGS", "MPICH_CC", "MPICH_CFLAGS":
                    os.environ[name] = "x"
                    stamps.add(stamp(compiler, [], ["-O3"]))
                    self.assertEqual(stamp(compiler, [], ["-O3"]), stamp(compiler, [], ["-O3"]))
            self.assertEqual(len(stamps), 6)

    def test_where_programs_cannot_be_kept(self):
        """As in a source tree that is another user's: it is said, with the remedy."""
        said = []
        with tempfile.TemporaryDirectory() as folder, mock.patch("peers.flags_of", return_value=[]):
            no_folder, compiler = self.program(folder, "file", "-x", ""), self.program(folder, "mpicc", "-show", "gcc")
            self.assertEqual(find_mpis(["X=%s:true" % compiler], True, no_folder, said.append), [])
        self.assertEqual(said, ["X is left out: its program cannot be kept in %s: Not a directory; name another folder by --cache"
                                % no_folder])

    @staticmethod
    def program(folder, name, word, answer):
        """A program that answers this one word and fails on any other, as a wrapper whose compiler does not know it."""
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\n[ "$1" = %s ] || exit 1\ncat <<END\n%s\nEND\n' % (word, answer))
        os.chmod(path, 0o755)
        return path

    def test_variants(self):
        last = add_variants(peers(), ["Tutti asleep=Tutti:TUTTI_WAIT=sleep,TUTTI_WATCHDOG=5s"])[-1]
        self.assertEqual((last.name, last.settings), ("Tutti asleep", {"TUTTI_WAIT": "sleep", "TUTTI_WATCHDOG": "5s"}))
        for words, settings in (("TUTTI_MACHINE=line=74,load=21,TUTTI_WAIT=spin", {"TUTTI_MACHINE": "line=74,load=21", "TUTTI_WAIT": "spin"}),
                                ("UCX_TLS=tcp,self", {"UCX_TLS": "tcp,self"}), ("mine=1,A=", {"mine": "1", "A": ""}),
                                ("TUTTI_BCAST=0-4k:chain,4k-:ring", {"TUTTI_BCAST": "0-4k:chain,4k-:ring"})):
            self.assertEqual(add_variants(peers(), ["x=Tutti:" + words])[-1].settings, settings)
        for text in ("x", "x=LAM:A=1", "=Tutti:A=1", "x=Tutti", "x=Tutti:A", "x=Tutti:1A=1", "x=Tutti:A-B=1", "x=Tutti: A=1",
                     "x=Tutti:,A=1"):
            with self.assertRaises(Problem, msg=text):
                add_variants(peers(), [text])

    def test_equal_names_are_refused(self):
        for text in "Tutti=Tutti:A=1", "Open MPI yield=MPICH:A=1", "floor=Tutti:A=1":
            plan = plan_of("latency", "--variant", text)
            plan.say = lambda text: None
            with mock.patch("comparison.find_tutti", return_value=peers()[0]), \
                 mock.patch("comparison.find_mpis", return_value=peers()[1:]), self.assertRaises(Problem, msg=text):
                comparison.find_peers(plan)

    def test_turns(self):
        self.assertEqual(list(rounds.turns(["a", "b"], 2)), [(0, "a"), (0, "b"), (1, "b"), (1, "a")])


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


class Scripts(unittest.TestCase):
    def run_script(self, folder, *words):
        run = subprocess.run([os.path.join(ROOT, "bench", words[0]), "--tutti", folder, *words[1:]], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def test_exit_status(self):
        """1 where Tutti's runs fail, or the results cannot be written, which is known before anything is measured."""
        with tempfile.TemporaryDirectory() as folder:
            for name in "tuttirun", "tutti-bench":
                Peers.program(folder, name, "none", "")
            for words in (["compare", "latency", "--only"], ["consistency", "-n", "2,3", "--tests", "bcast"], ["targets", "rate", "--only"]):
                status, said = self.run_script(folder, *words)
                self.assertEqual(status, 1, msg=said)
                self.assertIn("exit status 1: it said nothing", said)
                self.assertEqual("not beside Open MPI, MPICH: " in said, words[0] == "targets")
            for words in (["compare", "latency", "--only"], ["targets", "rate", "--only"]):
                status, said = self.run_script(folder, *words, "--json", os.path.join(folder, "none", "x"))
                self.assertEqual((status, "(nothing was written there)" in said, "latency" in said), (1, True, False), msg=said)
            self.assertEqual(self.run_script(folder, "compare", "latency", "--sizes", "x")[0], 2)


class Interrupted(unittest.TestCase):
    """A launcher that has the results of latency at once, none of the floors, and of bandwidth says who it is and sleeps."""
    launcher = """#!/bin/sh
for path; do :; done
case " $* " in
*" latency "*) echo '{"ranks": 2, "results": [{"test": "latency", "bytes": 8, "median_us": 1.5}]}' >"$path" ;;
*" bandwidth "*|*" bcast "*) echo $$ >"$0.new" && mv "$0.new" "$0.pid" && exec sleep 600 ;;
*) exit 1 ;;
esac
"""

    def interrupted(self, words, numbers, ignored=()):
        """The exit status and what is said of a script that gets these signals while its job runs, and the job's id."""
        with tempfile.TemporaryDirectory() as folder:
            path, launcher = os.path.join(folder, "x.json"), os.path.join(folder, "tuttirun")
            Peers.program(folder, "tutti-bench", "none", "")
            with open(launcher, "w", encoding="utf-8") as file:
                file.write(self.launcher)
            os.chmod(launcher, 0o755)
            words = [os.path.join(ROOT, "bench", words[0]), "--tutti", folder] + words[1:]
            words += ["--json", path] if "consistency" not in words[0] else []
            script = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                      preexec_fn=lambda: [signal.signal(number, signal.SIG_IGN) for number in ignored])
            while script.poll() is None and not os.path.exists(launcher + ".pid"):
                time.sleep(0.01)
            for number in numbers:
                script.send_signal(number)
            said, _ = script.communicate()
            with open(launcher + ".pid", encoding="utf-8") as file:
                job = int(file.read())
            found = None
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    found = json.load(file)
            return script.returncode, found, said, job

    def check_gone(self, job):
        with self.assertRaises(ProcessLookupError):
            os.kill(job, 0)

    def test_jobs_end_and_results_stay(self):
        words = ["compare", "latency", "bandwidth", "--only", "--sizes", "8", "--rounds", "1"]
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            status, found, said, job = self.interrupted(words, [number])
            self.check_gone(job)
            self.assertEqual((status, found["interrupted"]), (128 + number, True), msg=said)
            test, = found["tests"]
            self.assertEqual((test["test"], test["sizes"][0]["median"]), ("latency", {"Tutti": 1.5}))

    def test_the_other_scripts(self):
        status, found, said, job = self.interrupted(["targets", "--only", "--rounds", "1", "latency-small", "messages-large"],
                                                    [signal.SIGTERM])
        self.check_gone(job)
        self.assertEqual((status, [(row["row"], row["interrupted"], len(row["tests"])) for row in found]),
                         (143, [("latency-small", False, 1), ("messages-large", True, 1)]), msg=said)
        status, _, said, job = self.interrupted(["consistency", "-n", "2", "--tests", "bcast", "--sizes", "8"], [signal.SIGTERM])
        self.check_gone(job)
        self.assertEqual(status, 143, msg=said)

    def test_what_is_ignored_stays_so(self):
        """As nohup has it. Where nothing was found nothing is written: an earlier file stays."""
        words = ["compare", "bandwidth", "--only", "--sizes", "8", "--rounds", "1"]
        status, found, said, job = self.interrupted(words, [signal.SIGHUP, signal.SIGTERM], [signal.SIGHUP])
        self.check_gone(job)
        self.assertEqual((status, found), (143, None), msg=said)

    def test_a_start_is_not_torn(self):
        """What is started between two lines of the script would have no name by which it could be ended."""
        with mock.patch("signal.signal"), self.assertRaises(SystemExit) as caught:
            with ending.Hold():
                ending.exit_on(15, None)
                begun = True
        self.assertEqual((begun, caught.exception.code), (True, 143))
        ending.Hold.number = None

    def test_errors_lose_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x")
            with self.assertRaises(KeyError), comparison.kept(path, [1], lambda interrupted: [interrupted]):
                raise KeyError
            with open(path, encoding="utf-8") as file:
                self.assertEqual(json.load(file), [True])
            with comparison.kept(path, [], lambda interrupted: [interrupted]), comparison.kept(None, [], None):
                pass
            with open(path, encoding="utf-8") as file:
                self.assertEqual(json.load(file), [False])


class Files(unittest.TestCase):
    def test_links_stay(self):
        """/dev/stdout is one; looking whether it can be written empties nothing."""
        with tempfile.TemporaryDirectory() as folder:
            path, link = os.path.join(folder, "x"), os.path.join(folder, "link")
            comparison.write_json(path, [1])
            os.symlink(path, link)
            comparison.check_json(link)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(json.load(file), [1])
            comparison.write_json(link, [2])
            with open(path, encoding="utf-8") as file:
                self.assertEqual((json.load(file), os.path.islink(link)), ([2], True))
            self.assertEqual(sorted(os.listdir(folder)), ["link", "x"])


    def test_pipes_are_not_tried(self):
        """Who reads a pipe takes its first writer's end for the end of all."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pipe")
            os.mkfifo(path)
            reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            heard = select.poll()
            heard.register(reader)
            comparison.check_json(path)
            self.assertEqual(heard.poll(0), [])
            comparison.write_json(path, [1])
            self.assertEqual(json.loads(os.read(reader, 100)), [1])
            os.close(reader)


class Header(unittest.TestCase):
    def test_hosts(self):
        with mock.patch("comparison.open", mock.mock_open(read_data="cubic\n"), create=True):
            self.assertEqual(comparison.hosts_text(plan_of("barrier", "--hosts", "1+2+5")), " on 3 hosts (TCP under cubic)")
        with mock.patch("comparison.open", side_effect=OSError, create=True):
            self.assertIn("unknown", comparison.hosts_text(plan_of("barrier", "--hosts", "3x4")))
        self.assertEqual(comparison.hosts_text(plan_of("barrier", "-n", "2")), "")


class Loop(unittest.TestCase):
    def test_is_one_program_without_tutti(self):
        """Each MPI's compiler takes all of them together, and has none of Tutti's headers."""
        programs = []
        for path in sources():
            with open(path, encoding="utf-8") as source:
                text = source.read()
            self.assertNotIn("<tutti/", text, path)
            programs += [os.path.basename(path)] if "\nint main(" in text else []
        self.assertEqual(programs, ["bench_main.c"])


class Pingpong(unittest.TestCase):
    def test_bare(self):
        """fi_pingpong first, where it is; else the tree's own; else there is nothing to compare with."""
        plan = plan_of("pingpong", "--provider", "net")
        with tempfile.TemporaryDirectory() as folder:
            tutti = Peer("Tutti", "tutti", "tuttirun", os.path.join(folder, "tutti-bench"))
            with mock.patch("shutil.which", return_value=None):
                with self.assertRaises(Problem):
                    pingpong.find_bare(tutti)
            own = os.path.join(folder, "pingpong_rdm")
            with open(own, "w", encoding="utf-8"):
                os.chmod(own, 0o755)
            for there, names in (("/usr/bin/fi_pingpong", ["fi_pingpong", "pingpong_rdm"]), (None, ["pingpong_rdm"])):
                with mock.patch("shutil.which", return_value=there):
                    bare = pingpong.find_bare(tutti)
                self.assertEqual([one.name for one in bare], names)
                self.assertEqual(bare[-1].words(plan, 1 << 20), [own, "-p", "net", "-n", "1024", "-s", "1048576"])

    def test_sides_are_bound_alike(self):
        """A core for each, as Tutti's launcher gives its ranks, or none for any."""
        plan = arguments.with_ranks(plan_of("pingpong"), 2)
        plan.bind = "core"
        with mock.patch("pingpong.cores_apart", return_value=["0,4", "1,5"]), mock.patch("shutil.which", return_value="taskset"):
            self.assertEqual(pingpong.sides_of(plan), (["taskset", "-c", "1,5"], ["taskset", "-c", "0,4"]))
        with mock.patch("shutil.which", return_value=None):
            self.assertEqual((pingpong.sides_of(plan), plan.bind), (([], []), "none"))

    def test_result(self):
        said = "     bytes   iterations    usec/xfer\n        64         1000        17.17\n"
        self.assertEqual(pingpong.usec_per_transfer(said), 17.17)
        with self.assertRaises(Failure):
            pingpong.usec_per_transfer("127.0.0.1: Connection refused\n")


if __name__ == "__main__":
    unittest.main()
