#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Unit tests of bench/comparing/pingpong.py: ping-pongs on libfabric alone."""
import os
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
from given import plan_of  # noqa: E402
import arguments  # noqa: E402
from peers import Peer, Problem  # noqa: E402
import pingpong  # noqa: E402
from runs import Failure  # noqa: E402


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
