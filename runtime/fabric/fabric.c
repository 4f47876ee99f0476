/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening and closing: the ladder. */
#include "runtime/fabric/fabric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/log.h"
#include "runtime/base/options.h"
#include "runtime/base/random.h"
#include "runtime/base/status.h"
#include "runtime/fabric/agreement.h"
#include "runtime/fabric/fabric_state.h"
#include "runtime/fabric/provider.h"
#include "runtime/fabric/signal_keeper.h"
#include "runtime/fabric/tag.h"

#define STRING(x) #x
#define VERSION(major, minor, patch) STRING(major) "." STRING(minor) "." STRING(patch)

static void describe_host(tti_card *card)
{
    snprintf(card->tutti, sizeof card->tutti, "%s",
             VERSION(TUTTI_VERSION_MAJOR, TUTTI_VERSION_MINOR, TUTTI_VERSION_PATCH));
    if (gethostname(card->host, sizeof card->host - 1) != 0)
        snprintf(card->host, sizeof card->host, "unknown");
}

/* Chooses provider and interface; fabric->info is the entry to open. */
static int choose(tti_fabric *fabric)
{
    tti_interface_list interfaces;
    int code = tti_interface_scan(&interfaces);
    if (code < 0) return code;
    const tti_fabric_wishes wishes = {.provider = tti_option_text(TTI_OPTION_PROVIDER),
                                      .interface = tti_option_text(TTI_OPTION_INTERFACE),
                                      .single_node = fabric->job->nodes <= 1,
                                      .interfaces = &interfaces};
    tti_fabric_choice choice;
    code = tti_fabric_choose(fabric->library, &wishes, &choice);
    if (code < 0) return code;
    snprintf(fabric->card.provider, sizeof fabric->card.provider, "%s",
             choice.entries->fabric_attr->prov_name);
    fabric->card.candidates = choice.candidates;
    code = tti_fabric_agree(fabric->job, &fabric->card);
    if (code == 0) {
        const struct fi_info *entry = choice.entries;
        if (fabric->card.candidates.count > 0)
            entry = tti_fabric_entry_of(choice.entries, &fabric->card.candidates.at[0]);
        fabric->info = fabric->library->dupinfo(entry);
        fabric->card.address_format = entry->addr_format;
        fabric->quirks = choice.quirks;
        snprintf(fabric->texts[3], sizeof fabric->texts[3], "%s", choice.why);
        if (fabric->info == NULL)
            code = tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the choice of provider");
    }
    fabric->library->freeinfo(choice.entries);
    return code;
}

/* Of a packet of at most so many bytes, what the caller has. */
static size_t packet_room(const struct fi_info *info, size_t most)
{
    const size_t message = info->ep_attr->max_msg_size;
    if (message > 0 && message < most) most = message; /* 0: any */
    return (most - sizeof(tti_fabric_head)) & ~(size_t)7;
}

static void set_limits(tti_fabric *fabric)
{
    const struct fi_info *info = fabric->info;
    const bool long_packets = (fabric->quirks & TTI_FABRIC_LONG_PACKETS) != 0;
    const bool in_place =
        long_packets && (info->domain_attr->mr_mode & FI_MR_LOCAL) == 0 && info->tx_attr->iov_limit >= 2;
    const size_t copied = long_packets ? TTI_FABRIC_LONG_PACKET_MOST : TTI_FABRIC_PACKET_MOST;
    fabric->limits = (tti_fabric_limits){
        .message_max = info->ep_attr->max_msg_size > 0 ? info->ep_attr->max_msg_size : SIZE_MAX,
        .packet_max = packet_room(info, copied),
        .in_place_max = packet_room(info, in_place ? TTI_FABRIC_IN_PLACE_MOST : copied),
        .has_rma = (info->caps & FI_RMA) != 0,
        .has_wait_fd = fabric->wait_fd >= 0,
        .has_in_place = in_place,
        .tag_bits = tti_fabric_tag_bits(info->ep_attr->mem_tag_format),
        .provider = fabric->texts[0],
        .domain = fabric->texts[1],
        .address = fabric->texts[2],
        .why = fabric->texts[3],
    };
    snprintf(fabric->texts[0], sizeof fabric->texts[0], "%s", info->fabric_attr->prov_name);
    snprintf(fabric->texts[1], sizeof fabric->texts[1], "%s", info->domain_attr->name);
    fabric->card.packet_max = (uint32_t)fabric->limits.in_place_max;
}

