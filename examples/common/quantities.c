/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/common/quantities.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/common/image.h"
#include "examples/common/mishap.h"

const struct number *number_find(const struct number *numbers, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, numbers[i].name) == 0) return &numbers[i];
    return NULL;
}

bool number_set(const struct number *number, void *values, const char *where, const char *text)
{
    char *end;
    void *const place = (char *)values + number->offset;
    const double value = strtod(text, &end);
    const bool fits = value >= number->least && value <= number->most;
    if (end == text || *end != '\0' || !fits || (number->whole && value != (int)value))
        return complain("%s: %s = %s: give a%s number from %g to %g (%s)", where, number->name, text,
                        number->whole ? " whole" : "", number->least, number->most, number->what);
    if (number->whole)
        *(int *)place = (int)value;
    else
        *(double *)place = value;
    return true;
}

static void help(const struct command *command, const void *values)
{
    printf("%s", command->summary);
    for (size_t i = 0; i < command->count; i++) {
        const struct number *n = &command->numbers[i];
        const void *const place = (const char *)values + n->offset;
        printf("  --%-12s %s, %g to %g (%g)\n", n->name, n->what, n->least, n->most,
               n->whole ? *(const int *)place : *(const double *)place);
    }
    printf("  --%-12s picture to write (%s)\n", "output", command->output);
}

/* `name` is without its dashes. */
static bool take(const struct command *command, void *values, const char *name, const char *text)
{
    if (strcmp(name, "output") == 0)
        return (size_t)snprintf(command->output, command->room, "%s", text) < command->room ||
               complain("--output: the path is too long");
    const struct number *number = number_find(command->numbers, command->count, name);
    if (number == NULL) return complain("--%s is unknown; see %s --help", name, program);
    return number_set(number, values, "command line", text);
}

enum verdict command_read(const struct command *command, int argc, char **argv, void *values)
{
    for (int i = 1; i < argc; i += 2) {
        if (strcmp(argv[i], "--help") == 0) return help(command, values), HELPED;
        const bool named = strncmp(argv[i], "--", 2) == 0;
        if (!named || i + 1 == argc) {
            complain("argument \"%s\" %s; see %s --help", argv[i],
                     named ? "needs a value" : "is not understood", program);
            return REFUSED;
        }
        if (!take(command, values, argv[i] + 2, argv[i + 1])) return REFUSED;
    }
    return image_writable(command->output) ? SOUND : REFUSED;
}
