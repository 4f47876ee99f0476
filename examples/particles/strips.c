/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/particles/strips.h"

#include "examples/common/cuts.h"

void strips_divide(struct strips *s, int side, int rank, int size)
{
    const int row = share_begin(side, size, rank);
    *s = (struct strips){rank, size, side, row, share_begin(side, size, rank + 1) - row};
}

int strips_cell(const struct strips *s, double coordinate)
{
    const int cell = (int)coordinate;
    return cell < s->side ? cell : s->side - 1;
}

int strips_wrap(const struct strips *s, int i)
{
    return i < 0 ? i + s->side : i >= s->side ? i - s->side : i;
}

int strips_owner(const struct strips *s, int row)
{
    return share_of(s->side, s->size, row);
}
