/* SPDX-License-Identifier: BSD-3-Clause */
/* The options: one table (options_table.h), one parser, typed getters. The only place that calls getenv. */
#ifndef TTI_BASE_OPTIONS_H
#define TTI_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tti_option {
#define OPTION(name, ...) TTI_OPTION_##name,
#include "runtime/base/options_table.h"
#undef OPTION
    TTI_OPTION_COUNT
};

enum tti_option_kind {
    TTI_KIND_BOOL,
    TTI_KIND_INT,
    TTI_KIND_SIZE,
    TTI_KIND_AUTO_SIZE,
    TTI_KIND_TIME,
    TTI_KIND_TEXT,
    TTI_KIND_FIGURES,
    TTI_KIND_CHOICE
};
enum tti_option_ranks { TTI_RANKS_EACH, TTI_RANKS_ALIKE };
enum tti_option_origin { TTI_ORIGIN_DEFAULT, TTI_ORIGIN_PROGRAM, TTI_ORIGIN_ENVIRONMENT };

typedef struct {
    const char *name; /* without TUTTI_ */
    enum tti_option_ranks ranks;
    enum tti_option_kind kind;
    const char *initial;
    int64_t least, most;
    const char *choices;
    const char *help;
} tti_option_row;

/* Reads the environment and `set` (NULL or NULL-ended "TUTTI_NAME=value", as tutti_options.set). Loading
 * again starts from the defaults. Returns TUTTI_ERR_OPTION for a malformed value or an unknown TUTTI_* name,
 * in the environment as in `set`, with the nearest name in the detail; names that are CMake's in the
 * environment (TUTTI_ROOT, TUTTI_DIR) are passed over. Not thread-safe. */
int tti_options_load(const char *const *set);
/* Frees what tti_options_load() took. */
void tti_options_unload(void);

const tti_option_row *tti_option_describe(enum tti_option option);
enum tti_option_origin tti_option_where(enum tti_option option);
/* Value as the user wrote it; valid until the next load or unload. */
const char *tti_option_text(enum tti_option option);
/* Value of BOOL, INT, SIZE and AUTO_SIZE (bytes), TIME (ns), CHOICE (place in the list). */
int64_t tti_option_value(enum tti_option option);
/* Value of AUTO_SIZE where it is left to Tutti. */
#define TTI_OPTION_AUTO (-1)
/* What values of the row's kind look like, with its bounds, into `text`. */
void tti_option_takes(const tti_option_row *row, char *text, size_t bytes);

/* Parses `text` by the row's kind and bounds into *value (0 for TEXT and FIGURES). Returns TUTTI_ERR_OPTION
 * with a detail that names option, value and what is accepted. Pure: fuzzed. */
int tti_option_parse(const tti_option_row *row, const char *text, int64_t *value);

/* The environment variables of launchers and tools that Tutti looks at, so that getenv stays in this file.
 * NULL if unset or empty. */
const char *tti_environment(const char *name);

#endif
