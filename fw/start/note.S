/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The note with the platform that a program was built for. A platform without those properties refuses the program and
 * names them. The note is only in the file, not in memory. Its text is TRAPEZE_NOTE (toolchain.yaml);
 * sim/kernel/built_for.h gives the meaning, `readelf -p .note.trapeze` and `trapeze show FILE.elf` show it. A program that
 * says the same to others has it in its memory, too: __trapeze_built_for.
 */
	.section .note.trapeze, "", @note
	.balign	4
	.4byte	2f - 1f
	.4byte	4f - 3f
	.4byte	1
1:	.asciz	"Trapeze"
2:	.balign	4
3:	.asciz	TRAPEZE_NOTE
4:	.balign	4

	.section .rodata.built_for, "a", @progbits
	.globl	__trapeze_built_for
__trapeze_built_for:
	.asciz	TRAPEZE_NOTE
