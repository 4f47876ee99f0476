# SPDX-License-Identifier: BSD-3-Clause
"""Whether what was compared reaches what it is to reach."""
from floors import REACHED
from sizes import size_text

IDLE_LIMITS = (2, 3)  # percent of a core that the waiters use together, and of its speed that the computing rank loses
FLOW_LIMIT = 1.15     # time on many ranks over time on two


def miss_of_idle(test):
    figures = test["median"].get("Tutti")
    if not figures:
        return ["failed: " + test["failed"].get("Tutti", "no figures")]
    missed = []
    if figures["waiters_cpu_percent"] >= IDLE_LIMITS[0]:
        missed.append("waiters use %.2f %% of a core" % figures["waiters_cpu_percent"])
    if figures["slower_percent"] >= IDLE_LIMITS[1]:
        missed.append("computing is slower by %.1f %%" % figures["slower_percent"])
    return missed


def miss_of_flow(test):
    return ["%.3f" % test["ratio"]] if test["ratio"] > FLOW_LIMIT else []


def title(test):
    kind = ", %s of %s" % (test["op"], test["type"]) if test["type"] else ""
    return "%s%s, %d ranks" % (test["test"], kind, test["ranks"])


def is_below(size, least):
    """Who is at the machine's floor cannot be quicker, however near to it the peers are."""
    over = size.get("over_floor")
    return size["ratio"] is not None and size["ratio"] < least and not (over is not None and over <= REACHED)


def miss_of_series(test, least):
    """The sizes whose ratio is below, in one text."""
    if not test["sizes"] or not any(size["ratio"] for size in test["sizes"]):
        return [title(test) + ": nothing to compare"]
    below = ["%s%.2f" % (size_text(size["bytes"]) + " " if size["bytes"] is not None else "", size["ratio"])
             for size in test["sizes"] if is_below(size, least)]
    missing = ["%s not measured" % size_text(size["bytes"]) for size in test["sizes"] if size["median"].get("Tutti") is None]
    return [title(test) + ": " + ", ".join(below + missing)] if below + missing else []


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
