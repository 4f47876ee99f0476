/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/machine.h"

#include <stdio.h>
#include <string.h>

#include "runtime/base/options.h"
#include "runtime/machine/figures_file.h"
#include "runtime/machine/machine_measure.h"

/* The first jobs after a boot measure, until there are TTI_FIGURES_SAMPLES; then a job does if none has for
 * so long, in place of the oldest: where the processors of a virtual machine are changes from second to
 * second, and over hours for good. */
#define FRESH_S 60

/* A measurement takes about a millisecond, but on a busy machine its two threads may wait for processors,
 * both at a time, for many times as long. A figure that no job has had yet is worth that, since without it
 * the ways are those of another machine; one more sample is not. */
#define PATIENT_NS 40000000
#define HASTY_NS 5000000

/* Times of a program that sanitizers slow down are none of the machine. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SLOWED true
#endif
#endif
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SLOWED true
#endif
#ifndef SLOWED
#define SLOWED false
#endif

static void take_given(tti_machine *machine, const char *text)
{
    char why[160];
    tti_figures given = tti_figures_unknown();
    tti_figures_parse(text, &given, why, sizeof why); /* checked when the options were loaded */
    machine->figures = tti_figures_completed(&given);
    snprintf(machine->origin, sizeof machine->origin, "TUTTI_MACHINE, the rest typical");
}

static void measure_once_more(tti_kept_figures *kept)
{
    const bool full = kept->count == TTI_FIGURES_SAMPLES;
    const tti_figures so_far = tti_figures_middle(kept->samples, kept->count);
    const tti_figures now = tti_machine_measure(tti_figures_whole(&so_far) ? HASTY_NS : PATIENT_NS);
    if (full) memmove(kept->samples, kept->samples + 1, sizeof kept->samples - sizeof kept->samples[0]);
    kept->samples[full ? kept->count - 1 : kept->count++] = now;
}

/* Samples of the future were taken before somebody set the clock back: their age is not known, and would be
 * below a minute for as long as it was set back. */
static bool is_enough(const tti_kept_figures *kept)
{
    return kept->count == TTI_FIGURES_SAMPLES && kept->age_s >= 0 && kept->age_s < FRESH_S;
}

void tti_machine_learn(tti_machine *machine)
{
    char path[TTI_FIGURES_PATH], boot[TTI_FIGURES_BOOT];
    const char *given = tti_option_text(TTI_OPTION_MACHINE);
    tti_kept_figures kept = {.count = 0};
    if (given[0] != '\0') {
        take_given(machine, given);
        return;
    }
    const bool keeps = tti_figures_file_boot(boot) && tti_figures_file_place(path) && !SLOWED;
    if (keeps && !tti_figures_file_read(path, boot, &kept)) kept.count = 0;
    const bool enough = is_enough(&kept);
    if (!enough) measure_once_more(&kept);
    const bool written = keeps && !enough && tti_figures_file_write(path, boot, &kept);
    const tti_figures figures = tti_figures_middle(kept.samples, kept.count);
    machine->figures = tti_figures_completed(&figures);
    snprintf(machine->origin, sizeof machine->origin, "middle of %d measurement%s %s%s", kept.count,
             kept.count == 1 ? "" : "s", enough || written ? "since the last boot, kept in " : "just now",
             enough || written ? path : "");
}

tti_crossings tti_machine_crossings(const tti_figures *figures)
{
    const int64_t least = tti_option_value(TTI_OPTION_SINGLE_LEAST);
    tti_crossings crossings = tti_crossings_of(figures);
    if (least != TTI_OPTION_AUTO) tti_crossings_force(&crossings, (size_t)least);
    return crossings;
}
