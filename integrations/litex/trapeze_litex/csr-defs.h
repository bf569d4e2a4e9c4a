/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
#ifndef CSR_DEFS__H
#define CSR_DEFS__H

#define CSR_MSTATUS_MIE 0x8

/* Line 0 of LiteX: source of the CLIC, or bit of mie and mip. */
#define TRAPEZE_FIRST_LINE 16

#ifdef TRAPEZE_LITEX_CLIC
/* Bytes of a source in the CLIC, from CLIC_BASE (generated/mem.h): pending, enabled, attributes, level and priority. */
#define TRAPEZE_CLIC_SOURCE(n) (0x1000 + 4 * (n))
#define TRAPEZE_CLIC_IP        0
#define TRAPEZE_CLIC_IE        1
#define TRAPEZE_CLIC_ATTR      2
#define TRAPEZE_CLIC_CTL       3
#define TRAPEZE_CLIC_LINES     32
#endif

#endif
