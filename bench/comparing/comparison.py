# SPDX-License-Identifier: BSD-3-Clause
"""The side-by-side: all tests of a plan, over all libraries, at all numbers of ranks."""
import contextlib
import errno
import json
import os
import stat
import sys
import tempfile

import floors
from arguments import ranks_of_hosts, with_ranks
from jobs import JOBS, find_flow
from peers import Trouble, add_variants, find_mpis, find_tutti, refuse_equal_names, with_yield
from rounds import all_series, measure
from runs import Failure, run_bench, warn_if_busy
from tables import print_series, series_json

# What stands among the libraries' names in tables and results.
OTHER_NAMES = ["floor", "fi_pingpong", "pingpong_rdm"]


def layout_text(plan):
    if plan.hosts and not plan.unpinned:
        return "each host pinned to one of %d cores" % plan.cores
    if plan.bind == "core" and not plan.start:
        return "each rank bound to a core"
    return "sharing %d processors, not bound by their launchers" % plan.cores


def congestion_control():
    """By what the kernel here paces TCP, which sets some of what is measured between hosts (docs/performance.md)."""
    try:
        with open("/proc/sys/net/ipv4/tcp_congestion_control", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return "an unknown congestion control"


def hosts_text(plan):
    if not plan.hosts:
        return ""
    return " on %d hosts (TCP under %s)" % (len(ranks_of_hosts(plan.hosts)), congestion_control())


def print_machine(plan, tutti):
    """What the machine takes just now, with no library between."""
    if not floors.on_this_machine(plan):
        return
    tests = (floors.LINE, floors.MEET, floors.WAKE)
    try:
        found = floors.Machine(run_bench(tutti, plan, floors.arguments_of(plan, tests, None), floors.limit_of(plan, None)))
    except Failure as failure:
        plan.say("the machine's floor: %s" % failure)
        return
    print("the machine: a line passes from rank to rank in %.2f us, %d ranks meet in %.2f us, a sleeper is woken in %.1f us"
          % (found.only(floors.LINE), plan.ranks, found.only(floors.MEET), found.only(floors.WAKE)))


def compare_ranks(plan, peers, found):
    """All tests at one number of ranks: each is added to what was found when it is done."""
    names = [peer.name for peer in peers]
    print("\n%d ranks%s, %s, %s buffers, %d rounds"
          % (plan.ranks, hosts_text(plan), layout_text(plan), plan.memory, plan.rounds))
    print_machine(plan, peers[0])
    for test, compare_job in JOBS.items():
        if test in plan.tests:
            found.append(compare_job(plan, peers))
    for series in all_series(plan, [test for test in plan.tests if test not in JOBS]):
        measure(plan, peers, series)
        print_series(series, names, "%s, %d ranks" % (series.title(), plan.ranks), sys.stdout)
        sys.stdout.flush()
        found.append(series_json(series, names, plan))


def find_peers(plan):
    """Tutti, the MPIs that are wanted, and variants of them."""
    tutti = find_tutti(plan.tutti)
    warn_if_busy(plan.say)
    if plan.verbose:
        plan.say("Tutti is " + tutti.program)
    alone = plan.tests == ["pingpong"]
    mpis = [] if alone else find_mpis(plan.mpi, plan.only, plan.cache, plan.say)
    peers = add_variants([tutti] + mpis, plan.variant)
    refuse_equal_names([peer.name for peer in with_yield(peers, True)] + OTHER_NAMES)
    if alone:
        return peers
    if len(peers) == 1:
        plan.say("no MPI was found: apt install openmpi-bin libopenmpi-dev mpich libmpich-dev, or --mpi")
    return peers


def compare_all(plan, peers, found):
    """All tests at all numbers of ranks: printed, and added to what was found."""
    for ranks in plan.rank_list:
        one = with_ranks(plan, ranks)
        compare_ranks(one, with_yield(peers, ranks > one.cores and not plan.start), found)


def own_failed(tests, peers):
    """Whether a run of Tutti's, or of a variant of it, did not end well."""
    own = {peer.name for peer in peers if peer.family == "tutti"}
    return any(own.intersection([*test["failed"], *test.get("lingered", ())]) for test in tests)


def check_first(plan, tests, tutti):
    """Before hours of measuring: what would stop them, or lose what they found."""
    if "flow" in tests:
        find_flow(tutti)
    if plan.json:
        check_json(plan.json)


@contextlib.contextmanager
def writing(path):
    try:
        yield
    except OSError as error:
        raise Trouble("--json %s: %s (nothing was written there)" % (path, error.strerror))


def is_written_straight(path):
    """Whatever is there but no plain file: /dev/stdout is a link, and a rename would put a file in its place."""
    return os.path.lexists(path) and (os.path.islink(path) or not os.path.isfile(path))


def is_standard_output(path):
    """What was printed there stays."""
    return os.path.exists(path) and os.path.samestat(os.stat(path), os.fstat(1))


def is_pipe(path):
    return os.path.exists(path) and stat.S_ISFIFO(os.stat(path).st_mode)


def check_json(path):
    """A pipe is not tried: opened and closed it would have ended for its reader."""
    with writing(path):
        if is_pipe(path):
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            return
        if is_written_straight(path):
            with open(path, "a", encoding="utf-8"):
                return
        with tempfile.NamedTemporaryFile(dir=os.path.dirname(os.path.abspath(path))):
            pass


def write_json(path, document):
    """Whole or not at all; straight into devices and links."""
    text = json.dumps(document, indent=1) + "\n"
    with writing(path):
        if is_written_straight(path):
            sys.stdout.flush()
            with open(path, "a" if is_standard_output(path) else "w", encoding="utf-8") as file:
                file.write(text)
            return
        with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(path)), prefix=".tutti-compare-") as folder:
            part = os.path.join(folder, "part")
            with open(part, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(part, path)


@contextlib.contextmanager
def kept(path, found, document):
    """Writes document(False) at the end; document(True), if an exception or a signal comes before and anything was found: hours of
    measuring are not lost with it. Nothing without a path."""
    try:
        yield
    except BaseException:
        if path and found:
            write_json(path, document(True))
        raise
    if path:
        write_json(path, document(False))
