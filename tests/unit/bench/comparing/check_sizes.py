#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Unit tests of bench/comparing/sizes.py: lists of sizes, and times."""
import sys
import unittest

sys.dont_write_bytecode = True
import given  # noqa: E402,F401 (it tells where modules are)
from peers import Problem  # noqa: E402
import sizes  # noqa: E402


class Sizes(unittest.TestCase):
    def test_ranges_double(self):
        self.assertEqual(sizes.expand("1-8,4k,1m-2m"), [1, 2, 4, 8, 4096, 1 << 20, 2 << 20])
        self.assertEqual(sizes.expand("0-4"), [0, 1, 2, 4])

    def test_texts_are_read_back(self):
        self.assertEqual(sizes.list_text([0, 1, 1000, 4096, 4097, 1 << 20, 3 << 30]), "0,1,1000,4k,4097,1m,3g")
        self.assertEqual(sizes.expand(sizes.list_text([0, 7, 4097, 16 << 20])), [0, 7, 4097, 16 << 20])

    def test_whole_elements(self):
        self.assertEqual(sizes.whole_elements([4, 8, 12, 16], "double"), [8, 16])

    def test_wrong_sizes_and_times(self):
        for text in ("", "8-", "x", "8-4", "8 16", "-1"):
            with self.assertRaises(Problem):
                sizes.expand(text)
        for text in ("", "fast", "1h", "1.2.3s"):
            with self.assertRaises(Problem):
                sizes.seconds_of("--max-time", text)
        self.assertEqual([sizes.seconds_of("", text) for text in ("200ms", "2s", "0.5")], [0.2, 2, 0.5])


if __name__ == "__main__":
    unittest.main()
