/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The note that says what a program was built for, so that a platform without it refuses the program by name. It is in
 * the file only, not in memory. Its text is TRAPEZE_NOTE (toolchain.yaml); sim/kernel/built_for.h says what it means,
 * `readelf -p .note.trapeze` and `trapeze show FILE.elf` show it.
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
