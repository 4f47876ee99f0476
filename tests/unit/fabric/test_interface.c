/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface choice on recorded lists, and the tag width. */
#include <arpa/inet.h>
#include <string.h>

#include "runtime/fabric/interface.h"
#include "runtime/fabric/tag.h"
#include "tests/unit/expect.h"

enum { UP = TTI_INTERFACE_UP, LO = TTI_INTERFACE_LOOPBACK, PTP = TTI_INTERFACE_POINT_TO_POINT };

static void add(tti_interface_list *list, const char *name, const char *address, int prefix, int flags)
{
    tti_interface *one = &list->at[list->count++];
    memset(one, 0, sizeof *one);
    snprintf(one->name, sizeof one->name, "%s", name);
    one->family = strchr(address, ':') != NULL ? 6 : 4;
    one->prefix = (uint8_t)prefix;
    one->flags = (uint8_t)flags;
    EXPECT(inet_pton(one->family == 6 ? AF_INET6 : AF_INET, address, one->address) == 1);
}

static tti_interface_list workstation(void)
{
    tti_interface_list list = {0};
    add(&list, "lo", "127.0.0.1", 8, UP | LO);
    add(&list, "lo", "::1", 128, UP | LO);
    add(&list, "eth0", "192.168.1.20", 24, UP);
    add(&list, "eth0", "fe80::1", 64, UP);
    add(&list, "eth0", "fd00::20", 64, UP);
    add(&list, "eth1", "10.9.0.1", 16, 0);
    add(&list, "tun0", "10.8.0.2", 24, UP | PTP);
    add(&list, "docker0", "172.17.0.1", 16, UP);
    add(&list, "eth2", "169.254.3.4", 16, UP);
    return list;
}

static void expect_names(const tti_interface_list *list, const char *expected)
{
    char text[512];
    tti_interface_print_list(list, text, sizeof text);
    if (strcmp(text, expected) != 0) fprintf(stderr, "got %s\n", text);
    EXPECT(strcmp(text, expected) == 0);
}

static void candidates(void)
{
    const tti_interface_list all = workstation();
    tti_interface_list out;
    tti_interface_candidates(&all, "", false, &out);
    expect_names(&out, "eth0 192.168.1.20/24, docker0 172.17.0.1/16, eth0 fd00::20/64");
    tti_interface_candidates(&all, "", true, &out);
    expect_names(&out, "lo 127.0.0.1/8");
    tti_interface_candidates(&all, "eth0", false, &out);
    expect_names(&out, "eth0 192.168.1.20/24");
    tti_interface_candidates(&all, "tun0", false, &out);
    expect_names(&out, "tun0 10.8.0.2/24");
    tti_interface_candidates(&all, "10.9.0.0/16", false, &out);
    expect_names(&out, "eth1 10.9.0.1/16");
    tti_interface_candidates(&all, "192.168.1.20", true, &out);
    expect_names(&out, "eth0 192.168.1.20/24");
    tti_interface_candidates(&all, "fd00::/16", false, &out);
    expect_names(&out, "eth0 fd00::20/64");
    const char *const wrong[] = {"eth9", "10.9.0.0/33", "10.9.0.0/x", "10.9.0.0/",
                                 "/8",   "300.1.1.1",   "::/129"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        tti_interface_candidates(&all, wrong[i], false, &out);
        expect_names(&out, "none");
    }
}

static void only_version_6(void)
{
    tti_interface_list all = {0}, out;
    add(&all, "eth0", "fe80::9", 64, UP);
    add(&all, "eth0", "2001:db8::9", 64, UP);
    tti_interface_candidates(&all, "", false, &out);
    expect_names(&out, "eth0 2001:db8::9/64");
}

/* Three hosts: a decoy subnet of its own on each, docker's bridge alike on all, the true net in another
 * order. */
static void common(void)
{
    static tti_interface_list host[3];
    for (int i = 0; i < 3; i++) {
        char address[3][32];
        snprintf(address[0], sizeof address[0], "10.%d.0.1", 50 + i);
        snprintf(address[1], sizeof address[1], "172.17.0.1");
        snprintf(address[2], sizeof address[2], "10.0.0.%d", 1 + i);
        for (int k = 0; k < 3; k++) {
            const int which = (k + i) % 3;
            add(&host[i], which == 2 ? "net" : "decoy", address[which], which == 2 ? 24 : 16, UP);
        }
    }
    const tti_interface_list *hosts[] = {&host[0], &host[1], &host[2]};
    for (int i = 0; i < 3; i++) {
        const int index = tti_interface_common(&host[i], hosts, 3);
        EXPECT(index >= 0 && strcmp(host[i].at[index].name, "net") == 0);
    }
    host[2].at[0].address[2] = 77; /* the net of host 2, k = 0, becomes one of its own */
    EXPECT(tti_interface_common(&host[0], hosts, 3) == -1);
    EXPECT(tti_interface_common(&host[0], hosts, 2) >= 0);
}

