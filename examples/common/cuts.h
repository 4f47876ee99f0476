/* SPDX-License-Identifier: BSD-3-Clause */
/* How a side of cells is shared out among ranks: one after the other, shares that differ by one cell at most.
 */
#ifndef EXAMPLES_CUTS_H
#define EXAMPLES_CUTS_H

/* First cell of share `i` of `shares`; where there are more shares than cells, some are empty. */
static inline int share_begin(int side, int shares, int i)
{
    return (int)((long)side * i / shares);
}

/* Whose share cell `place` is in. */
static inline int share_of(int side, int shares, int place)
{
    return (int)(((long)shares * (place + 1) - 1) / side);
}

#endif
