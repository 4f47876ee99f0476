/* SPDX-License-Identifier: BSD-3-Clause */
/* test_library LIBFABRIC: loading leaves the library's memory as it was, whatever way it is linked: each
 * mapping with its protection, the words of its tables, and what it writes itself. */
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "runtime/fabric/fabric_library.h"
#include "tests/unit/expect.h"

#define TEXT_MOST 8192

/* Over all words, those between the library's variables too, which a sanitizer guards. */
__attribute__((no_sanitize("address"))) static uint64_t add_words(uint64_t sum, const uint64_t *word,
                                                                  const uint64_t *end)
{
    while (word < end)
        sum = sum * 31 + *word++;
    return sum;
}

/* The lines of /proc/self/maps that name the library, and a sum over the words of its writable memory. */
static uint64_t survey(const char *library, char text[TEXT_MOST])
{
    char line[1024];
    size_t used = 0;
    uint64_t sum = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    EXPECT(maps != NULL);
    while (fgets(line, sizeof line, maps) != NULL) {
        uintptr_t from, to;
        char rights[5];
        if (strstr(line, library) == NULL) continue;
        EXPECT(sscanf(line, "%lx-%lx %4s", &from, &to, rights) == 3 && used + strlen(line) < TEXT_MOST);
        used += (size_t)snprintf(text + used, TEXT_MOST - used, "%s", line);
        if (rights[1] == 'w') sum = add_words(sum, (const uint64_t *)from, (const uint64_t *)to);
    }
    fclose(maps);
    EXPECT(used > 0);
    return sum;
}

int main(int argc, char **argv)
{
    static char before[TEXT_MOST], after[TEXT_MOST];
    EXPECT(argc == 2);
    void *handle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL); /* its name is libfabric's: found again below */
    EXPECT(handle != NULL);
    int (*count)(void);
    *(void **)&count = dlsym(handle, "plain_count");
    EXPECT(count != NULL && count() == 1);
    const uint64_t sum = survey(argv[1], before);

    const tti_fabric_library *library;
    EXPECT(tti_fabric_library_load(&library) == 0);
    EXPECT(strcmp(library->strerror(0), "nothing here works") == 0);

    EXPECT(survey(argv[1], after) == sum);
    if (strcmp(before, after) != 0) fprintf(stderr, "before:\n%safter:\n%s", before, after);
    EXPECT(strcmp(before, after) == 0 && count() == 2);
    return 0;
}
