// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// What cut_mult.sv and cut_div.sv choose in each cycle.
package cut_pkg;

  typedef struct packed {
    logic [31:0] product;
    logic [31:0] quotient;  // or remainder
    logic        divided;   // the divider finishes
  } muldiv_t;
endpackage
