/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts to run on, from --hosts or a hostfile. Parsing text is pure and fuzzed. */
#ifndef TTI_LAUNCHER_HOST_LIST_H
#define TTI_LAUNCHER_HOST_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    char name[256];
    int64_t slots; /* 0: not given */
} tti_host;

typedef struct {
    tti_host *hosts;
    int count;
    bool shared; /* no slots were given: they are tti_hosts_share()'s */
} tti_host_list;

/* "a,b:2,c". A host that is named again counts once, with the slots of all its mentions, one for each without
 * a number. Returns 0 or an exit status, with the reason recorded; `list` is then empty. */
int tti_hosts_parse(const char *text, tti_host_list *list);
/* Lines "host", "host:slots" or "host slots=N"; # begins a comment. `name` is for messages; `text` need not
 * end with a zero byte. */
int tti_hosts_parse_file(const char *name, const char *text, size_t bytes, tti_host_list *list);
/* Reads the file first. */
int tti_hosts_read_file(const char *path, tti_host_list *list);
void tti_hosts_free(tti_host_list *list);

/* Gives hosts without slots an equal share of what `ranks` (0: unknown) need, at least 1 each; returns the
 * slots in all. */
int64_t tti_hosts_share(tti_host_list *list, int ranks);

#endif
