// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Debug mode (RISC-V Debug Specification 1.0, chapter 4, Sdext): whether the hart is in it, when it is to begin, and its
// CSRs dcsr, dpc, dscratch0 and dscratch1, which exist in debug mode only.
//
// Begin: a debug module asks (`debug_req_i`, a level) or a trigger (`trigger_i`), one instruction or trap of a step is done,
// or an ebreak that dcsr.ebreakm or ebreaku names, or an instruction with a trigger on it, is in EX. tz_trap_select decides about the moment, and tz_trap sets the privilege mode
// to machine. Nothing else that a program can see changes. End: a dret. What the hart executes meanwhile is the program of
// the debug module, from Cfg.DebugBase on (hw/debug).
//
// dcsr: ebreakm, ebreaku, stepie, stopcount, stoptime, step, prv can be written; all but prv are 0 after reset.
// cause can be read. mprven is 0: loads and stores ignore mstatus.MPRV in debug mode.
module tz_csr_debug
  import isa_pkg::*;
  import tz_core_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        debug_req_i,   // a debug module wants the hart in debug mode
  input  logic        trigger_i,     // a trigger does, before the next instruction (tz_triggers)

  // CSR instruction in EX
  input  logic        write_i,       // the instruction writes addr_i in this cycle
  input  logic [11:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic        exists_o,
  output logic [31:0] rdata_o,

  // Trap unit, pipeline
  input  to_debug_t   trap_i,
  input  logic [1:0]  priv_i,        // privilege mode
  input  logic        ex_fire_i,     // an instruction leaves EX, completed
  output debug_t      debug_o
);

  // Values of dcsr.cause. Halts by reset and by group are requests, as the specification allows.
  localparam logic [2:0] CauseEbreak  = 3'd1;
  localparam logic [2:0] CauseTrigger = 3'd2;
  localparam logic [2:0] CauseRequest = 3'd3;
  localparam logic [2:0] CauseStep    = 3'd4;
  localparam logic [3:0] DebugVersion = 4'd4;  // Debug Specification 1.0

  typedef struct packed {
    logic       ebreakm;
    logic       ebreaku;
    logic       stepie;
    logic       stopcount;
    logic       stoptime;
    logic [2:0] cause;
    logic       step;
    logic [1:0] prv;
  } dcsr_t;

  dcsr_t       dcsr_d, dcsr_q;
  logic        mode_d, mode_q;
  logic        stepped_d, stepped_q;
  logic [31:1] dpc_d, dpc_q;
  logic [31:0] scratch0_q, scratch1_q;
  logic        steps;
  assign steps = dcsr_q.step && !mode_q;

  always_comb begin
    exists_o = mode_q;
    unique case (addr_i)
      CsrDcsr: rdata_o = {DebugVersion, 12'b0, dcsr_q.ebreakm, 2'b0, dcsr_q.ebreaku, dcsr_q.stepie, dcsr_q.stopcount,
                          dcsr_q.stoptime, dcsr_q.cause, 3'b0, dcsr_q.step, dcsr_q.prv};
      CsrDpc:       rdata_o = {dpc_q, 1'b0};
      CsrDscratch0: rdata_o = scratch0_q;
      CsrDscratch1: rdata_o = scratch1_q;
      default: begin
        exists_o = 1'b0;
        rdata_o  = '0;
      end
    endcase
  end

  always_comb begin
    dcsr_d = dcsr_q;
    dpc_d  = dpc_q;
    if (write_i && exists_o && addr_i == CsrDcsr) begin
      dcsr_d = '{ebreakm: wdata_i[15], ebreaku: wdata_i[12], stepie: wdata_i[11], stopcount: wdata_i[10],
                 stoptime: wdata_i[9], cause: dcsr_q.cause, step: wdata_i[2],
                 prv: (wdata_i[1:0] == PrivM) ? PrivM : PrivU};  // WARL: only M and U exist
    end
    if (write_i && exists_o && addr_i == CsrDpc) dpc_d = wdata_i[31:1];
    if (trap_i.begins) begin
      if (trap_i.breaks) dcsr_d.cause = trap_i.trigger ? CauseTrigger : CauseEbreak;
      else dcsr_d.cause = debug_req_i ? CauseRequest : trigger_i ? CauseTrigger : CauseStep;
      dcsr_d.prv   = priv_i;
      dpc_d        = trap_i.pc;
    end
    mode_d    = (mode_q || trap_i.begins) && !trap_i.ends;
    stepped_d = steps && !trap_i.begins && (stepped_q || ex_fire_i || trap_i.traps);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      dcsr_q     <= '{prv: PrivM, default: '0};
      mode_q     <= 1'b0;
      stepped_q  <= 1'b0;
      dpc_q      <= '0;
      scratch0_q <= '0;
      scratch1_q <= '0;
    end else begin
      dcsr_q    <= dcsr_d;
      mode_q    <= mode_d;
      stepped_q <= stepped_d;
      dpc_q     <= dpc_d;
      if (write_i && exists_o && addr_i == CsrDscratch0) scratch0_q <= wdata_i;
      if (write_i && exists_o && addr_i == CsrDscratch1) scratch1_q <= wdata_i;
    end
  end

  assign debug_o = '{
    mode:       mode_q,
    want:       !mode_q && (debug_req_i || trigger_i || stepped_q),
    stepped:    stepped_q,
    steps:      steps,
    masks:      mode_q || (steps && !dcsr_q.stepie),
    breaks:     (priv_i == PrivM) ? dcsr_q.ebreakm : dcsr_q.ebreaku,
    prv:        dcsr_q.prv,
    pc:         dpc_q,
    stop_count: mode_q && dcsr_q.stopcount,
    stop_time:  mode_q && dcsr_q.stoptime
  };

endmodule