/* Two nets that all share: every host takes the one that comes first on the first host. */
static void two_common(void)
{
    tti_interface_list a = {0}, b = {0};
    add(&a, "fast", "10.1.0.1", 16, UP);
    add(&a, "slow", "10.2.0.1", 16, UP);
    add(&b, "slow", "10.2.0.2", 16, UP);
    add(&b, "fast", "10.1.0.2", 16, UP);
    const tti_interface_list *hosts[] = {&a, &b};
    EXPECT(tti_interface_common(&a, hosts, 2) == 0 && tti_interface_common(&b, hosts, 2) == 1);
}

/* The place in a's and in b's list of what both take, as two digits; -1 for nothing. */
static int agreed(const tti_interface_list *a, const tti_interface_list *b)
{
    const tti_interface_list *hosts[] = {a, b};
    const int mine = tti_interface_common(a, hosts, 2), theirs = tti_interface_common(b, hosts, 2);
    EXPECT((mine < 0) == (theirs < 0));
    return mine < 0 ? -1 : 10 * mine + theirs;
}

/* Both have IPv4, but one by docker0 alone. */
static void hidden_version_6(void)
{
    tti_interface_list a = {0}, b = {0}, mine, theirs;
    add(&a, "docker0", "172.17.0.1", 16, UP);
    add(&a, "eth0", "2001:db8::1", 64, UP);
    add(&b, "eth0", "192.168.1.2", 24, UP);
    add(&b, "docker0", "172.17.0.1", 16, UP);
    add(&b, "eth0", "2001:db8::2", 64, UP);
    tti_interface_candidates(&a, "", false, &mine);
    tti_interface_candidates(&b, "", false, &theirs);
    EXPECT(agreed(&mine, &theirs) == 12);
}

/* Clouds and DHCPv6 give addresses without a subnet. */
static void routed(void)
{
    tti_interface_list a = {0}, b = {0}, c = {0}, d = {0}, e = {0};
    add(&a, "eth0", "10.128.0.2", 32, UP);
    add(&b, "eth0", "10.128.0.3", 32, UP);
    EXPECT(agreed(&a, &b) == 0);
    add(&c, "eth0", "10.128.0.4", 20, UP);
    EXPECT(agreed(&a, &c) == 0 && agreed(&c, &a) == 0);
    add(&d, "eth0", "10.129.0.4", 20, UP);
    EXPECT(agreed(&a, &d) == -1 && agreed(&c, &d) == -1);
    /* A subnet before them; an address that two hosts have counts for nothing. */
    add(&a, "eth1", "10.9.0.1", 24, UP);
    add(&e, "eth0", "10.128.0.2", 32, UP);
    add(&e, "eth0", "10.128.0.7", 32, UP);
    EXPECT(agreed(&a, &e) == -1 && agreed(&b, &e) == 0);
    add(&e, "eth1", "10.9.0.2", 24, UP);
    add(&b, "eth1", "10.9.0.3", 24, UP);
    EXPECT(agreed(&a, &e) == 12 && agreed(&b, &e) == 12);
    tti_interface_list v6 = {0}, w6 = {0};
    add(&v6, "eth0", "2001:db8::10", 128, UP);
    add(&w6, "eth0", "2001:db8::11", 128, UP);
    EXPECT(agreed(&v6, &w6) == 0 && agreed(&v6, &a) == -1);
}

static void set_speed(tti_interface_list *list, const char *name, uint32_t speed)
{
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->at[i].name, name) == 0) list->at[i].speed = speed;
    }
}

/* The faster of two nets that all share, if both speeds are known on all hosts; a net is as fast as its
 * slowest host. */
static void speeds(void)
{
    tti_interface_list a = {0}, b = {0};
    add(&a, "mgmt", "10.2.0.1", 16, UP);
    add(&a, "data", "10.1.0.1", 16, UP);
    add(&b, "data", "10.1.0.2", 16, UP);
    add(&b, "mgmt", "10.2.0.2", 16, UP);
    EXPECT(agreed(&a, &b) == 1);
    set_speed(&a, "mgmt", 1000);
    set_speed(&a, "data", 25000);
    EXPECT(agreed(&a, &b) == 1);
    set_speed(&b, "mgmt", 1000);
    EXPECT(agreed(&a, &b) == 1);
    set_speed(&b, "data", 10000);
    EXPECT(agreed(&a, &b) == 10);
    set_speed(&b, "data", 100);
    EXPECT(agreed(&a, &b) == 1);
    set_speed(&b, "data", 10000);
    set_speed(&b, "mgmt", 0);
    EXPECT(agreed(&a, &b) == 1);
}

static void tags(void)
{
    EXPECT(tti_fabric_tag_bits(UINT64_C(0xaaaaaaaaaaaaaaaa)) == 64);
    EXPECT(tti_fabric_tag_bits(UINT64_C(0x5555555555555555)) == 63);
    EXPECT(tti_fabric_tag_bits(UINT64_C(0x0000ffff00ff00ff)) == 48 && tti_fabric_tag_bits(0) == 0);
    EXPECT(tti_fabric_tag_fits(UINT64_MAX, 64) && !tti_fabric_tag_fits(UINT64_C(1) << 63, 63));
    EXPECT(tti_fabric_tag_fits(65535, 16) && !tti_fabric_tag_fits(65536, 16));
}

int main(void)
{
    candidates();
    only_version_6();
    common();
    two_common();
    hidden_version_6();
    routed();
    speeds();
    tags();
    return 0;
}
