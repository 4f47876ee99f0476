# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of bench/comparing are given: its modules to import, plans, libraries and results."""
import os
import sys

ROOT = os.path.abspath(__file__).rsplit(os.sep, 5)[0]
sys.path.insert(0, os.path.join(ROOT, "bench", "comparing"))
import arguments  # noqa: E402
from peers import Peer  # noqa: E402


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


def answering_program(folder, name, word, answer):
    """A program that answers this one word and fails on any other, as a wrapper whose compiler does not know it."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\n[ "$1" = %s ] || exit 1\ncat <<END\n%s\nEND\n' % (word, answer))
    os.chmod(path, 0o755)
    return path
