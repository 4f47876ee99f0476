# SPDX-License-Identifier: BSD-3-Clause
"""Whether what was compared reaches what it is to reach."""
from floors import REACHED
from sizes import size_text
from tables import lingering

IDLE_LIMITS = (2, 3)  # percent of a core that the waiters use together, and of its speed that the computing rank loses
FLOW_LIMIT = 1.15     # time on many ranks over time on two


def failures(test):
    """Runs of Tutti that did not end well, whatever figures there are: fast and broken reaches nothing."""
    failed = test.get("failed", {}).get("Tutti")
    lingered = {name: count for name, count in test.get("lingered", {}).items() if name == "Tutti"}
    return (["failed: " + failed] if failed else []) + lingering(lingered)


def miss_of_idle(test):
    missed, figures = failures(test), test["median"].get("Tutti")
    if not figures:
        return missed or ["failed: no figures"]
    if figures["waiters_cpu_percent"] >= IDLE_LIMITS[0]:
        missed.append("waiters use %.2f %% of a core" % figures["waiters_cpu_percent"])
    if figures["slower_percent"] >= IDLE_LIMITS[1]:
        missed.append("computing is slower by %.1f %%" % figures["slower_percent"])
    return missed


def miss_of_flow(test):
    missed = failures(test)
    if test["ratio"] is None:
        return missed or ["failed: no figures"]
    return missed + (["%.3f" % test["ratio"]] if test["ratio"] > FLOW_LIMIT else [])


def title(test):
    kind = ", %s of %s" % (test["op"], test["type"]) if test["type"] else ""
    return "%s%s, %d ranks" % (test["test"], kind, test["ranks"])


def is_at_floor(size):
    """Who is at the machine's floor cannot be quicker, however near to it the peers are."""
    over = size.get("over_floor")
    return over is not None and over <= REACHED


def is_short(size, least):
    """Whether both were measured, and the ratio is below what it is to be."""
    return size["ratio"] is not None and size["ratio"] < least and not is_at_floor(size)


def miss_of_size(size, least):
    """What is missed at a size, or None. Without a peer nothing was compared, and nothing is reached."""
    at = size_text(size["bytes"])
    if size["median"].get("Tutti") is None:
        return (at + " not measured").strip()
    if size["ratio"] is None and not is_at_floor(size):
        return "no peer" + (" at " + at if at else "")
    return (at + " %.2f" % size["ratio"]).strip() if is_short(size, least) else None


def miss_of_series(test, least):
    """Runs that failed, and the sizes whose ratio is below or not known, in one text."""
    missed = failures(test)
    if not any(size["median"].get("Tutti") for size in test["sizes"]):
        missed.append("nothing measured")
    else:
        missed += [text for text in (miss_of_size(size, least) for size in test["sizes"]) if text]
    return [title(test) + ": " + ", ".join(missed)] if missed else []


def verdicts(tests, least):
    """What is missed, a text each; empty if all is reached."""
    missed = []
    for test in tests:
        if test["test"] == "idle":
            missed += miss_of_idle(test)
        elif test["test"] == "flow":
            missed += miss_of_flow(test)
        else:
            missed += miss_of_series(test, least)
    return missed


def absent(tests):
    """Peers that have no figure at some size, a text for each test and peer: the best of the others may be no match for them."""
    found = []
    for test in tests:
        for name in test.get("peers", ()):
            lacking = [size_text(size["bytes"]) for size in test["sizes"] if size["median"].get(name) is None]
            if lacking:
                where = "" if len(lacking) == len(test["sizes"]) else " at " + ", ".join(lacking)
                found.append("%s: without %s%s" % (title(test), name, where))
    return found
