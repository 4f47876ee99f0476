/* SPDX-License-Identifier: BSD-3-Clause */
/* What needs no other process at work: addresses, registration. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ways.h"

#define ADDRESSES 4096
#define REGISTRATIONS 1000

static void wait_for_call(concept_side *side)
{
    (void)side;
}

/* So many addresses of peers that nobody talks to. */
static struct sockaddr_in *make_addresses(void)
{
    struct sockaddr_in *names = calloc(ADDRESSES, sizeof *names);
    for (int i = 0; i < ADDRESSES; i++)
        names[i] = (struct sockaddr_in){.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)(20000 + i)),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return names;
}

static double insert_all(concept_side *side)
{
    struct sockaddr_in *names = make_addresses();
    fi_addr_t *handles = calloc(ADDRESSES, sizeof *handles);
    const double start = now_us();
    for (int i = 0; i < ADDRESSES; i += side->asked.way)
        if (fi_av_insert(side->addresses, names + i, (size_t)side->asked.way, handles + i, 0, NULL) !=
            side->asked.way)
            die("fi_av_insert", FI_EIO);
    const double took = now_us() - start;
    free(names);
    free(handles);
    return took / ADDRESSES;
}

double way_insert(const concept_settings *asked)
{
    return pair_run(asked, insert_all, wait_for_call);
}

static double register_often(concept_side *side)
{
    const size_t bytes = (size_t)ROOM * DEPTH;
    const double start = now_us();
    for (int i = 0; i < REGISTRATIONS; i++) {
        struct fid_mr *region;
        const int result = fi_mr_reg(side->domain, side->memory, bytes, FI_REMOTE_READ | FI_REMOTE_WRITE, 0,
                                     (uint64_t)i + 2, 0, &region, NULL);
        if (result != 0) die("fi_mr_reg", result);
        fi_close(&region->fid);
    }
    return (now_us() - start) / REGISTRATIONS;
}

double way_register(const concept_settings *asked)
{
    return pair_run(asked, register_often, wait_for_call);
}

static double resident_kib(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &pages, &resident) != 2) die("/proc/self/statm", FI_EIO);
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1024;
}

/* A vector with a name is to be one for all processes of a node. */
static double fill_vector(concept_side *side)
{
    char name[64];
    snprintf(name, sizeof name, "concepts-%d", (int)getppid());
    struct fi_av_attr attr = {
        .type = FI_AV_TABLE, .count = ADDRESSES, .name = side->asked.way == 1 ? name : NULL};
    struct fid_av *vector;
    struct sockaddr_in *names = make_addresses();
    const double before = resident_kib();
    const int result = fi_av_open(side->domain, &attr, &vector, NULL);
    if (result != 0) die("fi_av_open", result);
    if (fi_av_insert(vector, names, ADDRESSES, NULL, 0, NULL) != ADDRESSES) die("fi_av_insert", FI_EIO);
    const double after = resident_kib();
    fi_close(&vector->fid);
    free(names);
    return after - before;
}

double way_addresses(const concept_settings *asked)
{
    return pair_run(asked, fill_vector, wait_for_call);
}