/* Of this endpoint alone: a port that is used again by another job has others. They travel as the cards do,
 * through the launcher, which gives them to ranks of the job. */
static int make_secrets(tti_card *card)
{
    const int code = tti_random_fill(&card->token, sizeof card->token, "the token of packets");
    return code < 0 ? code : tti_random_fill(&card->tag_mask, sizeof card->tag_mask, "the mask of tags");
}

static int open_all(tti_fabric *fabric)
{
    int code = tti_fabric_library_load(&fabric->library);
    if (code < 0) return code;
    describe_host(&fabric->card);
    tti_alike_own(&fabric->card.options);
    code = choose(fabric);
    if (code < 0) return code;
    if ((fabric->quirks & TTI_FABRIC_ORPHAN_LOCKS) != 0)
        code = tti_fabric_watch_open(fabric->card.provider, fabric->job->rank, &fabric->watch);
    if (code == 0) code = tti_fabric_open_endpoint(fabric);
    if (code < 0) return code;
    set_limits(fabric);
    code = tti_fabric_registry_open(fabric->domain, fabric->endpoint, fabric->info->domain_attr->mr_mode,
                                    fabric->info->domain_attr->mr_key_size, &fabric->registry);
    if (code == 0) code = make_secrets(&fabric->card);
    if (code < 0) return code;
    code = tti_fabric_open_packets(fabric);
    if (code == 0) code = tti_fabric_open_arrivals(fabric);
    if (code == 0) code = tti_fabric_publish(fabric);
    if (code == 0) code = tti_fabric_open_heart(fabric);
    if (code == 0) fabric->guard_fd = tti_fabric_guard(fabric->limits.address);
    return code;
}

static int open_quietly(tti_fabric *fabric)
{
    tti_fabric_handlers handlers;
    tti_fabric_save_handlers(&handlers);
    const int code = open_all(fabric);
    tti_fabric_restore_handlers(&handlers);
    return code < 0 || !tti_fabric_full_modex(fabric->job) ? code : tti_pmi_fence(true);
}

static tti_fabric *allocate(const tti_job *job)
{
    tti_fabric *fabric = calloc(1, sizeof *fabric);
    if (fabric == NULL) return NULL;
    fabric->contact_of = calloc((size_t)job->size, sizeof *fabric->contact_of);
    if (fabric->contact_of == NULL) {
        free(fabric);
        return NULL;
    }
    fabric->job = job;
    fabric->wait_fd = fabric->guard_fd = -1;
    tti_link *const lists[] = {&fabric->free, &fabric->bounces, &fabric->arrivals_unposted, &fabric->active,
                               &fabric->chunks};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        tti_list_init(lists[i]);
    return fabric;
}

int tti_fabric_open(const tti_job *job, tti_fabric_packet_fn *packet, tti_fabric_failure_fn *failure,
                    void *context, tti_fabric **opened)
{
    tti_fabric *fabric = allocate(job);
    if (fabric == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the table of %d peers", job->size);
    fabric->packet = packet;
    fabric->failure = failure;
    fabric->context = context;
    const int code = open_quietly(fabric);
    if (code < 0) {
        tti_fabric_close(fabric);
        return code;
    }
    tti_log(TTI_LOG_INFO, "fabric: %s on %s at %s (%s)", fabric->limits.provider, fabric->limits.domain,
            fabric->limits.address, fabric->limits.why);
    *opened = fabric;
    return 0;
}

void tti_fabric_close(tti_fabric *fabric)
{
    if (fabric == NULL) return;
    tti_heart_close(fabric->heart);
    /* Registrations may be bound to the endpoint, and must not outlive the domain. */
    tti_fabric_registry_close(fabric->registry);
    tti_fabric_close_endpoint(fabric);
    tti_fabric_watch_close(fabric->watch);
    if (fabric->guard_fd >= 0) close(fabric->guard_fd);
    tti_fabric_close_arrivals(fabric);
    tti_fabric_close_packets(fabric);
    tti_fabric_free_records(fabric);
    tti_fabric_forget_peers(fabric);
    if (fabric->info != NULL) fabric->library->freeinfo(fabric->info);
    free(fabric);
}

const tti_fabric_limits *tti_fabric_limits_of(const tti_fabric *fabric)
{
    return &fabric->limits;
}
