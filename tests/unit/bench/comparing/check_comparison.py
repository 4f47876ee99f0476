#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Unit tests of bench/comparing/comparison.py: columns, the heading, and results that are written."""
import json
import os
import select
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
from given import peers, plan_of  # noqa: E402
import comparison  # noqa: E402
from peers import Problem  # noqa: E402


class Columns(unittest.TestCase):
    def test_equal_names_are_refused(self):
        for text in "Tutti=Tutti:A=1", "Open MPI yield=MPICH:A=1", "floor=Tutti:A=1":
            plan = plan_of("latency", "--variant", text)
            plan.say = lambda text: None
            with mock.patch("comparison.find_tutti", return_value=peers()[0]), \
                 mock.patch("comparison.find_mpis", return_value=peers()[1:]), self.assertRaises(Problem, msg=text):
                comparison.find_peers(plan)


class Header(unittest.TestCase):
    def test_hosts(self):
        with mock.patch("comparison.open", mock.mock_open(read_data="cubic\n"), create=True):
            self.assertEqual(comparison.hosts_text(plan_of("barrier", "--hosts", "1+2+5")), " on 3 hosts (TCP under cubic)")
        with mock.patch("comparison.open", side_effect=OSError, create=True):
            self.assertIn("unknown", comparison.hosts_text(plan_of("barrier", "--hosts", "3x4")))
        self.assertEqual(comparison.hosts_text(plan_of("barrier", "-n", "2")), "")


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


if __name__ == "__main__":
    unittest.main()
