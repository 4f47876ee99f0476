/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory registration with a cache: what providers ask for (FI_MR_LOCAL, FI_MR_VIRT_ADDR, FI_MR_PROV_KEY,
 * FI_MR_ALLOCATED, FI_MR_ENDPOINT) is settled here and nowhere else.
 *
 * A registration is shared by all who need memory inside its range, and ends with its last user. It is not
 * kept beyond: memory that the program gave back to the system and got anew would be reached through the old
 * pages. Who wants registrations to stay exposes the memory (tutti_mem_alloc, windows); for other memory,
 * providers that need registration keep caches of their own that watch for munmap. */
#ifndef TTI_FABRIC_REGISTRATION_H
#define TTI_FABRIC_REGISTRATION_H

#include <rdma/fi_domain.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tti_fabric_registry tti_fabric_registry;
typedef struct tti_fabric_registration tti_fabric_registration;

/* `endpoint` is bound to each registration where mr_mode has FI_MR_ENDPOINT. `key_bytes` bounds keys we
 * choose.
 */
int tti_fabric_registry_open(struct fid_domain *domain, struct fid_ep *endpoint, int mr_mode,
                             size_t key_bytes, tti_fabric_registry **registry);
/* Ends what is still registered. */
void tti_fabric_registry_close(tti_fabric_registry *registry);

/* What memory is for; each serves for those before it, too. A source may be read-only. */
enum tti_fabric_use { TTI_FABRIC_SOURCE, TTI_FABRIC_TARGET, TTI_FABRIC_EXPOSED };

/* For local use, as source or target: *registration is NULL and *descriptor NULL where the provider wants
 * none.
 */
int tti_fabric_registry_local(tti_fabric_registry *registry, const void *base, size_t bytes,
                              enum tti_fabric_use use, tti_fabric_registration **registration,
                              void **descriptor);
/* For peers to read and write. */
int tti_fabric_registry_remote(tti_fabric_registry *registry, void *base, size_t bytes,
                               tti_fabric_registration **registration);
/* What peers use: address of the first byte of `base` in their calls, and the key. */
uint64_t tti_fabric_registration_address(const tti_fabric_registry *registry,
                                         const tti_fabric_registration *registration, const void *base);
uint64_t tti_fabric_registration_key(const tti_fabric_registration *registration);
/* Gives one use back; NULL is allowed. */
void tti_fabric_registry_release(tti_fabric_registration *registration);

#endif
