// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Makes the record of observe_pkg, for timelines and debuggers, from signals of the core. It only observes: the core
// takes nothing from here, and synthesis leaves the module out (Rvfi = 0).
module tz_observe
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter bit          Whole    = 1'b0, // frames hold all registers
  parameter bit          UserIrq  = 1'b0
) (
  input  trap_csrs_t         csrs_i,         // the CSRs that traps change
  input  from_fast_t         fast_i /*verilator split_var*/,
  input  observe_pkg::posts_t posts_i,
  input  logic               frame_judged_i, // memory protection has an answer for a frame at sp

  input  obi_pkg::obi_req_t  frame_req_i,
  input  obi_pkg::obi_rsp_t  frame_rsp_i,

  input  logic [31:0]        next_pc_i,      // address of the instruction behind the one in EX
  input  logic               next_table_i,   // next_pc_i is the address of the table entry that holds it
  // WB holds an instruction or awaits an answer, one half of a split access was made, a trap's record is due (tz_rvfi), or
  // a post or notification is going on
  input  logic               busy_i,

  // Register asked for by a debugger, from the read ports
  input  observe_pkg::inspect_t inspect_i,
  input  logic               csr_exists_i,
  input  logic [31:0]        csr_value_i,
  input  logic [31:0]        register_i,     // of the integer register, without what fastirq writes in this cycle

  output observe_pkg::observe_t observe_o
);

  fast_to_regfile_t regfile;  // what fastirq writes into the register file in this cycle
  assign regfile = fast_i.regfile;

  // ---------------------------------------------------------------- registers
  // A word that fastirq loads in this cycle is in the register file from the next cycle on. A debugger sees it already.
  logic        fills;
  logic [31:0] register;
  assign fills    = regfile.fill_we && regfile.fill_bank == regfile.bank &&
                    frame_register(regfile.fill_word, Whole) == inspect_i.number[4:0];
  assign register = fills ? regfile.fill_data : register_i;

  assign observe_o = '{
    level:      (UserIrq && csrs_i.priv == isa_pkg::PrivU) ? csrs_i.u.il : csrs_i.m.il,
    bank:       regfile.bank,
    held:       fast_i.observe.held,
    leaving:    fast_i.observe.leaving,
    judging:    UserIrq && csrs_i.priv == isa_pkg::PrivU && !frame_judged_i,
    frame_req:  frame_req_i.req,
    frame_we:   frame_req_i.we,
    frame_addr: frame_req_i.addr,
    frame_gnt:  frame_rsp_i.gnt,
    posts:      posts_i,
    priv:       csrs_i.priv,
    next_pc:    next_pc_i,
    next_table: next_table_i,
    idle:       !busy_i,
    exists:     !inspect_i.csr || csr_exists_i,
    value:      inspect_i.csr ? csr_value_i : register
  };

  logic unused;
  assign unused = ^{csrs_i, frame_judged_i, fast_i, regfile, frame_req_i, frame_rsp_i, inspect_i};

endmodule
