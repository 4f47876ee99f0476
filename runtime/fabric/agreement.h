/* SPDX-License-Identifier: BSD-3-Clause */
/* The subnet that all ranks share. */
#ifndef TTI_FABRIC_AGREEMENT_H
#define TTI_FABRIC_AGREEMENT_H

#include "pmi/pmi.h"
#include "runtime/fabric/card.h"

/* Do all cards go to all nodes in a fence, or are they fetched one by one at first contact? By TUTTI_MODEX,
 * the job's size and the launcher: the same for all ranks. */
bool tti_fabric_full_modex(const tti_job *job);

/* Puts the candidate to use first in card->candidates. Only hosts that have more than one ask the others, one
 * rank a node; each node's first rank publishes its candidates whether it asks or not, and with full modex
 * all ranks of a job on several nodes fence. TUTTI_ERR_FABRIC with each host's candidates where there is no
 * common subnet. */
int tti_fabric_agree(const tti_job *job, tti_card *card);

#endif
