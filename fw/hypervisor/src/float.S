/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * void float_save(uint64_t *to), void float_restore(const uint64_t *from): f0 to f31, then fcsr. mstatus.FS must not be off.
 */
	.option	arch, +f, +d
	.text
	.globl	float_save
	.type	float_save, @function
float_save:
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	fsd	f\n, 8*\n(a0)
	.endr
	frcsr	a1
	sd	a1, 8*32(a0)
	ret
	.size	float_save, . - float_save

	.globl	float_restore
	.type	float_restore, @function
float_restore:
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	fld	f\n, 8*\n(a0)
	.endr
	ld	a1, 8*32(a0)
	fscsr	a1
	ret
	.size	float_restore, . - float_restore
