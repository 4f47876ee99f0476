/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of figures: whatever is taken from it must be within bounds, give choices that hold together, and
 * be written again as it was. */
#include <stdlib.h>
#include <string.h>

#include "runtime/machine/crossings.h"
#include "runtime/machine/figures_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[8192], again[TTI_FIGURES_TEXT], why[160];
    tti_kept_figures kept;
    if (size >= sizeof text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (!tti_figures_file_parse(text, "boot", &kept)) return 0;
    if (kept.count < 1 || kept.count > TTI_FIGURES_SAMPLES) abort();
    const tti_figures middle = tti_figures_middle(kept.samples, kept.count);
    for (int i = 0; i < TTI_FIGURES; i++) {
        const int64_t value = middle.value[i];
        if (value != TTI_FIGURE_UNKNOWN && !tti_figure_fits((enum tti_figure)i, value)) abort();
    }
    const tti_figures full = tti_figures_completed(&middle);
    const tti_crossings crossings = tti_crossings_of(&full);
    if (crossings.eager_sure > crossings.eager_most) abort();
    const size_t small_most = crossings.quick ? TTI_CROSSING_QUICK_MOST : TTI_CROSSING_SMALL_MOST;
    for (int i = 0; i < TTI_CROSSING_COLLECTIVES; i++)
        if (crossings.single[i] <= small_most) abort();
    tti_figures_print(&middle, again, sizeof again);
    tti_figures same = tti_figures_unknown();
    if (!tti_figures_parse(again, &same, why, sizeof why) || memcmp(&same, &middle, sizeof same) != 0)
        abort();
    return 0;
}
