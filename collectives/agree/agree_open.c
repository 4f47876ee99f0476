/* SPDX-License-Identifier: BSD-3-Clause */
/* What survives deaths, opened and closed as one. It stands above the others of this folder, so that
 * agreements need not know what is made of them. */
#include "collectives/agree/agree_open.h"

#include "collectives/agree/agree_early.h"
#include "collectives/agree/agreements.h"
#include "collectives/agree/comm_revoke.h"
#include "collectives/agree/restore_join.h"

void tti_agree_open_all(void)
{
    tti_agreements_open();
    tti_comm_revoke_open();
    tti_restore_join_open();
}

void tti_agree_close_all(void)
{
    tti_agreements_close();
    tti_early_forget();
}
