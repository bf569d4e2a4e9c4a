/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The contents of the image, as files: SBI_KERNEL, SBI_DEVICE_TREE and SBI_INITRD are their names. image.ld places them
 * in memory.
 */
	.section .kernel, "a", @progbits
	.globl	sbi_kernel
sbi_kernel:
	.incbin	SBI_KERNEL

	.section .device_tree, "a", @progbits
	.balign	8
	.globl	__device_tree
__device_tree:
	.incbin	SBI_DEVICE_TREE

	.section .initrd, "a", @progbits
	.incbin	SBI_INITRD
