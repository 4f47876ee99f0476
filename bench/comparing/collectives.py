# SPDX-License-Identifier: BSD-3-Clause
"""Which collectives there are: those of the table that tutti-bench is made from, bench/collectives_measured.h."""
import os
import re

from peers import BENCH


def rows():
    """(name, what it moves, from whom, to whom, which of it) of each, in the order of the table."""
    path = os.path.join(BENCH, "collectives_measured.h")
    with open(path, encoding="utf-8") as table:
        return re.findall(r"^COLLECTIVE\(\w+, (\w+), \w+,\s+(NOTHING|BYTES|ELEMENTS),\s+(\w+),\s+(\w+),\s+(\w+),", table.read(), re.M)


COLLECTIVES = tuple(name for name, *_ in rows())
REDUCTIONS = tuple(name for name, what, *_ in rows() if what == "ELEMENTS")
# Whose size is that of one rank's part: buffers are as many times larger.
OF_PARTS = tuple(name for name, what, source, _, which in rows()
                 if which.startswith("SHARE") or (what, source) == ("BYTES", "EACH"))
