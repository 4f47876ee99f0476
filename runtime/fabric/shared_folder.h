/* SPDX-License-Identifier: BSD-3-Clause */
/* /dev/shm, in which providers over shared memory make files: libfabric tells little of what is wrong with
 * it. */
#ifndef TTI_FABRIC_SHARED_FOLDER_H
#define TTI_FABRIC_SHARED_FOLDER_H

#define TTI_FABRIC_SHARED_TEXT 200

/* "; " and what is wrong and what to do; "" where nothing seems to be. */
void tti_fabric_describe_shared(char text[TTI_FABRIC_SHARED_TEXT]);

#endif
