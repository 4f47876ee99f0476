/* SPDX-License-Identifier: BSD-3-Clause */
/* What tutti_info() tells before a rank joins its job, and after it has left: each topic has facts, with a
 * subject, what it is about and a value, those of one subject together; and some that every machine has. */
#include <stdbool.h>

#include "tests/job/job.h"

typedef struct {
    const char *subject, *what; /* what begins so is looked for; NULL: any */
    int facts;
    bool found;
    char last[64], seen[4096]; /* subjects, between line ends */
} listener;

static bool begins_with(const char *told, const char *wanted)
{
    return wanted == NULL || strncmp(told, wanted, strlen(wanted)) == 0;
}

static void listen(const char *subject, const char *what, const char *value, void *context)
{
    listener *l = context;
    char line[80];
    EXPECT(subject != NULL && subject[0] != '\0' && what != NULL && value != NULL);
    snprintf(line, sizeof line, "\n%.63s\n", subject);
    if (strncmp(l->last, subject, sizeof l->last - 1) != 0) {
        EXPECT(strstr(l->seen, line) == NULL); /* of each subject all at once */
        EXPECT(strlen(l->seen) + strlen(line) < sizeof l->seen);
        strcat(l->seen, line);
    }
    snprintf(l->last, sizeof l->last, "%s", subject);
    l->facts++;
    l->found =
        l->found || (begins_with(subject, l->subject) && begins_with(what, l->what) && value[0] != '\0');
}

static void expect_fact(int topic, const char *subject, const char *what)
{
    listener l = {.subject = subject, .what = what};
    OK(tutti_info(topic, 1, listen, &l));
    EXPECT(l.facts > 0 && l.found);
}

static void expect_all(void)
{
    expect_fact(TUTTI_INFO_VERSIONS, "tutti", "version");
    expect_fact(TUTTI_INFO_VERSIONS, "libfabric", "version");
    expect_fact(TUTTI_INFO_LIMITS, NULL, NULL);
    expect_fact(TUTTI_INFO_OPTIONS, "TUTTI_TRANSPORT", NULL);
    expect_fact(TUTTI_INFO_TOPOLOGY, NULL, NULL);
    expect_fact(TUTTI_INFO_PROVIDERS, NULL, "can");
    /* shm joins no nodes, which is said. */
    const char *provider = getenv("TUTTI_PROVIDER");
    if (provider != NULL && strcmp(provider, "shm") == 0)
        EXPECT(tutti_info(TUTTI_INFO_INTERFACE, 1, listen, &(listener){0}) == TUTTI_ERR_OPTION);
    else
        expect_fact(TUTTI_INFO_INTERFACE, NULL, NULL);
    expect_fact(TUTTI_INFO_ALGORITHMS, "allreduce", NULL);
    expect_fact(TUTTI_INFO_MACHINE, "line", "value");
}

int main(void)
{
    expect_all();
    job_open(TUTTI_THREAD_SINGLE);
    const int code = job_close();
    expect_all();
    return code;
}
