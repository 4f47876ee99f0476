# SPDX-License-Identifier: BSD-3-Clause
"""The command line of bench/compare, and what follows from it."""
import argparse
import copy
import os
import re

from collectives import COLLECTIVES
from peers import ROOT, Problem
from processors import cores_apart
from sizes import ELEMENT_BYTES, SIZES_MOST, expand, seconds_of

MESSAGES = ("latency", "bandwidth", "bibandwidth", "rate", "halo")
ONE_SIDED = ("put", "get", "put-bandwidth", "get-bandwidth", "fetch-add", "compare-swap")
WHOLE_JOBS = {"startup": 64, "idle": 8, "flow": 8}  # and their usual numbers of ranks
FLOW_RANKS = 2  # what flow on more ranks is set beside
TESTS = MESSAGES + ONE_SIDED + COLLECTIVES + tuple(WHOLE_JOBS)
FORMS = ("blocking", "nonblocking", "persistent")
OPERATIONS = ("sum", "prod", "min", "max")
STARTS = ("auto", "clock", "barrier", "iteration", "none")
WINDOW_MOST, STEPS_MOST = 4096, 10 ** 9

FAIRNESS = """\
how it is kept fair:
  The loop of tutti-bench is compiled by each MPI's own mpicc (-O3): sizes, warm-up, stopping rule and validation are
  the same code. Libraries run one after the other, never at once; every round runs all of them, beginning with another
  one each time, so that a slow minute of the machine meets all. The figure is the median over the rounds of each
  run's median. On one node every round also measures the machine, and the last columns are the least that any
  library has to take (docs/benchmarking.md) and Tutti's time over it. Where ranks <= cores each rank is bound to a
  core of its own by its launcher; otherwise none is bound. Where ranks outnumber processors (of which a core may have
  several) Open MPI runs twice: as installed (--oversubscribe), and with its own setting (mpi_yield_when_idle).
  Debian's MPICH (ch4:ucx) has no setting that makes it yield, so it runs as installed. The ratio is to the best of all
  these.
  Over hosts made of network namespaces (--hosts) each host is pinned to one core by taskset, Open MPI gets --bind-to
  none and yields, and MPICH, which is built on UCX and would see through the namespaces, gets UCX_TLS=tcp,self.
  Reductions sum floats by default (Open MPI saturates sums of char). A run that fails shows as "failed", with its
  reason. A slow library meets fewer sizes: a run begins no new size once it took twice the time allowed for all; and
  one that is 20 times slower than the best at every size of the first round is not run again.

examples:
  bench/compare allreduce bcast barrier -n 4
  bench/compare barrier allreduce -n 4,8,16,32 --sizes 8
  bench/compare allreduce --type float,double --op sum,max --sizes 4-1k
  bench/compare halo -n 8,16 --sizes 1k,64k
  bench/compare allreduce --memory shared --sizes 4k-16m
  bench/compare allreduce bcast barrier --hosts 3x2 --sizes 8-1m --json table.json
  bench/compare scatter gather --hosts 1+2+5 --sizes 8-256k
  bench/compare barrier -n 8 --variant 'Tutti asleep=Tutti:TUTTI_WAIT=sleep'
  bench/compare startup -n 64
  bench/compare idle
  bench/compare flow
  bench/compare pingpong --hosts 2x1 --provider 'tcp;ofi_rxm'
"""


def add_common(add):
    """What every script of measurements takes."""
    add("--rounds", type=int, default=5, help="rounds over all libraries [5]")
    add("--max-time", default="500ms", help="longest time per size and run [500ms]")
    add("--timeout", type=float, help="seconds that a run may take [by sizes and --max-time]")
    add("--mpi", action="append", default=[], metavar="NAME=MPICC:MPIEXEC", help="adds an MPI; may be repeated")
    add("--only", action="store_true", help="only the MPIs named by --mpi, not those found")
    add("--variant", action="append", default=[], metavar="NAME=LIBRARY:VAR=VALUE,...",
        help="adds a library once more with these environment variables, of which all but the first begin with a capital letter, since "
        "values may have commas; may be repeated")
    add("--tutti", metavar="DIR", help="folder of tutti-bench and tuttirun [build/release, else the PATH]")
    add("--cache", metavar="DIR", help="where the MPIs' programs are kept [build/compare, or ~/.cache/tutti-compare]")
    add("--json", metavar="FILE", help="writes every figure of every round")
    add("--verbose", action="store_true", help="shows each command")


