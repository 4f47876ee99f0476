/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "launcher/host_list.h"
#include "tests/unit/expect.h"

static void test_list(void)
{
    tti_host_list list;
    EXPECT(tti_hosts_parse("a,node-2.site:3,10.0.0.1", &list) == 0);
    EXPECT(list.count == 3 && strcmp(list.hosts[1].name, "node-2.site") == 0);
    EXPECT(list.hosts[0].slots == 0 && list.hosts[1].slots == 3);
    tti_hosts_free(&list);
}

static void test_list_refusals(void)
{
    static const char *const bad[] = {
        "",      ",",     "a,",  "a,,b", "a:",  "a:0", "a:x",     "a:-1",
        "a:1:2", "-oops", "a b", "a;rm", "a$b", ":3",  "a:65537", "a:99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tti_host_list list;
        EXPECT(tti_hosts_parse(bad[i], &list) == 2);
        EXPECT(list.count == 0 && list.hosts == NULL);
        EXPECT(strstr(tutti_error_detail(), "is no host") != NULL);
    }
    tti_host_list none;
    EXPECT(tti_hosts_parse("a,node[1,3-5]", &none) == 2);
    EXPECT(strstr(tutti_error_detail(), "\"node[1\" is no host") != NULL);
    EXPECT(strstr(tutti_error_detail(), "scontrol show hostnames") != NULL);
    char longest[400];
    tti_host_list list;
    memset(longest, 'a', sizeof longest);
    longest[255] = '\0';
    EXPECT(tti_hosts_parse(longest, &list) == 0);
    tti_hosts_free(&list);
    longest[255] = 'a';
    longest[256] = '\0';
    EXPECT(tti_hosts_parse(longest, &list) == 2);
}

static int parse_file(const char *text, tti_host_list *list)
{
    return tti_hosts_parse_file("hosts", text, strlen(text), list);
}

static void test_file(void)
{
    tti_host_list list;
    EXPECT(parse_file("# ours\n\na slots=2 # two\n\tb:4\r\nc", &list) == 0);
    EXPECT(list.count == 3 && list.hosts[0].slots == 2 && list.hosts[1].slots == 4);
    EXPECT(strcmp(list.hosts[2].name, "c") == 0);
    tti_hosts_free(&list);
}

static void test_file_refusals(void)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"", "names no host"},           {"# only\n", "names no host"},     {"a\nb c\n", "hosts line 2"},
        {"a slots=\n", "hosts line 1"},  {"a slots=0", "hosts line 1"},     {"a:2 slots=2", "hosts line 1"},
        {"a slots=2 x", "hosts line 1"}, {"a max-slots=2", "hosts line 1"}, {"a\n\n-b", "hosts line 3"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tti_host_list list;
        EXPECT(parse_file(rows[i].text, &list) == 2);
        EXPECT(list.count == 0 && strstr(tutti_error_detail(), rows[i].says) != NULL);
    }
    tti_host_list list;
    EXPECT(tti_hosts_parse_file("hosts", "a\0b\n", 4, &list) == 2);
}

static void test_sharing(void)
{
    tti_host_list list;
    EXPECT(tti_hosts_parse("a,b:2,c", &list) == 0);
    EXPECT(tti_hosts_share(&list, 7) == 8);
    EXPECT(list.hosts[0].slots == 3 && list.hosts[1].slots == 2 && list.hosts[2].slots == 3);
    tti_hosts_free(&list);
    EXPECT(tti_hosts_parse("a,b", &list) == 0);
    EXPECT(tti_hosts_share(&list, 0) == 2);
    tti_hosts_free(&list);
}

static void test_again(void)
{
    tti_host_list list;
    EXPECT(tti_hosts_parse("b,a,c:2,b:3,a,d,a", &list) == 0 && list.count == 4);
    EXPECT(strcmp(list.hosts[0].name, "b") == 0 && list.hosts[0].slots == 4);
    EXPECT(strcmp(list.hosts[1].name, "a") == 0 && list.hosts[1].slots == 3);
    EXPECT(strcmp(list.hosts[2].name, "c") == 0 && list.hosts[2].slots == 2);
    EXPECT(strcmp(list.hosts[3].name, "d") == 0 && list.hosts[3].slots == 0);
    tti_hosts_free(&list);
}

/* All the lines of a long file may have more slots than an int holds. */
static void test_many_slots(void)
{
    enum { HOSTS = 40000 };
    static const char line[] = "a:65536\n";
    static char text[HOSTS * (sizeof line - 1) + 1];
    tti_host_list list;
    for (size_t i = 0; i < HOSTS; i++)
        memcpy(text + i * (sizeof line - 1), line, sizeof line);
    EXPECT(parse_file(text, &list) == 0 && list.count == 1);
    EXPECT(tti_hosts_share(&list, 2) == INT64_C(65536) * HOSTS);
    tti_hosts_free(&list);
}

int main(void)
{
    test_list();
    test_list_refusals();
    test_file();
    test_file_refusals();
    test_sharing();
    test_again();
    test_many_slots();
    return 0;
}
