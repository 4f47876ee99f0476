/* SPDX-License-Identifier: BSD-3-Clause */
/* odd_card version|truncated: a rank whose cards are of another Tutti, or cut short. It takes part in the
 * start of a job on several hosts like any other, and then waits for its end. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pmi/pmi.h"
#include "runtime/base/options.h"
#include "runtime/fabric/agreement.h"
#include "tests/patience.h"
#include "tests/unit/expect.h"
#include "tutti/init.h"

static void on_failure(int rank, void *context)
{
    (void)rank;
    (void)context;
}

/* What a rank of `tutti` that is alone on its host publishes, less `cut` bytes. */
static void publish(const tti_job *job, const char *key, const char *tutti, size_t cut)
{
    uint8_t wire[TTI_CARD_MAX];
    tti_interface_list all;
    tti_card card = {.host = "host3", .provider = "net"};
    tti_alike_own(&card.options);
    snprintf(card.tutti, sizeof card.tutti, "%s", tutti);
    EXPECT(tti_interface_scan(&all) == 0);
    tti_interface_candidates(&all, "", false, &card.candidates);
    const int length = tti_card_write(&card, wire, sizeof wire);
    EXPECT(length > (int)cut);
    EXPECT(tti_pmi_put(key, wire, (size_t)length - cut) == 0);
    if (tti_fabric_full_modex(job)) EXPECT(tti_pmi_fence(true) == 0);
}

int main(int argc, char **argv)
{
    const tti_job *job;
    EXPECT(argc == 3);
    EXPECT(tti_options_load(NULL) == 0);
    EXPECT(tti_pmi_open(on_failure, NULL, &job) == 0);
    EXPECT(job->nodes > 1 && job->local_size == 1);
    const char *const tutti = strcmp(argv[1], "version") == 0 ? "99.1.2" : tutti_version();
    const size_t cut = strcmp(argv[1], "truncated") == 0 ? 3 : 0;
    const bool early = strcmp(argv[2], "candidates") == 0;
    alarm(PATIENCE_S);
    publish(job, "tutti.candidates", early ? tutti : tutti_version(), early ? cut : 0);
    publish(job, "tutti.card", tutti, cut);
    pause();
    return 1;
}
