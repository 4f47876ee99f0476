/* SPDX-License-Identifier: BSD-3-Clause */
/** @file types.h
 * @brief Handles, constants, element types and operations. */
#ifndef TUTTI_TYPES_H
#define TUTTI_TYPES_H

#include <stddef.h>
#include <stdint.h>

/** Version of these headers; tutti_version() tells that of the library that is running. */
#define TUTTI_VERSION_MAJOR 0
#define TUTTI_VERSION_MINOR 1
#define TUTTI_VERSION_PATCH 0

#ifdef __cplusplus
#define TUTTI_BEGIN_DECLS extern "C" {
#define TUTTI_END_DECLS }
#else
#define TUTTI_BEGIN_DECLS
#define TUTTI_END_DECLS
#endif

#define TUTTI_API __attribute__((visibility("default")))

/** On functions whose result tells whether anything was done at all: compilers warn where it is not looked
 * at. A program that runs with TUTTI_ERRORS_FATAL defines TUTTI_UNCHECKED before the first include, and may
 * leave it out. */
#ifdef TUTTI_UNCHECKED
#define TUTTI_CHECKED
#else
#define TUTTI_CHECKED __attribute__((warn_unused_result))
#endif

#define TUTTI_PRINTF(text, first) __attribute__((format(printf, text, first)))

typedef struct tutti_comm tutti_comm;       /**< A group of ranks with a matching space of its own. */
typedef struct tutti_request tutti_request; /**< An operation under way, or a persistent one. */
typedef struct tutti_message tutti_message; /**< A message taken from the queue by a matched probe. */
typedef struct tutti_window tutti_window;   /**< Memory that other ranks may read and write. */
typedef struct tutti_op tutti_op;           /**< A reduction operation. */

/* A small number as a handle: comparable, never freed, no relocation. */
#ifdef __cplusplus
#define TUTTI_CONSTANT(type, n) (reinterpret_cast<type>(static_cast<uintptr_t>(n)))
#define TUTTI_VALUE(type, n) (static_cast<type>(n))
#else
#define TUTTI_CONSTANT(type, n) ((type)(uintptr_t)(n))
#define TUTTI_VALUE(type, n) ((type)(n))
#endif

/** Source wildcard of receives and probes. */
#define TUTTI_ANY_SOURCE (-1)
/** A peer that is not there: sends to it and receives from it complete at once, with no data. */
#define TUTTI_PROC_NULL (-2)
/** Tag wildcard of receives and probes. */
#define TUTTI_ANY_TAG (-1)
/** Largest user tag. */
#define TUTTI_TAG_MAX 0x7fffffff
/** Target of tutti_flush() that stands for every target. */
#define TUTTI_ALL (-1)
/** Given as `send` of a collective: the input is already in the receive buffer. As `recv` of a scatter: the
 * root's part stays where it is. */
#define TUTTI_IN_PLACE TUTTI_CONSTANT(void *, 1)
/** Color of tutti_comm_split() for a rank that wants no new communicator. */
#define TUTTI_UNDEFINED (-32766)

/** What became of one message. */
typedef struct tutti_status {
    int source;   /**< Rank in the communicator that sent it, or TUTTI_PROC_NULL; after
                   *   TUTTI_ERR_PEER_FAILED the rank that is lost. */
    int tag;      /**< Its tag. */
    size_t bytes; /**< Bytes received; for a truncated message the bytes that were sent. */
    int error;    /**< 0 or the TUTTI_ERR_* of this operation; TUTTI_ERR_CANCELLED if withdrawn. */
} tutti_status;

/** How the program's threads will call Tutti. */
enum {
    TUTTI_THREAD_SINGLE = 0,     /**< Only the thread that initialised. No lock is taken, but for calls of
                                  *   user operations. */
    TUTTI_THREAD_SERIALIZED = 1, /**< Any thread, never two at once. */
    TUTTI_THREAD_MULTIPLE = 2    /**< Any threads at once. */
};

/** Type of the elements of a reduction: one of TUTTI_INT8 … or tutti_type_bytes(). */
typedef uint64_t tutti_type;

/** Element types. The pair types are structs of a value and an int index, laid out as C does. */
enum {
    TUTTI_INT8 = 1,
    TUTTI_INT16,
    TUTTI_INT32,
    TUTTI_INT64,
    TUTTI_UINT8,
    TUTTI_UINT16,
    TUTTI_UINT32,
    TUTTI_UINT64,
    TUTTI_FLOAT,
    TUTTI_DOUBLE,
    TUTTI_LONG_DOUBLE,
    TUTTI_FLOAT_COMPLEX,
    TUTTI_DOUBLE_COMPLEX,
    TUTTI_FLOAT16,    /**< IEEE binary16; reduced in float, rounded to nearest even once per combine. */
    TUTTI_BFLOAT16,   /**< Upper half of a float; reduced in float, rounded to nearest even. */
    TUTTI_FLOAT_INT,  /**< struct { float value; int index; } */
    TUTTI_DOUBLE_INT, /**< struct { double value; int index; } */
    TUTTI_INT32_INT,  /**< struct { int32_t value; int index; } */
    TUTTI_INT64_INT   /**< struct { int64_t value; int index; } */
};

/** The type of an opaque element of `bytes` bytes (1 … 2^32 − 1), for user operations and for
 * collectives that only move data. */
#define TUTTI_TYPE_BYTES(bytes) (TUTTI_VALUE(tutti_type, TUTTI_VALUE(uint64_t, bytes) << 8 | 0xffU))
/** TUTTI_TYPE_BYTES() as a function. Threads: any, at any time. */
static inline tutti_type tutti_type_bytes(uint32_t bytes)
{
    return TUTTI_TYPE_BYTES(bytes);
}

/* Built-in operations. */
#define TUTTI_OP_CONSTANT(n) TUTTI_CONSTANT(tutti_op *, n)
#define TUTTI_SUM TUTTI_OP_CONSTANT(1)      /**< a + b. */
#define TUTTI_PROD TUTTI_OP_CONSTANT(2)     /**< a × b. */
#define TUTTI_MIN TUTTI_OP_CONSTANT(3)      /**< The lesser. */
#define TUTTI_MAX TUTTI_OP_CONSTANT(4)      /**< The greater. */
#define TUTTI_LAND TUTTI_OP_CONSTANT(5)     /**< Logical and: 1 or 0. */
#define TUTTI_LOR TUTTI_OP_CONSTANT(6)      /**< Logical or: 1 or 0. */
#define TUTTI_LXOR TUTTI_OP_CONSTANT(7)     /**< Logical exclusive or: 1 or 0. */
#define TUTTI_BAND TUTTI_OP_CONSTANT(8)     /**< And of each bit. */
#define TUTTI_BOR TUTTI_OP_CONSTANT(9)      /**< Or of each bit. */
#define TUTTI_BXOR TUTTI_OP_CONSTANT(10)    /**< Exclusive or of each bit. */
#define TUTTI_MINLOC TUTTI_OP_CONSTANT(11)  /**< On pair types: least value, then least index. */
#define TUTTI_MAXLOC TUTTI_OP_CONSTANT(12)  /**< On pair types: greatest value, then least index. */
#define TUTTI_REPLACE TUTTI_OP_CONSTANT(13) /**< RMA only: the target takes the new value. */
#define TUTTI_NO_OP TUTTI_OP_CONSTANT(14)   /**< RMA only: tutti_fetch_op() reads atomically. */

#endif
