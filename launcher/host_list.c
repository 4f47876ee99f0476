/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/host_list.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launcher/command.h"
#include "launcher/launcher_report.h"
#include "runtime/base/parse.h"

#define FILE_BYTES_MAX (16U << 20)

/* A host's name goes into another launcher's command line: nothing but what names and addresses are made of.
 */
static bool is_name(const char *text, size_t length)
{
    if (length == 0 || length >= sizeof((tti_host *)NULL)->name || text[0] == '-') return false;
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)text[i]) && memchr(".-_", text[i], 3) == NULL) return false;
    }
    return true;
}

static bool take_slots(const char *text, size_t length, int64_t *slots)
{
    char number[16];
    int64_t value;
    if (length == 0 || length >= sizeof number) return false;
    memcpy(number, text, length);
    number[length] = '\0';
    if (!tti_parse_int(number, &value) || value < 1 || value > TTI_COMMAND_RANKS_MAX) return false;
    *slots = value;
    return true;
}

/* "name" or "name:slots". */
static bool take_host(const char *text, size_t length, tti_host *host)
{
    const char *colon = memchr(text, ':', length);
    const size_t name = colon != NULL ? (size_t)(colon - text) : length;
    *host = (tti_host){0};
    if (!is_name(text, name)) return false;
    memcpy(host->name, text, name);
    return colon == NULL || take_slots(colon + 1, length - name - 1, &host->slots);
}

static bool append(tti_host_list *list, const tti_host *host)
{
    /* Grows at powers of two. */
    if ((list->count & (list->count - 1)) == 0) {
        const size_t room = list->count == 0 ? 1 : 2 * (size_t)list->count;
        tti_host *grown = realloc(list->hosts, room * sizeof *grown);
        if (grown == NULL) return false;
        list->hosts = grown;
    }
    list->hosts[list->count++] = *host;
    return true;
}

/* Those of one name in the order in which they were named. */
static int by_name(const void *left, const void *right)
{
    const tti_host *a = *(tti_host *const *)left, *b = *(tti_host *const *)right;
    const int names = strcmp(a->name, b->name);
    return names != 0 ? names : (a > b) - (a < b);
}

static int64_t slots_of_mention(const tti_host *host)
{
    return host->slots > 0 ? host->slots : 1;
}

static void drop_unnamed(tti_host_list *list)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        if (list->hosts[i].name[0] != '\0') list->hosts[kept++] = list->hosts[i];
    }
    list->count = kept;
}

/* A host named twice is one node, and to srun two would be one too few. False without memory. */
static bool merge(tti_host_list *list)
{
    tti_host **sorted = malloc((size_t)list->count * sizeof *sorted);
    if (sorted == NULL) return false;
    for (int i = 0; i < list->count; i++)
        sorted[i] = &list->hosts[i];
    qsort(sorted, (size_t)list->count, sizeof *sorted, by_name);
    for (int i = 1, first = 0; i < list->count; i++) {
        tti_host *host = sorted[first], *again = sorted[i];
        if (strcmp(host->name, again->name) == 0) {
            host->slots = slots_of_mention(host) + slots_of_mention(again);
            again->name[0] = '\0';
        } else {
            first = i;
        }
    }
    free(sorted);
    drop_unnamed(list);
    return true;
}

static int fail(tti_host_list *list, int status)
{
    tti_hosts_free(list);
    return status;
}

static int no_memory(tti_host_list *list)
{
    return fail(list, tti_launcher_refuse(TTI_STATUS_USAGE, "no memory for the list of hosts"));
}

/* Slurm writes host[1-4]. */
static int refuse_host(const char *text, const char *at, size_t length)
{
    return tti_launcher_refuse(
        TTI_STATUS_USAGE, "--hosts: \"%.*s\" is no host; write --hosts name,name:slots%s",
        (int)(length < 64 ? length : 64), at,
        strchr(text, '[') != NULL ? " (`scontrol show hostnames` names those of a list)" : "");
}

