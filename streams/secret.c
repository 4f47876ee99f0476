/* SPDX-License-Identifier: BSD-3-Clause */
#include "streams/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/status.h"

struct tti_secret {
    size_t count;
    uint8_t bytes[];
};

static int take(tti_secret **secret, const void *bytes, size_t count, const char *whose)
{
    if (count < TTI_SECRET_LEAST || count > TTI_SECRET_MOST)
        return tti_fail(TUTTI_ERR_ARG,
                        "%s has %zu bytes; a secret has %d to %d, such as `openssl rand -hex 32` makes",
                        whose, count, TTI_SECRET_LEAST, TTI_SECRET_MOST);
    /* A multiple of the alignment, as sodium_malloc() lays the end of what it gives at the end of a page. */
    const size_t size = (sizeof(tti_secret) + count + 15) / 16 * 16;
    tti_secret *one = sodium_init() >= 0 ? sodium_malloc(size) : NULL;
    if (one == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a secret of %zu bytes", count);
    one->count = count;
    memcpy(one->bytes, bytes, count);
    *secret = one;
    return 0;
}

int tti_secret_copy(tti_secret **secret, const void *bytes, size_t count)
{
    return take(secret, bytes, count, "tutti_stream_options.secret");
}

/* Whether nobody else can read the file, nor has written it. */
static int check_owner(int descriptor, const char *path)
{
    struct stat file;
    if (fstat(descriptor, &file) != 0)
        return tti_fail_errno(TUTTI_ERR_SYSTEM, errno, "looking at the secret file %s", path);
    if (!S_ISREG(file.st_mode)) return tti_fail(TUTTI_ERR_ARG, "the secret file %s is no regular file", path);
    if (file.st_uid != geteuid())
        return tti_fail(TUTTI_ERR_DENIED,
                        "the secret file %s belongs to user %u, this process to user %u: use one of its own",
                        path, (unsigned)file.st_uid, (unsigned)geteuid());
    if ((file.st_mode & 077) != 0)
        return tti_fail(TUTTI_ERR_DENIED,
                        "the secret file %s has mode %04o, so that others may have it: chmod 600 %s", path,
                        (unsigned)(file.st_mode & 07777), path);
    return 0;
}

static int read_all(tti_secret **secret, int descriptor, const char *path)
{
    uint8_t text[TTI_SECRET_MOST + 3]; /* with "\r\n"; and one more, that too many are seen */
    size_t count = 0;
    ssize_t bytes;
    while ((bytes = read(descriptor, text + count, sizeof text - count)) > 0)
        count += (size_t)bytes;
    const int error = errno;
    if (count > 0 && text[count - 1] == '\n') count--;
    if (count > 0 && text[count - 1] == '\r') count--;
    const int code = bytes < 0 ? tti_fail_errno(TUTTI_ERR_SYSTEM, error, "reading the secret file %s", path)
                               : take(secret, text, count, path);
    sodium_memzero(text, sizeof text);
    return code;
}

int tti_secret_read(tti_secret **secret, const char *path)
{
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not hold it up */
    if (descriptor < 0) return tti_fail_errno(TUTTI_ERR_SYSTEM, errno, "opening the secret file %s", path);
    int code = check_owner(descriptor, path);
    if (code == 0) code = read_all(secret, descriptor, path);
    close(descriptor);
    return code;
}

void tti_secret_free(tti_secret *secret)
{
    sodium_free(secret);
}

void tti_secret_prove(const tti_secret *secret, enum tti_prover prover, const tti_greetings *greetings,
                      uint8_t proof[TTI_PROOF_BYTES])
{
    static const char *const names[] = {"tutti stream: caller", "tutti stream: listener"};
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, secret->bytes, secret->count);
    crypto_auth_hmacsha256_update(&state, (const uint8_t *)names[prover], strlen(names[prover]) + 1);
    crypto_auth_hmacsha256_update(&state, greetings->caller, sizeof greetings->caller);
    crypto_auth_hmacsha256_update(&state, greetings->listener, sizeof greetings->listener);
    crypto_auth_hmacsha256_final(&state, proof);
    sodium_memzero(&state, sizeof state);
}

bool tti_secret_is_proved(const tti_secret *secret, enum tti_prover prover, const tti_greetings *greetings,
                          const uint8_t proof[TTI_PROOF_BYTES])
{
    uint8_t wanted[TTI_PROOF_BYTES];
    tti_secret_prove(secret, prover, greetings, wanted);
    const bool equal = sodium_memcmp(wanted, proof, sizeof wanted) == 0;
    sodium_memzero(wanted, sizeof wanted);
    return equal;
}
