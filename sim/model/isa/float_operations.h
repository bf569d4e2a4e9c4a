// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The operations of extensions F and D, by their names, and which of their operands are floating-point registers.
 *
 * Source: RISC-V Unprivileged ISA 20191213, chapters 11 (F) and 12 (D).
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_FLOAT_OPERATIONS_H
#define TRAPEZE_SIM_MODEL_ISA_FLOAT_OPERATIONS_H

// X(name) of each operation, grouped by the registers that they use; float_use() knows the first and last of each
// group.
// clang-format off
#define TZ_MODEL_FLOAT_LOADS(X) X(flw) X(fld)
#define TZ_MODEL_FLOAT_STORES(X) X(fsw) X(fsd)
#define TZ_MODEL_FLOAT_COMPUTATIONS(X)                                                                    \
  /* an integer register to a floating-point one */                                                       \
  X(fmv_w_x) X(fcvt_s_w) X(fcvt_s_wu) X(fcvt_s_l) X(fcvt_s_lu)                                            \
  X(fmv_d_x) X(fcvt_d_w) X(fcvt_d_wu) X(fcvt_d_l) X(fcvt_d_lu)                                            \
  /* floating-point registers to an integer one */                                                        \
  X(fmv_x_w) X(fcvt_w_s) X(fcvt_wu_s) X(fcvt_l_s) X(fcvt_lu_s) X(feq_s) X(flt_s) X(fle_s) X(fclass_s)     \
  X(fmv_x_d) X(fcvt_w_d) X(fcvt_wu_d) X(fcvt_l_d) X(fcvt_lu_d) X(feq_d) X(flt_d) X(fle_d) X(fclass_d)     \
  /* floating-point registers to one of them */                                                           \
  X(fadd_s) X(fsub_s) X(fmul_s) X(fdiv_s) X(fsqrt_s) X(fsgnj_s) X(fsgnjn_s) X(fsgnjx_s) X(fmin_s)         \
  X(fmax_s) X(fmadd_s) X(fmsub_s) X(fnmsub_s) X(fnmadd_s) X(fcvt_s_d)                                     \
  X(fadd_d) X(fsub_d) X(fmul_d) X(fdiv_d) X(fsqrt_d) X(fsgnj_d) X(fsgnjn_d) X(fsgnjx_d) X(fmin_d)         \
  X(fmax_d) X(fmadd_d) X(fmsub_d) X(fnmsub_d) X(fnmadd_d) X(fcvt_d_s)
#define TZ_MODEL_FLOAT_OPERATIONS(X) \
  TZ_MODEL_FLOAT_LOADS(X) TZ_MODEL_FLOAT_STORES(X) TZ_MODEL_FLOAT_COMPUTATIONS(X)
// clang-format on

#endif  // TRAPEZE_SIM_MODEL_ISA_FLOAT_OPERATIONS_H
