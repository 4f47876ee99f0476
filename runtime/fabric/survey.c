/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fabric/survey.h"

#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/fabric/interface.h"
#include "runtime/fabric/provider.h"

#define VALUE_BYTES 512

typedef struct {
    uint64_t bit;
    const char *name;
} bit_name;

static const bit_name capability_names[] = {
    {FI_MSG, "messages"},         {FI_TAGGED, "tagged"},         {FI_RMA, "rma"},
    {FI_ATOMIC, "atomics"},       {FI_MULTI_RECV, "multi-recv"}, {FI_REMOTE_COMM, "other nodes"},
    {FI_LOCAL_COMM, "this node"},
};
static const bit_name registration_names[] = {
    {FI_MR_LOCAL, "local"},         {FI_MR_VIRT_ADDR, "virtual addresses"},
    {FI_MR_ALLOCATED, "allocated"}, {FI_MR_PROV_KEY, "provider's key"},
    {FI_MR_ENDPOINT, "endpoint"},
};

static void join_bits(uint64_t bits, const bit_name *names, size_t count, char *text, size_t room)
{
    size_t used = 0;
    snprintf(text, room, "none");
    for (size_t i = 0; i < count && used < room; i++) {
        if ((bits & names[i].bit) != 0)
            used += (size_t)snprintf(text + used, room - used, "%s%s", used > 0 ? ", " : "", names[i].name);
    }
}

int tti_fabric_tell_version(tutti_info_fn *tell, void *context)
{
    const tti_fabric_library *library;
    const int code = tti_fabric_library_load(&library);
    if (code < 0) return code;
    char text[32];
    const uint32_t version = library->version();
    snprintf(text, sizeof text, "%u.%u", FI_MAJOR(version), FI_MINOR(version));
    tell("libfabric", "version", text, context);
    return 0;
}

static void tell_provider(const struct fi_info *entry, tutti_info_fn *tell, void *context)
{
    char text[VALUE_BYTES];
    const char *name = entry->fabric_attr->prov_name;
    join_bits(entry->caps, capability_names, sizeof capability_names / sizeof capability_names[0], text,
              sizeof text);
    tell(name, "can", text, context);
    join_bits((uint64_t)entry->domain_attr->mr_mode, registration_names,
              sizeof registration_names / sizeof registration_names[0], text, sizeof text);
    tell(name, "registration", text, context);
    snprintf(text, sizeof text, "%zu bytes", entry->tx_attr->inject_size);
    tell(name, "inject", text, context);
    tell(name, "progress", entry->domain_attr->data_progress == FI_PROGRESS_AUTO ? "automatic" : "manual",
         context);
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)entry->ep_attr->mem_tag_format);
    tell(name, "tag format", text, context);
}

/* A provider has an entry for each of its domains and addresses, mixed with others'. */
static bool is_first_of_provider(const struct fi_info *all, const struct fi_info *entry)
{
    while (strcmp(all->fabric_attr->prov_name, entry->fabric_attr->prov_name) != 0)
        all = all->next;
    return all == entry;
}

int tti_fabric_tell_providers(tutti_info_fn *tell, void *context)
{
    const tti_fabric_library *library;
    const int code = tti_fabric_library_load(&library);
    if (code < 0) return code;
    struct fi_info *hints = library->dupinfo(NULL), *all = NULL;
    if (hints == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to ask libfabric for its providers");
    hints->ep_attr->type = FI_EP_RDM;
    hints->mode = ~UINT64_C(0);
    const int result = library->getinfo(TTI_FABRIC_API, NULL, NULL, 0, hints, &all);
    library->freeinfo(hints);
    if (result != 0)
        return tti_fail(TUTTI_ERR_FABRIC, "libfabric lists no provider: %s", library->strerror(-result));
    for (const struct fi_info *one = all; one != NULL; one = one->next) {
        if (is_first_of_provider(all, one)) tell_provider(one, tell, context);
    }
    library->freeinfo(all);
    return 0;
}

int tti_fabric_tell_choice(tutti_info_fn *tell, void *context)
{
    const tti_fabric_library *library;
    tti_interface_list interfaces;
    int code = tti_fabric_library_load(&library);
    if (code == 0) code = tti_interface_scan(&interfaces);
    if (code < 0) return code;
    const tti_fabric_wishes wishes = {tti_option_text(TTI_OPTION_PROVIDER),
                                      tti_option_text(TTI_OPTION_INTERFACE), false, &interfaces};
    char text[VALUE_BYTES];
    tti_interface_print_list(&interfaces, text, sizeof text);
    tell("between nodes", "present", text, context);
    tti_fabric_choice choice;
    code = tti_fabric_choose(library, &wishes, &choice);
    if (code < 0) return code;
    tell("between nodes", "provider", choice.entries->fabric_attr->prov_name, context);
    tti_interface_print_list(&choice.candidates, text, sizeof text);
    tell("between nodes", "candidates", text, context);
    tell("between nodes", "why", choice.why, context);
    library->freeinfo(choice.entries);
    return 0;
}
