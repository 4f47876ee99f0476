/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a machine (figures_table.h): bounds, text, and what becomes of several measurements. Pure.
 */
#ifndef TTI_BASE_FIGURES_H
#define TTI_BASE_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tti_figure {
#define FIGURE(name, ...) TTI_FIGURE_##name,
#include "runtime/base/figures_table.h"
#undef FIGURE
    TTI_FIGURES
};

typedef struct {
    const char *name; /* as in texts: small letters */
    const char *unit;
    int64_t least, most, typical;
    const char *what;
} tti_figure_row;

#define TTI_FIGURE_UNKNOWN (-1)
#define TTI_FIGURE_NONE 0 /* cannot be had on this machine */

typedef struct {
    int64_t value[TTI_FIGURES];
} tti_figures;

const tti_figure_row *tti_figure_describe(enum tti_figure figure);

/* Nothing known; all typical. */
tti_figures tti_figures_unknown(void);
tti_figures tti_figures_typical(void);
/* Whether all are known, and none missing on this machine. */
bool tti_figures_whole(const tti_figures *figures);
/* Whether a value may stand for that figure. */
bool tti_figure_fits(enum tti_figure figure, int64_t value);

/* The shortest first. */
void tti_figures_sort(int64_t *times, int count);
/* What several measurements say together: of each figure the middle one of those that know it. Neither end
 * will do: a busy machine makes some times longer, and virtual processors that share a core for a moment make
 * some shorter than jobs will meet. Of what one processor does by itself, which that does not, the one that
 * is longer than a quarter of them. */
tti_figures tti_figures_middle(const tti_figures *samples, int count);
/* The same with typical values for the unknown. */
tti_figures tti_figures_completed(const tti_figures *figures);

/* Reads "name=value" pairs, apart by commas, blanks or line ends, into those that are named; the others stay.
 * False, and what is wrong in `why`, if a name is unknown, a value no number or out of bounds. */
bool tti_figures_parse(const char *text, tti_figures *figures, char *why, size_t why_bytes);
/* Writes the known ones so, as one line; returns the length, which is less than `bytes`. */
size_t tti_figures_print(const tti_figures *figures, char *text, size_t bytes);

/* Room for tti_figures_print(). */
#define TTI_FIGURES_TEXT 512
/* The most that tti_figures_middle() takes. */
#define TTI_FIGURES_SAMPLES 16

#endif
