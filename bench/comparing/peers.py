# SPDX-License-Identifier: BSD-3-Clause
"""The libraries that bench/compare sets side by side: found, and the loop built against each."""
import glob
import hashlib
import os
import re
import shlex
import shutil
import subprocess

# The folder of the scripts and of the loop's sources.
BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(BENCH)
# Debian keeps both MPIs side by side under these names.
KNOWN = [("Open MPI", "mpicc.openmpi", "mpirun.openmpi"), ("MPICH", "mpicc.mpich", "mpiexec.mpich")]
# Its own setting for more ranks than cores. Debian's MPICH has none: MPIR_CVAR_POLLS_BEFORE_YIELD is of its old devices, and
# the library built for ch4:ucx does not even link sched_yield().
OPENMPI_YIELD = {"OMPI_MCA_mpi_yield_when_idle": "1"}


class Problem(Exception):
    """Something that ends the comparison: one line that names the remedy. What was asked for cannot be."""
    status = 2  # of the exit


class Trouble(Problem):
    """One that the command line has no part in."""
    status = 1


class Peer:
    """One library as it is run: its name, family (tutti, openmpi or mpich: how its launcher is spoken to), launcher,
    program, and settings (environment variables)."""

    def __init__(self, name, family, launcher, program, settings=None):
        self.name, self.family, self.launcher, self.program = name, family, launcher, program
        self.settings, self.version, self.is_old = settings or {}, name, False

    def variant(self, name, settings):
        """The same library under another name, with these settings too."""
        return Peer(name, self.family, self.launcher, self.program, dict(self.settings, **settings))

    def command(self, ranks, bind):
        """The words that start `ranks` ranks on this machine, pinned alike: each to a core, or not at all."""
        words = shlex.split(self.launcher) + ["-n", str(ranks)]
        if self.family == "openmpi":
            return words + ["--oversubscribe", "--bind-to", bind]
        if self.family == "mpich":
            return words + (["-bind-to", "core"] if bind == "core" else [])
        return words + ["--bind-to", bind]


def find_tutti(place):
    """tutti-bench and tuttirun: in `place`, else in this tree's release build (never in a debug or sanitized one,
    whose times mean nothing), else in the PATH."""
    places = [place, os.path.join(place, "bin")] if place else [os.path.join(ROOT, "build", "release", "bin")]
    for folder in places:
        program, launcher = os.path.join(folder, "tutti-bench"), os.path.join(folder, "tuttirun")
        if os.access(program, os.X_OK) and os.access(launcher, os.X_OK):
            return Peer("Tutti", "tutti", os.path.abspath(launcher), os.path.abspath(program))
    program, launcher = shutil.which("tutti-bench"), shutil.which("tuttirun")
    if place or not program or not launcher:
        raise Problem("no tutti-bench with its tuttirun %s: build Tutti first (cmake --preset release && cmake --build "
                      "--preset release), or name its folder with --tutti" % ("in " + place if place else "here"))
    return Peer("Tutti", "tutti", launcher, program)


