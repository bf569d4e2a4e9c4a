/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Micro-kernels of floating point: chains and independent operations by precision, conversions, loads and stores.
 */
#include "kernel.inc"

	/* fa0 to fa2 are 1.0, ft0 and ft1 1.0 in single precision, ft2 3.0; so are the first words of two lines. */
	.macro FLOAT name, number, first, second, third
	KERNEL	\name, 16
	li	t0, 1
	fcvt.d.l fa0, t0
	fmv.d	fa1, fa0
	fmv.d	fa2, fa0
	fcvt.s.l ft0, t0
	fmv.s	ft1, ft0
	li	t0, 3
	fcvt.d.l ft2, t0
	fsd	fa0, 0(a1)
	fsd	fa0, 64(a1)
	ROUND
	.rept	\number
	\first
	\second
	\third
	.endr
	DONE
	.endm

	FLOAT	fadd-d-chain, 16, "fadd.d fa0, fa0, fa1"
	FLOAT	fmul-d-chain, 16, "fmul.d fa0, fa0, fa1"
	FLOAT	fmadd-d-chain-addend, 16, "fmadd.d fa0, fa1, fa2, fa0"
	FLOAT	fmadd-d-chain-factor, 16, "fmadd.d fa0, fa0, fa1, fa2"
	FLOAT	fadd-s-chain, 16, "fadd.s ft0, ft0, ft1"
	FLOAT	fmul-s-chain, 16, "fmul.s ft0, ft0, ft1"
	FLOAT	fmadd-s-chain, 16, "fmadd.s ft0, ft1, ft1, ft0"
	FLOAT	fadd-d-same-destination, 16, "fadd.d fa3, fa0, fa1"
	FLOAT	fsgnj-d-chain, 16, "fsgnj.d fa0, fa0, fa1"
	FLOAT	fmin-d-chain, 16, "fmin.d fa0, fa0, fa1"
	FLOAT	fdiv-d-chain, 4, "fdiv.d fa0, fa0, fa1"
	FLOAT	fdiv-s-chain, 4, "fdiv.s ft0, ft0, ft1"
	FLOAT	fsqrt-d-chain, 4, "fsqrt.d fa0, fa0"
	FLOAT	fsqrt-s-chain, 4, "fsqrt.s ft0, ft0"
	FLOAT	fdiv-d-inexact, 4, "fdiv.d fa3, fa0, ft2"
	FLOAT	fsqrt-d-inexact, 4, "fsqrt.d fa3, ft2"
	FLOAT	fdiv-d-8-adds, 4, "fdiv.d fa3, fa0, ft2", ".rept 8; addi t1, t1, 1; .endr"
	FLOAT	fcvt-d-l-chain, 8, "fcvt.l.d t0, fa0", "fcvt.d.l fa0, t0"
	FLOAT	fcvt-d-s-chain, 8, "fcvt.s.d ft0, fa0", "fcvt.d.s fa0, ft0"
	FLOAT	fmv-chain, 8, "fmv.x.d t0, fa0", "fmv.d.x fa0, t0"
	FLOAT	fmv-x-d-used, 8, "fmv.x.d t0, fa0", "add t1, t0, t0"
	FLOAT	flt-d-used, 8, "flt.d t0, fa0, fa1", "add t1, t0, t0"
	FLOAT	feq-d-branch, 8, "feq.d t0, fa0, fa0", "beqz t0, . + 4"
	FLOAT	fclass-d-used, 8, "fclass.d t0, fa0", "add t1, t0, t0"
	FLOAT	fld-fadd, 8, "fld fa3, 0(a1)", "fadd.d fa4, fa3, fa3"
	FLOAT	flw-fadd, 8, "flw ft3, 0(a1)", "fadd.s ft4, ft3, ft3"
	FLOAT	fld-fsd, 8, "fld fa3, 0(a1)", "fsd fa3, 64(a1)"
	FLOAT	fadd-fsd, 8, "fadd.d fa3, fa0, fa1", "fsd fa3, 64(a1)"
	FLOAT	fadd-fsd-fld, 8, "fadd.d fa0, fa0, fa1", "fsd fa0, 0(a1)", "fld fa0, 0(a1)"
	FLOAT	fld-fsgnj-0, 8, "fld ft3, 0(a1)", "fsgnj.d fa3, ft3, ft3"
	FLOAT	fld-fsgnj-1, 8, "fld ft3, 0(a1)", "addi t1, t1, 1", "fsgnj.d fa3, ft3, ft3"
	FLOAT	fld-fsgnj-2, 8, "fld ft3, 0(a1)", ".rept 2; addi t1, t1, 1; .endr", "fsgnj.d fa3, ft3, ft3"
	FLOAT	fld-fsgnj-3, 8, "fld ft3, 0(a1)", ".rept 3; addi t1, t1, 1; .endr", "fsgnj.d fa3, ft3, ft3"
	FLOAT	fmv-d-x-fsd, 8, "fmv.d.x ft3, a3", "fsd ft3, 64(a1)"
	FLOAT	dot-product, 8, "fld fa3, 0(a1)", "fld fa4, 64(a1)", "fmadd.d fa0, fa3, fa4, fa0"

	/* Eight operations with destinations of their own. */
	.macro SPREAD name, operation, operands
	KERNEL	\name, 16
	li	t0, 1
	fcvt.d.l fa0, t0
	fmv.d	fa1, fa0
	fmv.d	fa2, fa0
	fcvt.s.l ft0, t0
	fmv.s	ft1, ft0
	ROUND
	.irp	register, ft3, ft4, ft5, ft6, ft7, fa3, fa4, fa5
	\operation \register, \operands
	.endr
	DONE
	.endm

	SPREAD	fadd-d-independent, fadd.d, "fa0, fa1"
	SPREAD	fmul-d-independent, fmul.d, "fa0, fa1"
	SPREAD	fmadd-d-independent, fmadd.d, "fa0, fa1, fa2"
	SPREAD	fadd-s-independent, fadd.s, "ft0, ft1"
	SPREAD	fsgnj-d-independent, fsgnj.d, "fa0, fa1"
	SPREAD	fld-independent, fld, "0(a1)"
