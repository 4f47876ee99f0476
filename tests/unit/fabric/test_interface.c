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
    expect_names(&out, "eth0 192.168.1.20/24, docker0 172.17.0.1/16");
    tti_interface_candidates(&all, "", true, &out);
    expect_names(&out, "lo 127.0.0.1/8");
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
    tags();
    return 0;
}