def parse(description, words):
    parser = argparse.ArgumentParser(prog="compare", description=description, epilog=FAIRNESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("tests", nargs="+", metavar="TEST", help="tests of tutti-bench; flow (the example, beside itself on 2 ranks); or pingpong "
        "(beside ping-pongs on libfabric alone), alone")
    add("-n", dest="ranks", metavar="RANKS", help="ranks, or a list of them as 4,8,16 [2; startup: 64; idle, flow: 8]")
    add("--sizes", help="as tutti-bench --sizes [messages: 1-8m, one-sided: 8-1m, collectives: 4-1m]")
    add("--form", help="of collectives and halo: blocking, nonblocking, persistent [blocking; halo: nonblocking]")
    add("--type", default="float", help="of reductions: float, double, int32, int64, or a list [float]")
    add("--op", default="sum", help="of reductions: sum, prod, min, max, or a list [sum]")
    add("--memory", default="plain", choices=("plain", "shared"),
        help="buffers: plain (malloc) or shared (tutti_mem_alloc, MPI_Alloc_mem) [plain]")
    add("--least", metavar="RATIO", help="what Tutti is to reach of the best MPI at every size where it is not at the machine's floor: "
        "what is below gets three times as many rounds more, and what stays below is listed at the end, with exit status 1")
    add("--steps", help="of flow: time steps [those of the shipped input]")
    add("--window", help="as tutti-bench --window [64]")
    add("--sync", help="as tutti-bench --sync [auto]")
    add("--hosts", metavar="HxR", help="on H hosts made of network namespaces, R ranks each, or with numbers of ranks of their own: "
        "1+2+5 (root only)")
    add("--unpinned", action="store_true", help="with --hosts: do not pin each host to a core")
    add("--start", metavar="COMMAND", help="starts the ranks instead of the launchers; {n}, {library}, {mpiexec}, "
        "{launcher} (mpirun or hydra) and {env} (-x NAME=VALUE...) stand for their values")
    add("--provider", default="tcp;ofi_rxm", help="of pingpong: libfabric provider [tcp;ofi_rxm]")
    add_common(add)
    return parser.parse_args(words)


def chosen(option, text, choices):
    """The parts of a comma-separated list, each one of the choices."""
    parts = text.split(",")
    for part in parts:
        if part not in choices:
            raise Problem("%s %s: choose of %s" % (option, text, ", ".join(choices)))
    return parts


def check_number(option, text, most):
    if not re.fullmatch("[0-9]{1,10}", text) or not 1 <= int(text) <= most:
        raise Problem("%s %s: write a number from 1 to %d" % (option, text, most))


def check_passed_on(plan):
    """What tutti-bench and flow are given as it stands: they would refuse it as often as there are runs."""
    if plan.window is not None:
        check_number("--window", plan.window, WINDOW_MOST)
    if plan.steps is not None:
        check_number("--steps", plan.steps, STEPS_MOST)
    if plan.sync is not None and plan.sync not in STARTS:
        raise Problem("--sync %s: choose of %s" % (plan.sync, ", ".join(STARTS)))
    if plan.sizes is not None and len(expand(plan.sizes)) > SIZES_MOST:
        raise Problem("--sizes %s: these are more than %d sizes" % (plan.sizes, SIZES_MOST))
    if plan.timeout is not None and not 0 < plan.timeout < float("inf"):
        raise Problem("--timeout %g: write a number of seconds above 0" % plan.timeout)


def rank_counts(text):
    try:
        counts = [int(part) for part in text.split(",")]
    except ValueError:
        counts = [0]
    if min(counts) < 1:
        raise Problem("-n %s: write a number of ranks from 1, or a list as 4,8,16" % text)
    return counts


def ranks_of_hosts(text):
    """How many ranks each host has, of 3x2, or 1+2+5."""
    hosts, cross, ranks = text.partition("x")
    counts = [ranks] * int(hosts) if cross and hosts.isdecimal() else text.split("+") if "+" in text else []
    if not 1 <= len(counts) <= 9 or not all(one.isdecimal() and int(one) >= 1 for one in counts):
        raise Problem("--hosts %s: write HOSTSxRANKS, as 3x2, or the ranks of each, as 1+2+5 (at most 9 hosts)" % text)
    return [int(one) for one in counts]


def complete_hosts(plan):
    if plan.ranks:
        raise Problem("--hosts %s says how many ranks there are: leave -n %s out" % (plan.hosts, plan.ranks))
    counts = ranks_of_hosts(plan.hosts)
    plan.ranks = str(sum(counts))
    plan.start = plan.start or "hosts-run -n %s --launcher {launcher} {env} --" % ",".join(str(one) for one in counts)


def usual_ranks(tests):
    """What is not said is the tests' own number, if they have one in common."""
    usual = {WHOLE_JOBS.get(test, 2) for test in tests}
    if len(usual) > 1:
        raise Problem("%s are usually run on other numbers of ranks than each other: give -n, or one after the other"
                      % ", ".join(tests))
    return str(usual.pop())


def complete(plan):
    """Fills in what follows from the rest; what it refuses names the remedy."""
    if plan.tests != ["pingpong"]:
        if "pingpong" in plan.tests:
            raise Problem("pingpong is run alone, and %s without it: one after the other, please"
                          % ", ".join(test for test in plan.tests if test != "pingpong"))
        for test in plan.tests:
            if test not in TESTS:
                raise Problem("there is no test '%s' here; there are %s, and pingpong, alone" % (test, ", ".join(TESTS)))
    plan.forms = chosen("--form", plan.form, FORMS) if plan.form else None
    plan.types = chosen("--type", plan.type, tuple(ELEMENT_BYTES))
    plan.operations = chosen("--op", plan.op, OPERATIONS)
    check_passed_on(plan)
    if plan.hosts:
        complete_hosts(plan)
    plan.least = least_of(plan)
    if plan.rounds < 1:
        raise Problem("--rounds takes a number from 1")
    plan.rank_list = rank_counts(plan.ranks or usual_ranks(plan.tests))
    if "flow" in plan.tests and FLOW_RANKS in plan.rank_list:
        raise Problem("flow is set beside itself on %d ranks: give another number by -n" % FLOW_RANKS)
    complete_common(plan)


def least_of(plan):
    """Of what is timed at sizes, or as barrier; None: nobody asked."""
    if plan.least is None:
        return None
    others = [test for test in plan.tests if test in WHOLE_JOBS or test == "pingpong"]
    if others:
        raise Problem("--least is not for %s: measure that by itself" % ", ".join(others))
    try:
        least = float(plan.least)
    except ValueError:
        least = 0
    if not 0 < least < float("inf"):
        raise Problem("--least %s: write a ratio above 0, as 0.95" % plan.least)
    return least


def complete_common(plan):
    plan.seconds = seconds_of("--max-time", plan.max_time)
    if not plan.cache:
        inside = os.path.exists(os.path.join(ROOT, "CMakeLists.txt"))
        plan.cache = os.path.join(ROOT, "build", "compare") if inside else os.path.expanduser("~/.cache/tutti-compare")


def core_counts(plan):
    """Processors that the ranks of this machine share, which tutti-bench calls cores, too; and how many ranks launchers can bind to a
    core each, whose processors may be several. With pinned hosts this script itself sees but one of them."""
    if plan.hosts and not plan.unpinned:
        pinned = min(os.cpu_count(), len(ranks_of_hosts(plan.hosts)))
        return pinned, pinned
    return len(os.sched_getaffinity(0)), len(cores_apart())


def with_ranks(plan, ranks):
    """The plan for one number of ranks."""
    one = copy.copy(plan)
    one.ranks, (one.cores, apart) = ranks, core_counts(plan)
    one.bind = "core" if ranks <= apart else "none"
    return one
