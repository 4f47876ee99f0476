/* SPDX-License-Identifier: BSD-3-Clause */
/* Which secrets are taken, from files and from memory, and what proves that one is known. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/status.h"
#include "streams/secret.h"
#include "tests/unit/expect.h"

static char path[] = "/tmp/tutti-secret-XXXXXX";
static tti_greetings greetings;

static void write_file(const char *text, size_t bytes, mode_t mode)
{
    unlink(path);
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    EXPECT(descriptor >= 0 && write(descriptor, text, bytes) == (ssize_t)bytes);
    EXPECT(fchmod(descriptor, mode) == 0);
    close(descriptor);
}

static void expect_refused(int code, const char *word)
{
    tti_secret *secret = NULL;
    const int got = tti_secret_read(&secret, path);
    if (got != code || strstr(tutti_error_detail(), word) == NULL ||
        strstr(tutti_error_detail(), path) == NULL) {
        fprintf(stderr, "%d (%s), wanted %d with \"%s\"\n", got, tutti_error_detail(), code, word);
        exit(1);
    }
    EXPECT(secret == NULL);
}

static void expect_same(const char *text, size_t bytes, const char *whole)
{
    tti_secret *file, *memory;
    uint8_t proof[TTI_PROOF_BYTES];
    write_file(text, bytes, 0600);
    EXPECT(tti_secret_read(&file, path) == 0);
    EXPECT(tti_secret_copy(&memory, whole, strlen(whole)) == 0);
    tti_secret_prove(file, TTI_PROVER_CALLER, &greetings, proof);
    EXPECT(tti_secret_is_proved(memory, TTI_PROVER_CALLER, &greetings, proof));
    tti_secret_free(file);
    tti_secret_free(memory);
}

static void files(void)
{
    static char long_text[TTI_SECRET_MOST + 4];
    memset(long_text, 'x', sizeof long_text);
    expect_same("sixteen bytes ok", 16, "sixteen bytes ok");
    expect_same("sixteen bytes ok\n", 17, "sixteen bytes ok");
    expect_same("sixteen bytes ok\r\n", 18, "sixteen bytes ok");
    expect_same("sixteen bytes ok\n\n", 18, "sixteen bytes ok\n");
    static const mode_t open_to_others[] = {0640, 0604, 0620, 0666, 0601};
    for (size_t i = 0; i < sizeof open_to_others / sizeof open_to_others[0]; i++) {
        write_file("sixteen bytes ok", 16, open_to_others[i]);
        expect_refused(TUTTI_ERR_DENIED, "chmod 600");
    }
    write_file("fifteen bytes!!\n", 16, 0600);
    expect_refused(TUTTI_ERR_ARG, "15 bytes");
    write_file(long_text, TTI_SECRET_MOST + 1, 0400);
    expect_refused(TUTTI_ERR_ARG, "4097 bytes");
    write_file(long_text, TTI_SECRET_MOST + 4, 0400);
    expect_refused(TUTTI_ERR_ARG, "a secret has");
    unlink(path);
    expect_refused(TUTTI_ERR_SYSTEM, "No such file");
    EXPECT(mkfifo(path, 0600) == 0);
    expect_refused(TUTTI_ERR_ARG, "no regular file");
    if (geteuid() == 0) {
        write_file("sixteen bytes ok", 16, 0600);
        EXPECT(chown(path, 12345, (gid_t)-1) == 0);
        expect_refused(TUTTI_ERR_DENIED, "user 12345");
    }
}

/* By another implementation: printf of the label, a zero byte and both hellos | openssl dgst -sha256 -hmac
 * KEY. */
static const struct {
    enum tti_prover prover;
    const char *hex;
} known[] = {
    {TTI_PROVER_CALLER, "98783eab098f5e2030f7d6724262f6405f8bd9d56a9c5323e2e5c564376342a8"},
    {TTI_PROVER_LISTENER, "25c41c9d605c59ff0ded170ac779cb5c4c27fb971091c6a43c2c2cb9f762167c"},
};

static void proofs_known(const tti_secret *secret)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint8_t proof[TTI_PROOF_BYTES];
        char hex[2 * TTI_PROOF_BYTES + 1];
        tti_secret_prove(secret, known[i].prover, &greetings, proof);
        for (size_t k = 0; k < sizeof proof; k++)
            snprintf(hex + 2 * k, 3, "%02x", proof[k]);
        EXPECT(strcmp(hex, known[i].hex) == 0);
    }
}

/* A proof is of one side, of these hellos to the bit, and of this secret; and no bit of it may be another. */
static void proofs_bound(const tti_secret *secret)
{
    uint8_t proof[TTI_PROOF_BYTES];
    tti_secret *other;
    EXPECT(tti_secret_copy(&other, "sixteen bytes oK", 16) == 0);
    tti_secret_prove(secret, TTI_PROVER_CALLER, &greetings, proof);
    EXPECT(tti_secret_is_proved(secret, TTI_PROVER_CALLER, &greetings, proof));
    EXPECT(!tti_secret_is_proved(secret, TTI_PROVER_LISTENER, &greetings, proof));
    EXPECT(!tti_secret_is_proved(other, TTI_PROVER_CALLER, &greetings, proof));
    uint8_t *const said = (uint8_t *)&greetings;
    for (size_t bit = 0; bit < 8 * sizeof greetings; bit++) {
        said[bit / 8] ^= (uint8_t)(1 << bit % 8);
        EXPECT(!tti_secret_is_proved(secret, TTI_PROVER_CALLER, &greetings, proof));
        said[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t bit = 0; bit < 8 * sizeof proof; bit++) {
        proof[bit / 8] ^= (uint8_t)(1 << bit % 8);
        EXPECT(!tti_secret_is_proved(secret, TTI_PROVER_CALLER, &greetings, proof));
        proof[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    tti_secret_free(other);
}

int main(void)
{
    tti_secret *secret;
    const int descriptor = mkstemp(path);
    EXPECT(descriptor >= 0);
    close(descriptor);
    for (size_t i = 0; i < TTI_HELLO_BYTES; i++) {
        greetings.caller[i] = (uint8_t)i;
        greetings.listener[i] = (uint8_t)(100 + i);
    }
    files();
    EXPECT(tti_secret_copy(&secret, "short", 5) == TUTTI_ERR_ARG);
    EXPECT(tti_secret_copy(&secret, "sixteen bytes ok", 16) == 0);
    proofs_known(secret);
    proofs_bound(secret);
    tti_secret_free(secret);
    tti_secret_free(NULL);
    unlink(path);
    return 0;
}
