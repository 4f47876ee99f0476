#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds the rules of the tree: lint.py RULE [ARGUMENT]; prints each breach and exits 1 if there is any.

  layers            includes go downwards only, and foreign headers stay in their folder
  circles           no two files need each other, nor do several in a circle: a .c file, its header and the one that shows it
                    from the inside (_state.h) counted as one; nor do the functions of a folder's files call each other so
  sizes             no file and no function grows out of sight
  names             file names are unique, files begin with their licence
  kinds             no file lies in the tree that is of no kind known here, such as what a crash leaves
  environment       getenv is called in one file alone
  collectives       a collective is named where it is defined, and where it is used, but in no table or switch beside; all are measured
  format            clang-format would change nothing (skipped, 77, where it is missing)
  symbols LIBRARY   the shared library exports tutti_* and nothing else
  pages LIBRARY MAN every function that the library exports has a page in MAN, no page names one that is not there, and groff
                    takes all of them, docs/man too, without a warning
"""
import collections
import glob
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The most lines of a file and of a function; tests, and public headers with all their words, have more.
FILE_LINES, FUNCTION_LINES = 330, 32
LONG_FILE_LINES, LONG_FUNCTION_LINES = 450, 60

# Folder -> the folders, or single headers, it may include from besides itself and include/. Longest prefix wins.
BASE = ["runtime/base"]
LOW = BASE + ["pmi"]
MIDDLE = LOW + ["runtime/machine", "runtime/topology", "runtime/fabric", "runtime/node"]
COMM = MIDDLE + ["runtime/comm"]
PEERS = COMM + ["runtime/peers"]
PROGRESS = PEERS + ["runtime/progress"]
REQUEST = PROGRESS + ["runtime/request"]
P2P = REQUEST + ["runtime/p2p"]
FORM = BASE + ["collectives/schedule", "collectives/patterns"]
MAY = {
    "include": [],
    "runtime/base": [],
    "runtime/machine": BASE,
    "pmi": BASE,
    "runtime/topology": LOW,
    "runtime/fabric": LOW,
    "runtime/node": LOW + ["runtime/machine"],
    "runtime/comm": MIDDLE,
    "runtime/peers": COMM,
    "runtime/progress": PEERS,
    "runtime/request": PROGRESS,
    "runtime/p2p": REQUEST,
    "runtime/rma": P2P,
    "collectives/patterns": [],
    "collectives/schedule": BASE,
    "collectives/contract": FORM + ["runtime/machine", "runtime/comm"],
    "collectives/proof": FORM + ["collectives/contract"],
    "collectives/select": BASE + ["collectives/contract"],
    "collectives/compose": FORM + ["collectives/contract", "collectives/bcast", "collectives/reduce"],
    "collectives/execute": P2P + FORM + ["runtime/rma", "collectives/contract", "collectives/select", "collectives/compose"],
    "collectives/agree": P2P + ["runtime/rma", "collectives/patterns", "collectives/execute"],
    "collectives/calls": P2P + ["collectives/agree", "collectives/contract", "collectives/execute"],
    "keep": P2P + ["collectives/agree"],
    "streams": BASE + ["runtime/fabric"],
    "runtime": ["runtime", "pmi", "collectives", "keep"],
    "launcher": BASE + ["runtime/topology"],
    "bench": [],
    "examples": [],
    "tools": ["bench"],
    "tests": ["runtime", "pmi", "collectives", "keep", "streams", "launcher", "bench", "examples", "tools"],
}
# A folder of collectives/ without a row there is a collective. It builds schedules alone: of what carries them out it has
# only the one header that makes its public forms. What several share stands below them; of another collective it has
# algorithms only where it is built of it.
BUILT_OF = {
    "allgather": ["bcast"],
    "allgatherv": ["allgather"],
    "alltoallv": ["alltoall"],
    "alltoallw": ["alltoallv"],
    "exscan": ["scan"],
    "gatherv": ["gather"],
    "neighbor_allgather": ["neighbor_alltoall"],
    "neighbor_allgatherv": ["neighbor_alltoall"],
    "neighbor_alltoallv": ["neighbor_alltoall"],
    "neighbor_alltoallw": ["neighbor_alltoallv"],
    "reduce_scatter": ["reduce_scatter_block"],
    "scatterv": ["scatter"],
}
EACH = [home for home in sorted(glob.glob("collectives/*", root_dir=ROOT)) if os.path.isdir(os.path.join(ROOT, home)) and home not in MAY]
MAY.update({home: ["collectives/" + name for name in ["schedule", "patterns", "contract", "compose", "calls/forms.h"] + BUILT_OF.get(os.path.basename(home), [])]
            for home in EACH})
FOREIGN = {
    "rdma/": ["runtime/fabric", "streams", "examples/ofi", "tests"],
    "pmix": ["pmi", "launcher", "tests"],
    "hwloc": ["runtime/topology", "tests"],
    "mpi.h": ["bench", "tests"],
    "sodium": ["streams", "tests"],
}
# Atomics of these come from runtime/base/atomics.h, which a test replaces.
ATOMICS = ("runtime/node/", "collectives/execute/")
GETENV = ["runtime/base/options.c"]
GETENV_FREE = ("bench/", "examples/", "tools/", "launcher/", "tests/")
# What lies in the tree: by its ending, by its path, in these folders; else scripts.
KINDS = (".1", ".c", ".cmake", ".conf", ".css", ".h", ".html", ".hwloc", ".in", ".js", ".json", ".ld", ".md", ".png", ".py", ".sh", ".supp", ".svg", ".txt", ".xml")
PLAIN = (".clang-format", ".gitignore", "LICENSE", "scripts/packages")
CORPUS = "tests/fuzz/corpus/"


def tracked():
    listing = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    return sorted(p for p in listing.stdout.splitlines() if os.path.exists(os.path.join(ROOT, p)))


def sources():
    return [p for p in tracked() if p.endswith((".c", ".h"))]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def folder_of(path, table):
    fits = [k for k in table if path.startswith(k + "/")]
    return max(fits, key=len) if fits else None


def layers():
    for path in sources():
        home = folder_of(path, MAY)
        if home is None:
            yield f"{path}: this folder has no layer; give it a row in tests/lint/lint.py"
            continue
        for mark, name in re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)', read(path), re.M):
            if mark == '"' and "/" in name and not name.startswith("tutti/"):
                allowed = MAY[home] + [home]
                if not any(name == a or name.startswith(a + "/") for a in allowed):
                    yield f"{path}: includes {name}; {home} stands on {', '.join(allowed)}"
            if name == "stdatomic.h" and path.startswith(ATOMICS):
                yield f"{path}: includes <stdatomic.h>; atomics of memory that ranks share come from runtime/base/atomics.h"
            for prefix, homes in FOREIGN.items():
                if mark == "<" and name.startswith(prefix) and not any(path.startswith(h + "/") for h in homes):
                    yield f"{path}: includes <{name}>, which only {', '.join(homes)} may"


def part(path):
    """What the file is a part of: its path without ending, and without _state where that is a header alone."""
    name = re.sub(r"\.[ch]$", "", path)
    whole = re.sub(r"_state$", "", name)
    exists = lambda file: os.path.exists(os.path.join(ROOT, file))
    return whole if exists(whole + ".h") and not exists(name + ".c") else name


def needs():
    """File, as part() has it -> those that it includes."""
    found = {part(path): set() for path in sources() if not path.startswith("tests/")}
    for path in sources():
        for name in re.findall(r'^\s*#\s*include\s*"([^"]+\.h)"', read(path), re.M):
            name = part(name if "/" in name else os.path.join(os.path.dirname(path), name))
            if part(path) in found and name in found and name != part(path):
                found[part(path)].add(name)
    return found


def reached(graph, start):
    seen, left = set(), [start]
    while left:
        for name in graph[left.pop()] - seen:
            seen.add(name)
            left.append(name)
    return seen


def named(text, inline):
    """All words of the text, and of the inline functions that these name."""
    seen, left = set(), [text]
    while left:
        words = set(re.findall(r"\b\w+\b", left.pop())) - seen
        seen |= words
        left += [inline[word] for word in words if word in inline]
    return seen


def calls():
    """.c file -> others of its folder whose functions it names, itself or by inline functions of headers."""
    texts = {path: re.sub(r'"(?:\\.|[^"\\\n])*"', '""', without_comments(read(path)))
             for path in sources() if not path.startswith("tests/")}
    inline = dict(pair for path, text in texts.items() if path.endswith(".h")
                  for pair in re.findall(r"^static inline [\w *]*?\b(\w+)\([^;{}]*\)\s*\n\{(.*?)^\}", text, re.M | re.S))
    texts = {path: text for path, text in texts.items() if path.endswith(".c")}
    homes = collections.defaultdict(set)
    for path, text in texts.items():
        for name in re.findall(r"^(?!(?:TTI_HOT )?static|typedef)[A-Za-z_][\w *]*?\b(\w+)\([^;{}]*\)\s*\n\{", text, re.M):
            homes[name].add(path)
    return {path: {home for name in named(text, inline) for home in homes[name]
                   if len(homes[name]) == 1 and home != path and os.path.dirname(home) == os.path.dirname(path)}
            for path, text in texts.items()}


def circles():
    yield from circles_of(needs(), "need")
    yield from circles_of(calls(), "call")


def circles_of(graph, do):
    below = {name: reached(graph, name) for name in graph}
    told = set()
    for name in sorted(graph):
        circle = {other for other in below[name] if name in below[other]}
        if len(circle) > 1 and not circle & told:
            told |= circle
            yield f"{', '.join(sorted(circle))}: these files {do} each other"


def functions(text):
    """(name, first line, lines) of each function: a line that is '{' alone opens one, '}' alone closes it."""
    lines = text.split("\n")
    start = None
    for i, line in enumerate(lines):
        if line == "{":
            start = i
        elif line == "}" and start is not None:
            head = " ".join(lines[max(0, start - 4):start])
            name = re.findall(r"(\w+)\s*\(", head)
            yield (name[-1] if name else "?"), start, i - start - 1
            start = None


def sizes():
    for path in sources():
        text = read(path)
        count = text.count("\n")
        long = path.startswith(("tests/", "include/"))
        file_lines, function_lines = (LONG_FILE_LINES, LONG_FUNCTION_LINES) if long else (FILE_LINES, FUNCTION_LINES)
        if count > file_lines:
            yield f"{path}: {count} lines; {file_lines} are the most"
        for name, line, length in functions(text):
            if length > function_lines:
                yield f"{path}:{line}: {name} has {length} lines; {function_lines} are the most"


def names():
    seen = collections.defaultdict(list)
    for path in sources():
        seen[os.path.basename(path)].append(path)
        if not read(path).startswith("/* SPDX-License-Identifier: BSD-3-Clause */"):
            yield f"{path}: does not begin with its licence line"
    for name, paths in seen.items():
        inner = [p for p in paths if not p.startswith(("include/", "tests/"))]
        if len(inner) > 1:
            yield f"{name}: the name stands for several files: {', '.join(inner)}"


def kinds():
    for path in tracked():
        end = os.path.splitext(path)[1]
        if end in KINDS or path in PLAIN or path.startswith(CORPUS):
            continue
        with open(os.path.join(ROOT, path), "rb") as f:
            if end or f.read(2) != b"#!":
                yield f"{path}: of what kind is it? see KINDS in tests/lint/lint.py"


def environment():
    for path in sources():
        if path in GETENV or path.startswith(GETENV_FREE):
            continue
        if re.search(r"\b(secure_)?getenv\s*\(", read(path)):
            yield f"{path}: calls getenv; options come from runtime/base/options.h"


# Who may name a collective in code: its folder and others' (a composition is made of several), those who call one,
# and what tells of its sizes.
COLLECTIVES = "runtime/base/collectives_table.h"
NAMING = ("collectives/calls/acquaint.c", "collectives/calls/comm_graph.c", "collectives/calls/comm_group.c", "collectives/calls/context_agree.c", "collectives/calls/verify.c",
          "include/tutti/collectives.h", "runtime/machine/machine_tell.c")


def without_comments(text):
    """Comments out, strings kept."""
    return re.sub(r'("(?:\\.|[^"\\\n])*")|/\*.*?\*/', lambda m: m.group(1) or "", text, flags=re.S)


def collectives():
    folders = re.findall(r"^COLLECTIVE\([A-Z_]+, ([a-z_]+),", read(COLLECTIVES), re.M)
    if not folders:
        yield f"{COLLECTIVES}: has no rows"
    measured = re.findall(r"^COLLECTIVE\([A-Z_]+, ([a-z_]+),", read("bench/collectives_measured.h"), re.M)
    for name in set(folders) ^ set(measured):
        yield f"bench/collectives_measured.h: {name} stands there or in {COLLECTIVES}, and not in both"
    homes = tuple(f"collectives/{name}/" for name in folders)
    one = "|".join(folders)
    naming = re.compile(rf'\bTTI_(OPTION_)?({one.upper()})\b|\b(tti|tutti)_(call_|contract_)?i?({one})(_init)?\b|"({one})"')
    for path in sources():
        if not path.startswith(("collectives/", "runtime/", "include/")) or path == COLLECTIVES or path.startswith(homes + NAMING):
            continue
        for found in naming.finditer(without_comments(read(path))):
            yield f"{path}: names {found.group(0)}; what is special of a collective stands in its contract"
    for name in folders:
        if not os.path.exists(os.path.join(ROOT, f"collectives/{name}/{name}.c")):
            yield f"{COLLECTIVES}: {name} has no collectives/{name}/{name}.c"


def layout():
    tool = shutil.which("clang-format")
    if tool is None:
        print("skipped: clang-format is not installed")
        sys.exit(77)
    run = subprocess.run([tool, "--dry-run", "-Werror"] + sources(), cwd=ROOT, capture_output=True, text=True)
    for line in run.stderr.splitlines():
        if "error:" in line:
            yield line


def exported(library):
    run = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library], capture_output=True, text=True, check=True)
    return [line.split()[0] for line in run.stdout.splitlines()]


def symbols(library):
    found = exported(library)
    if not any(s.startswith("tutti_") for s in found):
        yield f"{library}: exports nothing"
    for symbol in found:
        if not symbol.startswith("tutti_"):
            yield f"{library}: exports {symbol}"


def pages(library, man):
    for function in exported(library):
        if not os.path.exists(os.path.join(man, "man3", function + ".3")):
            yield f"{function}: exported, but without a page; document it in include/tutti"
    for page in sorted(glob.glob(os.path.join(man, "man*", "*")) + glob.glob(os.path.join(ROOT, "docs/man/*"))):
        for name, section in re.findall(r"\\fB(tutti_\w+|TUTTI_\w+)\\fR\((\d)\)", read(page)):
            if not os.path.exists(os.path.join(man, "man" + section, f"{name}.{section}")):
                yield f"{page}: names {name}({section}), which is not there"
        # From the folder of pages, as those of the forms of a function are found relative to it.
        run = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", page], cwd=man, capture_output=True, text=True)
        yield from run.stderr.splitlines()


RULES = {"layers": layers, "circles": circles, "sizes": sizes, "names": names, "kinds": kinds, "environment": environment, "collectives": collectives,
         "format": layout, "symbols": symbols, "pages": pages}


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in RULES:
        sys.exit(__doc__)
    breaches = list(RULES[sys.argv[1]](*sys.argv[2:]))
    print("\n".join(breaches) if breaches else f"{sys.argv[1]}: kept")
    sys.exit(1 if breaches else 0)


if __name__ == "__main__":
    main()
