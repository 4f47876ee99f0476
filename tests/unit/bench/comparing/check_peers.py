#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Unit tests of bench/comparing/peers.py: which libraries there are, and the loop built for each."""
import os
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
from given import answering_program, peers  # noqa: E402
from peers import Problem, add_variants, family_of, find_mpis, sources, stamp, with_yield  # noqa: E402


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
                compiler = answering_program(folder, "mpicc%d" % number, "-show", show)
                launcher = answering_program(folder, "mpiexec%d" % number, "--version", version) if version else folder + "/none"
                self.assertEqual(family_of(compiler, launcher), family, msg=(show, version))
            with self.assertRaises(Problem):
                family_of(folder + "/none", launcher)

    def test_programs_are_kept_by_all_that_makes_them(self):
        """With other flags, or another compiler behind the wrapper, it is another program."""
        with tempfile.TemporaryDirectory() as folder:
            compiler = answering_program(folder, "mpicc", "-show", "gcc")
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
            no_folder, compiler = answering_program(folder, "file", "-x", ""), answering_program(folder, "mpicc", "-show", "gcc")
            self.assertEqual(find_mpis(["X=%s:true" % compiler], True, no_folder, said.append), [])
        self.assertEqual(said, ["X is left out: its program cannot be kept in %s: Not a directory; name another folder by --cache"
                                % no_folder])

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


if __name__ == "__main__":
    unittest.main()
