/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Hart 0 where the real-time hart is alone: it sleeps. No interrupt is enabled, so it never goes on. */
	.globl _start
_start:
	wfi
	j _start
