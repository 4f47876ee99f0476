# SPDX-License-Identifier: BSD-3-Clause
"""Message sizes and times as the command line writes them."""
import re

from peers import Problem

UNITS = {"": 0, "k": 10, "m": 20, "g": 30}
SIZE_MOST, SIZES_MOST = 1 << 40, 128  # as tutti-bench takes them
SECONDS_MOST = 1e6
ELEMENT_BYTES = {"int32": 4, "int64": 8, "float": 4, "double": 8}


def size_of(text):
    match = re.fullmatch(r"([0-9]{1,13})([kmg]?)", text.lower())
    size = int(match.group(1)) << UNITS[match.group(2)] if match else SIZE_MOST + 1
    if size > SIZE_MOST:
        raise Problem("--sizes: '%s' is not a size; write 8-1m or 8,64,4k (each 1024g at most)" % text)
    return size


def expand(sizes):
    """The list behind --sizes, as tutti-bench reads it: "A-B" doubles from A to B (0 is followed by 1)."""
    found = []
    for part in sizes.split(","):
        first, dash, last = part.partition("-")
        size, end = size_of(first), size_of(last if dash else first)
        if end < size:
            raise Problem("--sizes %s: a range goes upwards" % part)
        while size <= end:
            found.append(size)
            size = size * 2 or 1
    return found


def whole_elements(sizes, kind):
    """Those sizes that are whole numbers of elements: tutti-bench refuses the others."""
    return [size for size in sizes if size % ELEMENT_BYTES[kind] == 0]


def size_text(size):
    if size is None:
        return ""
    for unit in ("", "k", "m", "g"):
        if size % 1024 or not size or unit == "g":
            return "%d%s" % (size, unit)
        size //= 1024
    return ""


def list_text(sizes):
    return ",".join(size_text(size) for size in sizes)


def seconds_of(option, text):
    match = re.fullmatch(r"([0-9][0-9.]*)(ms|us|s|)", text)
    try:
        seconds = float(match.group(1)) * {"ms": 1e-3, "us": 1e-6, "s": 1, "": 1}[match.group(2)]
    except (AttributeError, ValueError):
        seconds = 0
    if not 0 < seconds < SECONDS_MOST:
        raise Problem("%s %s: write a time above 0, as 500ms" % (option, text))
    return seconds
