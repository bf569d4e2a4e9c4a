/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Which latency measurement a program uses: `probe`, on a platform line, or with APPLICATION_HART that of the
 * application harts, behind the PLIC.
 */
#ifndef BLOCK_H_
#define BLOCK_H_

#include <trapeze/irq.h>
#include <trapeze/map.h>

#ifdef APPLICATION_HART

#include <trapeze/irq_plic.h>

/** Where a part of it is. */
#define PART(name) TRAPEZE_APP_PROBE_##name##_BASE
/** The interrupt that says that data are ready. */
#define READY_IRQ  IRQ_EXTERNAL

#else

#define PART(name) TRAPEZE_PROBE_##name##_BASE
/** The generator's platform line: 15, or the last one. */
#define READY_IRQ  IRQ_PLATFORM(TRAPEZE_IRQ_LINES > 15 ? 15U : TRAPEZE_IRQ_LINES - 1U)

#endif

#endif /* BLOCK_H_ */
