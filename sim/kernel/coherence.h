/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Interface of an engine that can look for missing cache maintenance, beside that of engine.h: its harts' caches are
 * taken as not coherent with each other. What is reported are accesses that go wrong on such hardware, whatever the
 * engine itself made of them. sim/coherence/README.md has the rules.
 */
#ifndef TRAPEZE_SIM_KERNEL_COHERENCE_H
#define TRAPEZE_SIM_KERNEL_COHERENCE_H

#include "kernel/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Version of this interface. */
#define TZ_COHERENCE_ABI 1u

/** Name of the exported function, of type tz_coherence_get_fn. */
#define TZ_COHERENCE_ENTRY "tz_coherence_get"

/** What is wrong with an access. */
enum tz_incoherence_kind {
  TZ_READS_UNWRITTEN = 0,   /**< a load: the line was not written back */
  TZ_READS_OLD_COPY = 1,    /**< a load: the hart's own cache may hold an old copy */
  TZ_READS_DISCARDED = 2,   /**< a load: an invalidation may have discarded what was written */
  TZ_FETCHES_UNWRITTEN = 3, /**< as TZ_READS_UNWRITTEN, of an instruction */
  TZ_FETCHES_OLD_COPY = 4,  /**< the hart's cache of instructions may hold an old copy */
  TZ_WRITES_BESIDE = 5,     /**< a store to a line that is dirty in another cache */
  TZ_READS_OVERWRITTEN = 6  /**< a load: another cache may have written an old copy back over what was written */
};

/** An access that goes wrong. Each pair of instructions is reported once for each kind; of fetches each store. */
typedef struct tz_incoherence {
  uint32_t kind;       /**< tz_incoherence_kind */
  uint32_t hart;       /**< the hart that makes the access */
  uint64_t pc;         /**< of its instruction; virtual, like the others */
  uint64_t address;    /**< of the byte; physical */
  uint64_t other_pc;   /**< of the store of the other hart */
  uint32_t other_hart; /**< that one */
  uint32_t third_hart; /**< TZ_READS_DISCARDED, TZ_READS_OVERWRITTEN: the hart that did so, by an invalidation or by a
                            store to the line ... */
  uint64_t third_pc;   /**< ... and its instruction */
} tz_incoherence;

typedef struct tz_coherence_api {
  uint32_t abi;  /**< TZ_COHERENCE_ABI */
  uint32_t size; /**< sizeof(tz_coherence_api) */
  /** Looks from now on; before the first run. TZ_ERR_SUPPORT: nothing of the platform can be incoherent. */
  tz_status (*watch)(tz_engine* engine);
  /** Moves what was found since the last call to `found`, at most `capacity`. Returns how many. */
  size_t (*take)(tz_engine* engine, tz_incoherence* found, size_t capacity);
} tz_coherence_api;

/** Type of the exported function. `abi` is the caller's TZ_COHERENCE_ABI; NULL if it does not match. */
typedef const tz_coherence_api* (*tz_coherence_get_fn)(uint32_t abi);

#ifdef __cplusplus
}
#endif
#endif /* TRAPEZE_SIM_KERNEL_COHERENCE_H */
