/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/element.h"

#include <complex.h>

#include "runtime/base/element_rows.h"
#include "runtime/base/status.h"

struct pair_float {
    float value;
    int index;
};
struct pair_double {
    double value;
    int index;
};
struct pair_int32 {
    int32_t value;
    int index;
};
struct pair_int64 {
    int64_t value;
    int index;
};

static const struct {
    const char *name;
    size_t bytes;
    tti_element_row *reduce;
} types[] = {
    [TUTTI_INT8] = {"int8", 1, &tti_element_int8},
    [TUTTI_INT16] = {"int16", 2, &tti_element_int16},
    [TUTTI_INT32] = {"int32", 4, &tti_element_int32},
    [TUTTI_INT64] = {"int64", 8, &tti_element_int64},
    [TUTTI_UINT8] = {"uint8", 1, &tti_element_uint8},
    [TUTTI_UINT16] = {"uint16", 2, &tti_element_uint16},
    [TUTTI_UINT32] = {"uint32", 4, &tti_element_uint32},
    [TUTTI_UINT64] = {"uint64", 8, &tti_element_uint64},
    [TUTTI_FLOAT] = {"float", sizeof(float), &tti_element_float},
    [TUTTI_DOUBLE] = {"double", sizeof(double), &tti_element_double},
    [TUTTI_LONG_DOUBLE] = {"long double", sizeof(long double), &tti_element_long_double},
    [TUTTI_FLOAT_COMPLEX] = {"float complex", sizeof(float complex), &tti_element_float_complex},
    [TUTTI_DOUBLE_COMPLEX] = {"double complex", sizeof(double complex), &tti_element_double_complex},
    [TUTTI_FLOAT16] = {"float16", 2, &tti_element_float16},
    [TUTTI_BFLOAT16] = {"bfloat16", 2, &tti_element_bfloat16},
    [TUTTI_FLOAT_INT] = {"(float, int)", sizeof(struct pair_float), &tti_element_float_int},
    [TUTTI_DOUBLE_INT] = {"(double, int)", sizeof(struct pair_double), &tti_element_double_int},
    [TUTTI_INT32_INT] = {"(int32, int)", sizeof(struct pair_int32), &tti_element_int32_int},
    [TUTTI_INT64_INT] = {"(int64, int)", sizeof(struct pair_int64), &tti_element_int64_int},
};

static const struct {
    const char *name;
    const char *takes; /* the elements it is defined for, for error texts */
} ops[] = {
    [TTI_OP_SUM] = {"sum", "integers, reals and complex numbers"},
    [TTI_OP_PROD] = {"prod", "integers, reals and complex numbers"},
    [TTI_OP_MIN] = {"min", "integers and reals"},
    [TTI_OP_MAX] = {"max", "integers and reals"},
    [TTI_OP_LAND] = {"land", "integers"},
    [TTI_OP_LOR] = {"lor", "integers"},
    [TTI_OP_LXOR] = {"lxor", "integers"},
    [TTI_OP_BAND] = {"band", "integers"},
    [TTI_OP_BOR] = {"bor", "integers"},
    [TTI_OP_BXOR] = {"bxor", "integers"},
    [TTI_OP_MINLOC] = {"minloc", "(value, index) pairs"},
    [TTI_OP_MAXLOC] = {"maxloc", "(value, index) pairs"},
    [TTI_OP_COUNT] = {"replace", NULL},
    [TTI_OP_COUNT + 1] = {"no-op", NULL},
};

static bool is_named(tutti_type type)
{
    return type >= TUTTI_INT8 && type <= TUTTI_INT64_INT;
}

static bool is_opaque(tutti_type type)
{
    return (type & 0xff) == 0xff && type >> 8 >= 1 && type >> 8 <= UINT32_MAX;
}

size_t tti_element_bytes(tutti_type type)
{
    if (is_named(type)) return types[type].bytes;
    return is_opaque(type) ? (size_t)(type >> 8) : 0;
}

const char *tti_element_type_name(tutti_type type)
{
    if (is_named(type)) return types[type].name;
    return is_opaque(type) ? "opaque" : "unknown type";
}

const char *tti_element_op_name(const tutti_op *op)
{
    if (op == NULL) return "no operation (NULL)";
    return tti_element_is_builtin(op) ? ops[(uintptr_t)op].name : "user operation";
}

bool tti_element_combines(tutti_type type, const tutti_op *op)
{
    return is_named(type) && tti_element_is_builtin(op) && (uintptr_t)op < TTI_OP_COUNT &&
           (*types[type].reduce)[(uintptr_t)op] != NULL;
}

int tti_element_check(const char *call, tutti_type type, const tutti_op *op)
{
    if (tti_element_bytes(type) == 0)
        return tti_fail(TUTTI_ERR_TYPE,
                        "%s: element type %#llx is unknown: use TUTTI_INT8 … TUTTI_INT64_INT or "
                        "tutti_type_bytes()",
                        call, (unsigned long long)type);
    if (!tti_element_is_builtin(op))
        return tti_fail(TUTTI_ERR_OP, "%s: operation %p is no built-in one", call, (const void *)op);
    if ((uintptr_t)op >= TTI_OP_COUNT)
        return tti_fail(TUTTI_ERR_OP, "%s: operation %s is for one-sided access alone", call,
                        tti_element_op_name(op));
    if (!tti_element_combines(type, op))
        return tti_fail(TUTTI_ERR_TYPE,
                        "%s: operation %s is not defined for %s elements of %zu bytes: it takes %s", call,
                        tti_element_op_name(op), tti_element_type_name(type), tti_element_bytes(type),
                        ops[(uintptr_t)op].takes);
    return 0;
}

void tti_element_reduce(const void *in, void *inout, size_t count, tutti_type type, const tutti_op *op)
{
    (*types[type].reduce)[(uintptr_t)op](in, inout, count);
}
