# SPDX-License-Identifier: BSD-3-Clause
"""Starts one run of one library, never for longer than allowed, and reads its results."""
import json
import os
import shlex
import signal
import subprocess
import tempfile
import threading
import time

from ending import Hold
from peers import BENCH, OPENMPI_YIELD, loop_hash

# MPICH's finalize over UCX's TCP hangs now and then, after the results are there: seconds it is given.
LINGER = 10


class Failure(Exception):
    """A run that did not end well; the text says how."""


def warn_if_busy(say):
    """Before the first run: what else runs here shows in every figure."""
    load = os.getloadavg()[0]
    if load > 1:
        say("other programs are busy on this machine (load %.1f): figures will be noisy" % load)


def environment(peer, plan, extra):
    """What makes the libraries alike where there are more ranks than cores, and lets root start them."""
    env = dict(os.environ)
    if peer.family == "openmpi":
        env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        # Told its cores by a host list it would not know that it shares them, and spin.
        if plan.start and plan.ranks > plan.cores:
            env.update(OPENMPI_YIELD)
    env.update(extra)
    return env


def command_of(peer, plan, extra):
    """The words that start the ranks: the library's own launcher, or the user's --start."""
    if not plan.start:
        return peer.command(plan.ranks, plan.bind)
    words = []
    for word in shlex.split(plan.start):
        if word == "{env}":
            for name, value in sorted(extra.items()):
                words += ["-x", "%s=%s" % (name, value)]
            continue
        for mark, text in (("{n}", str(plan.ranks)), ("{library}", peer.family), ("{mpiexec}", peer.launcher),
                           ("{launcher}", "hydra" if peer.family == "mpich" else "mpirun")):
            word = word.replace(mark, text)
        words.append(word)
    return words


def end(process):
    """The whole group: first asked, then forced; a launcher that is asked cleans up behind itself."""
    for number, grace in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=grace)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def last_words(output):
    """The line of a failed run that says most: the first that names tutti-bench, else the last."""
    lines = [line.strip() for line in output.read().decode(errors="replace").splitlines() if line.strip(" -*\t")]
    told = [line for line in lines if "tutti-bench:" in line]
    return (told[:1] or lines[-1:] or ["it said nothing"])[0][:300]


def wait_for(process, seconds, finished):
    """Exit status; None if it had to be ended although it had finished its work. Failure if it had not."""
    limit, done = time.monotonic() + seconds, None
    waiter = threading.Thread(target=process.wait, daemon=True)  # wait(timeout=...) would sleep up to 50 ms beyond the end
    waiter.start()
    while True:
        waiter.join(0.2)
        if not waiter.is_alive():
            return process.returncode
        now = time.monotonic()
        if done is None and finished():
            done = now
        if done is not None and now > done + LINGER:
            end(process)
            return None
        if now > limit:
            raise Failure("ended after its limit of %.0f s" % seconds)


def start(words, env, output):
    try:
        return subprocess.Popen(words, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)
    except OSError as error:
        raise Failure("%s: %s" % (words[0], error.strerror))


def run_bounded(words, env, seconds, finished=lambda: False):
    """Runs the words; seconds it took (None if it did not end by itself), and what it wrote. Failure if it fails or
    takes too long."""
    with tempfile.TemporaryFile() as output:
        begun, process = time.monotonic(), None
        try:
            with Hold():
                process = start(words, env, output)
            status = wait_for(process, seconds, finished)
        except BaseException:
            if process:
                end(process)
            raise
        took = time.monotonic() - begun
        output.seek(0)
        if status:
            raise Failure("exit status %d: %s" % (status, last_words(output)))
        return None if status is None else took, output.read().decode(errors="replace")


def warn_if_old(peer, plan, results):
    """Once: a tutti-bench of other sources measures in another way than the MPIs', which are built of those at hand."""
    if peer.family == "tutti" and not peer.is_old and results.get("loop") != loop_hash():
        peer.is_old = True
        plan.say("%s was not built of the sources in %s: build Tutti anew" % (peer.program, BENCH))


def run_bench(peer, plan, arguments, limit, extra=None):
    """One run of the loop, of at most `limit` seconds: the JSON it wrote, with the wall time of the whole as "wall_s"."""
    extra = dict(peer.settings, **(extra or {}))
    with tempfile.TemporaryDirectory(prefix="tutti-compare-") as folder:
        path = os.path.join(folder, "results.json")
        words = command_of(peer, plan, extra) + [peer.program] + arguments + ["--json", path]
        if plan.verbose:
            plan.say(" ".join(shlex.quote(word) for word in words))
        took, _ = run_bounded(words, environment(peer, plan, extra), limit, lambda: os.path.exists(path))
        try:
            with open(path, encoding="utf-8") as file:
                results = json.load(file)
        except (OSError, ValueError) as error:
            raise Failure("no results: %s" % error)
    if results.get("ranks") != plan.ranks:
        raise Failure("%s ranks instead of %d: its launcher does not reach it" % (results.get("ranks"), plan.ranks))
    warn_if_old(peer, plan, results)
    results["wall_s"] = took
    peer.version = results.get("library", peer.name)
    return results
