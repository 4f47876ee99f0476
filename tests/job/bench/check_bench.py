#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of tutti-bench as its users run it: check_bench.py CASE TUTTIRUN PROGRAM [COMPARE]."""
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

FORMS = ["blocking", "nonblocking", "persistent"]
PAIRS = ["latency", "bandwidth", "bibandwidth", "rate", "put", "get", "put-bandwidth", "get-bandwidth", "fetch-add",
         "compare-swap"]
QUICK = ["--max-time", "10ms"]
PATIENCE_S = 600  # what runs longer hangs
# What PMIx itself leaks and races is not what sanitized builds look for.
TESTS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(TESTS), "bench", "comparing"))
from collectives import COLLECTIVES  # noqa: E402
from peers import loop_hash  # noqa: E402

ENVIRONMENT = dict(os.environ, LSAN_OPTIONS="suppressions=%s/lsan.supp:print_suppressions=0" % TESTS,
                   TSAN_OPTIONS="suppressions=%s/tsan.supp:print_suppressions=0" % TESTS)


def run(words, status=0):
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S, env=ENVIRONMENT)
    assert done.returncode == status, "%s: exit status %d\n%s%s" % (words, done.returncode, done.stdout, done.stderr)
    return done


def results_of(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["results"]


def ranks(tuttirun, count, program, arguments, status=0):
    return run([tuttirun, "-n", str(count), program] + arguments, status)


def singleton(tuttirun, program, folder):
    """Without a launcher: collectives of one rank; JSON and CSV tell the same, and that they were written is said."""
    paths = [os.path.join(folder, name) for name in ("x.json", "x.csv")]
    done = run([program, "allreduce", "barrier", "--form", "all", "--sizes", "8,1k", "--json", paths[0], "--csv", paths[1]] + QUICK)
    assert all("tutti-bench: wrote %s\n" % path in done.stderr for path in paths), done
    rows = results_of(paths[0])
    with open(paths[0], encoding="utf-8") as file:
        assert json.load(file)["loop"] == loop_hash(), "it was not built of the sources that lie here"
    with open(paths[1], encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(rows) == len(lines) == 9
    for row, line in zip(rows, lines):
        assert row["test"] == line["test"] and row["form"] == line["form"] and str(row.get("bytes", "")) == line["bytes"]
        assert row["min_us"] <= row["median_us"] <= row["p99_us"]
        assert abs(row["median_us"] - float(line["median_us"])) < 1e-3
        for column in set(line) - {"library", "ranks", "hosts"}:
            assert (line[column] == "") == (column not in row), (column, line, row)


def bounded(tuttirun, program, folder):
    """Back to back; and --total-time leaves out the sizes that there is no time for, at all ranks alike, and keeps the others."""
    path = os.path.join(folder, "x.json")
    ranks(tuttirun, 3, program, ["barrier", "bcast", "allreduce", "--sizes", "8,4k", "--sync", "none", "--json", path] + QUICK)
    assert all(row["sync"] == "none" and row["samples"] > 0 for row in results_of(path))
    ranks(tuttirun, 3, program, ["bcast", "latency", "--sizes", "8", "--sync", "iteration", "--json", path] + QUICK)
    assert results_of(path)[0]["sync"] == "iteration" and all(row["samples"] > 0 for row in results_of(path))
    for sync in ("iteration", "barrier"):  # neighbours keep each other in step: nothing starts them
        ranks(tuttirun, 3, program, ["halo", "neighbor_alltoall", "bcast", "--sizes", "8", "--sync", sync, "--json", path] + QUICK)
        assert [row["sync"] for row in results_of(path)] == ["none", "none", sync], results_of(path)
    limits = ["--max-time", "60ms", "--tolerance", "0.0001", "--total-time", "100ms"]
    done = ranks(tuttirun, 2, program, ["allreduce", "--sizes", "4-1m", "--json", path] + limits)
    assert 0 < len(results_of(path)) < 19 and "left out: sizes" in done.stderr, done


def tour(tuttirun, program, folder):
    """Every test in every form from both kinds of memory, with every batch validated; and a picture of it."""
    path, plot = os.path.join(folder, "x.json"), os.path.join(folder, "x.svg")
    draw = ["--plot", plot] if shutil.which("gnuplot") else []
    shape = ["--form", "all", "--sizes", "8,64k", "--validate", "all", "--json", path] + QUICK
    ranks(tuttirun, 4, program, ["all", "--memory", "shared"] + shape)
    rows = results_of(path)
    ranks(tuttirun, 4, program, ["all"] + shape + draw)
    rows += results_of(path)
    assert not draw or os.path.getsize(plot) > 2000
    for test in COLLECTIVES + ("halo",):
        assert {row["form"] for row in rows if row["test"] == test} == set(FORMS), test
    for test in PAIRS + ["halo"] + list(COLLECTIVES[1:]):
        found = [row for row in rows if row["test"] == test]
        assert found and all(row["validated"] and row["samples"] > 0 and row["median_us"] > 0 for row in found), test


def types(tuttirun, program, folder):
    """Every type with every operation, at a number of ranks that is no power of two, and another root."""
    for kind in ("int32", "int64", "float", "double"):
        for op in ("sum", "prod", "min", "max"):
            ranks(tuttirun, 3, program, ["reduce", "allreduce", "bcast", "--root", "2", "--type", kind, "--op", op, "--sizes",
                                         "0,8,1000,64k", "--iterations", "3"])


def startup(tuttirun, program, folder):
    path = os.path.join(folder, "x.json")
    ranks(tuttirun, 4, program, ["startup", "--json", path])
    row, = results_of(path)
    assert row["samples"] == 4 and 0 < row["median_us"]
    assert 1 << 20 < row["resident_bytes"] <= row["resident_bytes_largest"]


def idle(tuttirun, program, folder):
    """Waiting ranks are told apart from the one that computes: they cannot use more than the cores there are."""
    path = os.path.join(folder, "x.json")
    done = ranks(tuttirun, 4, program, ["idle", "--compute", "200ms", "--json", path])
    row, = results_of(path)
    assert 0 <= row["waiters_cpu_percent"] < 100 * os.cpu_count() and row["slowdown"] > 0, done
    assert "at least 2 ranks" in run([program, "idle"], 2).stderr


def floor(tuttirun, program, folder):
    """What the machine takes: no library's time, checked where something is copied, and no part of the tour."""
    path = os.path.join(folder, "x.json")
    tests = ["floor-line", "floor-meet", "floor-copy", "floor-kernel", "floor-pass", "floor-wake",
             "floor-alltoall-kernel", "floor-alltoall-pass", "floor-halo-kernel", "floor-halo-pass"]
    for number in (2, 5):
        ranks(tuttirun, number, program, tests + ["--sizes", "8,70k", "--json", path] + QUICK)
        rows = results_of(path)
        unsized = ("floor-line", "floor-meet", "floor-wake")
        assert [row["test"] for row in rows] == [test for test in tests for _ in range(1 if test in unsized else 2)], rows
        assert all(row["samples"] > 0 and row["median_us"] > 0 and row["validated"] == ("bytes" in row) for row in rows), rows
    ranks(tuttirun, 2, program, ["all", "--sizes", "8", "--json", path, "--iterations", "3"])
    assert not any(row["test"].startswith("floor") for row in results_of(path))


def documented(tuttirun, program, folder, page):
    """The manual page has every test and every option that --help lists."""
    told = run([program, "--help"]).stdout
    with open(page, encoding="utf-8") as file:
        words = set(re.findall(r"[\w-]+", file.read().replace("\\-", "-").replace("\\f", " ")))
    tests = told[told.index("\ntests:\n"):told.index("\nwhat is measured:")]
    names = re.findall(r"^  ((?:[a-z_-]+, )*[a-z_-]+) ", tests, re.M)
    named = {name for line in names for name in line.split(", ")}
    assert {"latency", "allreduce", "floor-halo-pass", "startup", "stream-answer", "all"} <= named, told
    options = set(re.findall(r"--[a-z-]+", told))
    assert {"--sizes", "--version"} <= options, told
    assert named | options <= words, "not in the page: %s" % sorted((named | options) - words)


def wrong(tuttirun, faulty, folder):
    """A library that spoils one element (see port_faulty.c): named, and the job fails."""
    done = ranks(tuttirun, 4, faulty, ["allreduce", "--sizes", "64"] + QUICK, 1)
    assert re.search(r"wrong result of allreduce \(blocking\) at rank 2, element 5: expected \d+, got \d+", done.stderr), done
    ranks(tuttirun, 4, faulty, ["allreduce", "--sizes", "64", "--validate", "off"] + QUICK)
    for test, element in (("bcast", 71), ("reduce", 17), ("allgather", 287), ("gather", 287), ("scatter", 71),
                          ("alltoall", 287), ("scan", 17), ("exscan", 17),
                          ("reduce_scatter_block", 17), ("allgatherv", 287), ("reduce_scatter", 17),
                          ("alltoallv", 287), ("alltoallw", 287), ("gatherv", 287), ("scatterv", 71), ("neighbor_allgather", 287),
                          ("neighbor_allgatherv", 287), ("neighbor_alltoall", 287), ("neighbor_alltoallv", 287),
                          ("neighbor_alltoallw", 287)):
        done = ranks(tuttirun, 4, faulty, [test, "--sizes", "72", "--root", "2"] + QUICK, 1)
        assert re.search(r"wrong result of %s \(blocking\) at rank 2, element %d: expected " % (test, element), done.stderr), done
    done = ranks(tuttirun, 4, faulty, ["allgather", "--form", "persistent", "--sizes", "80"] + QUICK, 1)
    assert re.search(r"wrong result of allgather \(persistent\) at rank \d, element \d+: expected ", done.stderr), done
    for test in ("bandwidth", "bibandwidth", "rate", "put-bandwidth", "get-bandwidth"):  # every message of a window counts
        done = ranks(tuttirun, 2, faulty, [test, "--sizes", "96", "--window", "8"] + QUICK, 1)
        assert re.search(r"wrong result of %s .* at rank \d, element 288: expected \d+, got 238 " % test, done.stderr), done


def clocks(tuttirun, drifting, folder):
    """Where they drift apart (see port_drifting.c) what they differ by is found anew for each size. A machine that is busy may come
    too late to agreed times, and barriers take over: then once more; by what was found before the first size all come too late."""
    path = os.path.join(folder, "x.json")
    for _ in range(20):
        done = ranks(tuttirun, 2, drifting, ["bcast", "--sizes", "8,8,8", "--memory", "shared", "--sync", "clock", "--json", path] + QUICK)
        rows = results_of(path)
        assert len(rows) == 3 and all(row["samples"] > 0 for row in rows), rows
        with open(path, encoding="utf-8") as file:
            assert json.load(file)["clock_error_us"] > 0
        assert re.search(r"compared before each size, to within \d+\.\d us", done.stderr), done
        if all(row["sync"] == "clock" for row in rows):
            return
    raise AssertionError("no run had all three sizes started by the clock: %s" % rows)


def bad_input(tuttirun, program, folder):
    """One line, from one rank, and the right exit status."""
    for arguments, status, text in ((["allredcue"], 2, "no test 'allredcue'"), ([], 2, "name a test"),
                                    (["bcast", "--root", "9"], 2, "ranks 0 to 1"),
                                    (["bcast", "--sizes", "8-x"], 2, "--sizes 8-x"),
                                    (["bcast", "--csv", "x", "--json", "x"], 2, "x: of --json, --csv and --plot each"),
                                    (["bcast", "--json", "/nowhere/x"], 1, "/nowhere/x: No such file"),
                                    (["barrier", "--json", "/dev/full"] + QUICK, 1, "/dev/full: No space left")):
        done = ranks(tuttirun, 2, program, arguments, status)
        lines = [line for line in done.stderr.splitlines() if "tutti-bench:" in line]
        assert len(lines) >= 1 and text in lines[0], done
    assert "at least 2 ranks" in run([program, "latency"], 2).stderr
    assert "allreduce" in run([program, "--help"]).stdout
    for word, told in (("--help", "usage: tuttirun"), ("--version", "tutti-bench ")):  # and of a job one rank does
        assert ranks(tuttirun, 3, program, [word]).stdout.count(told) == 1


def compare(tuttirun, program, folder, script, targets):
    """The side-by-side with the MPIs that are here, and with one that cannot start."""
    if not shutil.which("mpicc.openmpi") and not shutil.which("mpicc.mpich"):
        print("skipped: no MPI is installed")
        sys.exit(77)
    path = os.path.join(folder, "x.json")
    mpicc = "mpicc.mpich" if shutil.which("mpicc.mpich") else "mpicc.openmpi"
    done = run([script, "allreduce", "halo", "--tutti", os.path.dirname(program), "--rounds", "1", "--sizes", "4,8,1k",
                "--max-time", "20ms", "--type", "double", "--op", "max", "--memory", "shared", "--json", path, "--cache",
                os.path.join(folder, "cache"), "--mpi", "Broken=%s:false" % mpicc, "--variant", "Again=Tutti:TUTTI_LOG=error"])
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    reduction, halo = document["tests"]
    assert [size["bytes"] for size in reduction["sizes"]] == [8, 1024] and "Broken" in reduction["failed"], done
    assert (reduction["type"], reduction["op"], document["memory"]) == ("double", "max", "shared"), done
    assert [size["bytes"] for size in halo["sizes"]] == [4, 8, 1024] and halo["form"] == "nonblocking", done
    for size in reduction["sizes"] + halo["sizes"]:
        assert size["median"]["Tutti"] > 0 and size["median"]["Again"] > 0 and size["ratio"] > 0, done
        assert size["floor"] > 0 and size["over_floor"] > 0 and "Tutti/floor" in done.stdout, done
    assert re.search(r"the machine: a line passes .* 2 ranks meet in \d+\.\d\d us, a sleeper", done.stdout), done
    words = [targets, "rate", "--tutti", os.path.dirname(program), "--rounds", "1", "--max-time", "5ms", "--cache",
             os.path.join(folder, "cache")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S, env=ENVIRONMENT)
    assert done.returncode in (0, 1) and re.search(r"=== targets\n(not beside .*\n)?rate \(1.25\) +(met|rate, 2 ranks: 8 \d)", done.stdout), done
    assert "no row 'ratio'" in run([targets, "ratio"], 2).stderr


def consistency(tuttirun, program, folder, script, faulty):
    """The rules catch a size that takes 20 ms longer (see port_faulty.c). Whether they hold is for bench/ to say."""
    os.symlink(tuttirun, os.path.join(folder, "tuttirun"))
    os.symlink(faulty, os.path.join(folder, "tutti-bench"))
    done = run([script, "--relaxed", "--tutti", folder, "-n", "2", "--tests", "bcast,latency", "--sizes", "512"], 1)
    assert re.search(r"2 ranks: bcast of 511 takes \d+\.\d\d us, .* times bcast of 512", done.stdout), done
    assert re.search(r"\d+ rules are broken", done.stdout), done
    for arguments in (["-n", "1"], ["--tests", "put"], ["--cliff", "0.5"]):
        assert "consistency: " in run([script] + arguments, 2).stderr


def main():
    case = globals()[sys.argv[1]]
    with tempfile.TemporaryDirectory(prefix="check-bench-") as folder:
        case(sys.argv[2], sys.argv[3], folder, *sys.argv[4:])


main()