int tti_hosts_parse(const char *text, tti_host_list *list)
{
    *list = (tti_host_list){0};
    for (const char *at = text;;) {
        const size_t length = strcspn(at, ",");
        tti_host host;
        if (!take_host(at, length, &host)) return fail(list, refuse_host(text, at, length));
        if (!append(list, &host)) return no_memory(list);
        if (at[length] == '\0') return merge(list) ? 0 : no_memory(list);
        at += length + 1;
    }
}

static size_t skip_space(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && isspace((unsigned char)text[at]))
        at++;
    return at;
}

static size_t word(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && !isspace((unsigned char)text[at]))
        at++;
    return at;
}

/* One line without its comment. 1: a host, 0: nothing, -1: malformed. */
static int take_line(const char *line, size_t length, tti_host *host)
{
    static const char key[] = "slots=";
    size_t at = skip_space(line, length);
    if (at == length) return 0;
    size_t end = at + word(line + at, length - at);
    if (!take_host(line + at, end - at, host)) return -1;
    at = end + skip_space(line + end, length - end);
    if (at == length) return 1;
    end = at + word(line + at, length - at);
    const size_t prefix = sizeof key - 1;
    if (host->slots != 0 || end - at < prefix || memcmp(line + at, key, prefix) != 0) return -1;
    if (!take_slots(line + at + prefix, end - at - prefix, &host->slots)) return -1;
    return end + skip_space(line + end, length - end) == length ? 1 : -1;
}

int tti_hosts_parse_file(const char *name, const char *text, size_t bytes, tti_host_list *list)
{
    *list = (tti_host_list){0};
    int number = 1;
    for (const char *at = text, *end = text + bytes; at < end; number++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline != NULL ? newline : end;
        const char *comment = memchr(at, '#', (size_t)(stop - at));
        tti_host host;
        const int found = take_line(at, (size_t)((comment != NULL ? comment : stop) - at), &host);
        if (found < 0)
            return fail(list, tti_launcher_refuse(TTI_STATUS_USAGE,
                                                  "%s line %d is no host; write \"host\", \"host:slots\" or "
                                                  "\"host slots=N\"",
                                                  name, number));
        if (found > 0 && !append(list, &host)) return no_memory(list);
        at = stop + 1;
    }
    if (list->count > 0) return merge(list) ? 0 : no_memory(list);
    return tti_launcher_refuse(TTI_STATUS_USAGE, "%s names no host; write one per line", name);
}

/* The whole file, malloc'ed; NULL with errno. */
static char *read_whole(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) return NULL;
    char *text = malloc(FILE_BYTES_MAX);
    *bytes = text != NULL ? fread(text, 1, FILE_BYTES_MAX, file) : 0;
    const int error = ferror(file) ? errno : *bytes == FILE_BYTES_MAX ? EFBIG : 0;
    fclose(file);
    if (error == 0) return text;
    free(text);
    errno = error;
    return NULL;
}

int tti_hosts_read_file(const char *path, tti_host_list *list)
{
    size_t bytes;
    *list = (tti_host_list){0};
    char *text = read_whole(path, &bytes);
    if (text == NULL)
        return tti_launcher_refuse(TTI_STATUS_USAGE, "--hostfile %s: %s; give a file that can be read", path,
                                   strerror(errno));
    const int status = tti_hosts_parse_file(path, text, bytes, list);
    free(text);
    return status;
}

void tti_hosts_free(tti_host_list *list)
{
    free(list->hosts);
    *list = (tti_host_list){0};
}

int64_t tti_hosts_share(tti_host_list *list, int ranks)
{
    int64_t given = 0;
    int open = 0;
    for (int i = 0; i < list->count; i++) {
        given += list->hosts[i].slots;
        open += list->hosts[i].slots == 0;
    }
    list->shared = open == list->count;
    const int rest = ranks > given ? ranks - (int)given : 0;
    const int64_t share = open > 0 && rest > open ? (rest + open - 1) / open : 1;
    for (int i = 0; i < list->count; i++) {
        if (list->hosts[i].slots == 0) list->hosts[i].slots = share;
    }
    return given + open * share;
}
