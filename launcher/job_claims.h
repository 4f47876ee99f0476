/* SPDX-License-Identifier: BSD-3-Clause */
/* PMIx's requests for an allocation, by which ranks claim processes in reserve (reserve.h) and these wait
 * until they are claimed. On PMIx's thread. */
#ifndef TTI_LAUNCHER_JOB_CLAIMS_H
#define TTI_LAUNCHER_JOB_CLAIMS_H

#include <pmix_server.h>

/* Room for `processes` that wait; false: no memory. */
bool tti_claims_open(int processes);
void tti_claims_close(void);
/* One of the server's functions. */
pmix_status_t tti_claims_allocate(const pmix_proc_t *asker, pmix_alloc_directive_t directive,
                                  const pmix_info_t info[], size_t count, pmix_info_cbfunc_t done,
                                  void *context);

#endif