def told_by(words):
    """What a program says, on whichever stream; nothing where it cannot be run or does not end."""
    try:
        run = subprocess.run(words, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout + run.stderr


def family_of(compiler, launcher):
    """openmpi or mpich: how the launcher is spoken to. Open MPI's names itself, by its version's name or its old run-time
    system's; where a script of the site's hides it, the compiler wrapper tells what it links (-lmpi, from 5 on -lopen_mpi)."""
    if not shutil.which(shlex.split(compiler)[0]):
        raise Problem("--mpi: there is no program %s" % shlex.split(compiler)[0])
    said = told_by(shlex.split(launcher) + ["--version"])
    linked = told_by(shlex.split(compiler) + ["-show"])
    if re.search(r"open[ _-]?mpi|openrte|prrte", said, re.I) or re.search(r"open[_-]?mpi", linked, re.I):
        return "openmpi"
    return "mpich"


def sources():
    """The loop, with the port to MPI in place of the one to Tutti."""
    found = [p for p in glob.glob(os.path.join(BENCH, "*.c")) if not os.path.basename(p).startswith("port_tutti")]
    if not any(p.endswith("port_mpi.c") for p in found):
        raise Problem("the sources of the loop are not in %s" % BENCH)
    return sorted(found)


def flags_of(package):
    run = subprocess.run(["pkg-config", "--cflags", "--libs", package], capture_output=True, text=True)
    if run.returncode:
        raise Problem("%s is missing for building the loop: apt install libjansson-dev pkg-config" % package)
    return shlex.split(run.stdout)


def loop_hash():
    """Of the sources of the loop, as tutti-bench has that of those it was built of (loop_hash.cmake)."""
    hashes = []
    for path in glob.glob(os.path.join(BENCH, "*.[ch]")):
        if not os.path.basename(path).startswith("port_"):
            with open(path, "rb") as source:
                hashes.append(hashlib.sha256(source.read()).hexdigest())
    return hashlib.sha256("\n".join(sorted(hashes)).encode()).hexdigest()


def wrapper_settings():
    """What the wrappers of Open MPI and MPICH read in the environment: another compiler, other flags."""
    names = [family + part for family in ("OMPI_", "MPICH_") for part in ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS", "LIBS")]
    return ["%s=%s" % (name, os.environ[name]) for name in names if name in os.environ]


def stamp(compiler, files, flags):
    """Changes with any source, with the compiler wrapper, and with what either is told."""
    state = hashlib.sha256("\0".join([compiler] + flags + wrapper_settings()).encode())
    wrapper = shutil.which(shlex.split(compiler)[0])
    if wrapper:
        state.update(os.path.realpath(wrapper).encode() + b"%d" % os.stat(wrapper).st_mtime_ns)
    for path in files + glob.glob(os.path.join(BENCH, "*.h")):
        with open(path, "rb") as source:
            state.update(source.read())
    return state.hexdigest()[:16]


def build(name, compiler, cache):
    """Path of the loop built by `compiler`; built anew only if something changed."""
    files = sources()
    flags = ["-O3", "-std=c11", "-D_GNU_SOURCE", "-w", "-I", ROOT] + flags_of("jansson") + ["-lm"]
    folder = os.path.join(cache, name.lower().replace(" ", "") + "-" + stamp(compiler, files, flags))
    program = os.path.join(folder, "mpi-bench")
    if os.access(program, os.X_OK):
        return program
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise Problem("its program cannot be kept in %s: %s; name another folder by --cache" % (cache, error.strerror)) from error
    command = shlex.split(compiler) + files + ["-o", program + ".new"] + flags
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        lines = run.stderr.strip().splitlines()
        raise Problem("%s cannot build the loop: %s" % (compiler, ([one for one in lines if "error" in one] + lines + [""])[0]))
    os.replace(program + ".new", program)
    return program


def find_mpis(added, only, cache, complain):
    """The MPIs of this machine and those that --mpi added; one that cannot be built is left out, and said."""
    wanted = [(n, c, m) for n, c, m in KNOWN if shutil.which(c) and shutil.which(m)] if not only else []
    for text in added:
        name, _, rest = text.partition("=")
        compiler, _, launcher = rest.partition(":")
        if not (name and compiler and launcher):
            raise Problem("--mpi %s: write NAME=MPICC:MPIEXEC" % text)
        wanted.append((name, compiler, launcher))
    peers = []
    for name, compiler, launcher in wanted:
        try:
            peers.append(Peer(name, family_of(compiler, launcher), launcher, build(name, compiler, cache)))
        except Problem as problem:
            complain("%s is left out: %s" % (name, problem))
    return peers


def settings_of(text):
    """The variables of VAR=VALUE,..., or None. A value may have commas, as those of TUTTI_MACHINE and UCX_TLS have: the next
    variable begins behind one that a name with a capital letter follows."""
    pairs = [part.partition("=") for part in re.split(r",(?=[A-Z][A-Za-z0-9_]*=)", text)]
    if not all(sign and re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) for name, sign, _ in pairs):
        return None
    return {name: value for name, _, value in pairs}


def add_variants(peers, texts):
    """The peers, and those among them that --variant runs once more with other settings."""
    found = list(peers)
    for text in texts:
        name, _, rest = text.partition("=")
        base, _, words = rest.partition(":")
        settings = settings_of(words)
        fits = [peer for peer in peers if peer.name == base]
        if not name or not fits or settings is None:
            raise Problem("--variant %s: write NAME=LIBRARY:VAR=VALUE,..., where LIBRARY is one of %s"
                          % (text, ", ".join(peer.name for peer in peers)))
        found.append(fits[0].variant(name, settings))
    return found


def refuse_equal_names(names):
    """The medians of two libraries of one name would be made of both."""
    equal = sorted({name for name in names if names.count(name) > 1})
    if equal:
        raise Problem("two columns would be named %s: give --mpi and --variant names of their own" % ", ".join(equal))


def with_yield(peers, crowded):
    """Where ranks share cores, Open MPI is run as installed and with its own setting for that, right after one another."""
    found = []
    for peer in peers:
        found.append(peer)
        if crowded and peer.family == "openmpi":
            found.append(peer.variant(peer.name + " yield", OPENMPI_YIELD))
    return found
