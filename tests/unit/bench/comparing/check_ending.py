#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Unit tests of bench/comparing/ending.py: the scripts as a whole, and how they end."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

sys.dont_write_bytecode = True
from given import ROOT, answering_program  # noqa: E402
import ending  # noqa: E402


class Scripts(unittest.TestCase):
    def run_script(self, folder, *words):
        run = subprocess.run([os.path.join(ROOT, "bench", words[0]), "--tutti", folder, *words[1:]], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def test_exit_status(self):
        """1 where Tutti's runs fail, or the results cannot be written, which is known before anything is measured."""
        with tempfile.TemporaryDirectory() as folder:
            for name in "tuttirun", "tutti-bench":
                answering_program(folder, name, "none", "")
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
            answering_program(folder, "tutti-bench", "none", "")
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


if __name__ == "__main__":
    unittest.main()
