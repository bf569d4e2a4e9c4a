// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq (docs/fastirq.md): saves the interrupted context behind the pipeline's back, and executes emret.
//
//   interrupt ──> tz_banks or tz_in_place: what leaves, what is left ──┐
//   emret ──────> the same: is it all here? return : load ─────────────┼── tz_frame_port ──> OBI
//   mframe ─────> tz_banks: load it ahead of the emret ────────────────┤
//   offer ──────> tz_vector_ahead: fetch its table entry ──────────────┘
//
// The context saver, tz_banks (spare banks) or tz_in_place (none), knows which words are in memory and which are in the
// register file. tz_frame_faults remembers the frames that could not be stored. This module connects them to the port
// and to the core, and sets sp, mscratch, and ra of a fresh bank.
module tz_fastirq
  import isa_pkg::*;
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter bit          RV32E    = 1'b0,
  parameter bit          ExtC     = 1'b1,  // instructions may begin at half-words
  parameter int unsigned NumBanks = 2,     // spare banks, 1 to 4; 0: in place
  parameter bit          Whole    = 1'b0,  // with banks: frames hold all registers but sp, gp and tp
  parameter bit          UserIrq  = 1'b0,  // interrupts and frames may be user mode's
  parameter bit          Uintr    = 1'b0   // ucause has a bit `posted`
) (
  input  logic clk_i,
  input  logic rst_ni,

  output obi_pkg::obi_req_t req_o,
  input  obi_pkg::obi_rsp_t rsp_i,

  input  to_fast_t   core_i /*verilator split_var*/,
  output from_fast_t core_o /*verilator split_var*/
);

  localparam logic [31:0] Bytes = 32'(frame_bytes(RV32E, Whole));
  localparam logic [4:0] CauseWord = 5'(frame_words(RV32E, Whole) - 1);
  localparam logic [4:0] EpcWord = 5'(frame_words(RV32E, Whole) - 2);

  // ---------------------------------------------------------------- the context saver
  to_saver_t   to_saver /*verilator split_var*/;
  from_saver_t saver /*verilator split_var*/;
  logic        link_q, free_q, done, enter, swap, euret;
  logic        drain_left, drain_busy, drain_fault, load_grant, load_busy, load_done, load_fault, vector_ask;
  logic [31:0] data, drain_data, sp_enter, sp_leave, sp_raised, mscratch;
  logic        to_user;
  context_t    frame;

  assign enter    = core_i.trap.enter;
  assign swap     = core_i.trap.swap;
  assign euret    = UserIrq && core_i.trap.euret;
  assign mscratch = core_i.csr.mscratch;
  assign sp_enter = (swap ? mscratch : core_i.regfile.sp_next) - Bytes;

  assign to_saver = '{
    enter:      enter,
    base:       sp_enter[31:2],
    user:       UserIrq && core_i.trap.user,
    leaves:     core_i.trap.leaves,
    kill:       core_i.trap.kill,
    emret:      core_i.trap.emret,
    preempt:    core_i.trap.preempt,
    euret:      euret,
    sp:         core_i.regfile.sp[31:2],
    sp_next:    core_i.regfile.sp_next[31:2],
    sp_busy:    core_i.pipe.write && core_i.pipe.write_reg == 5'd2,
    sp_set:     core_o.regfile.sp_set,
    regs:       core_i.trap.regs,
    chain:      core_i.trap.chain,
    chain_regs: core_i.trap.chain_regs,
    rows_write: UserIrq && core_i.pipe.rows_write,
    hint:       core_i.csr.hint,
    hint_base:  core_i.csr.hint_base,
    write:      core_i.pipe.write,
    write_reg:  core_i.pipe.write_reg,
    ex_write:   core_i.pipe.ex_write,
    ex_reg:     core_i.pipe.ex_reg,
    drain_data: drain_data,
    drain_left: drain_left,
    drain_busy: drain_busy,
    load_grant: load_grant,
    load_busy:  load_busy,
    load_done:  load_done,
    load_fault: load_fault,
    load_data:  data,
    vector_ask: vector_ask,
    lsu:        core_i.lsu
  };

  if (NumBanks > 0) begin : gen_banks
    tz_banks #(
      .RV32E   (RV32E),
      .Whole   (Whole),
      .NumBanks(NumBanks),
      .Uintr(Uintr)
    ) u_banks (
      .clk_i,
      .rst_ni,
      .saver_i(to_saver),
      .saver_o(saver)
    );
  end else begin : gen_in_place
    tz_in_place #(
      .RV32E   (RV32E),
      .Uintr(Uintr)
    ) u_in_place (
      .clk_i,
      .rst_ni,
      .saver_i(to_saver),
      .saver_o(saver)
    );
  end
  // Without C bit 1 of mepc is 0, whatever software has written into the frame in memory.
  always_comb begin
    frame = saver.frame;
    if (!ExtC) frame.epc[1] = 1'b0;
  end
  assign done  = saver.chained || saver.returned;

  // The word that the saver stores: mepc and mcause come from drain_context, the others from the register file.
  always_comb begin
    unique case (saver.drain_word)
      CauseWord: drain_data = pack_mcause(saver.drain_context.cause);
      EpcWord:   drain_data = {saver.drain_context.epc, 1'b0};
      default:   drain_data = core_i.regfile.drain_data;
    endcase
  end

  // ---------------------------------------------------------------- table entries
  logic        vector_grant, vector_busy, vector_done, vector_fault, vector_hit;
  logic [31:2] vector_addr;
  logic        vector_user;
  logic [31:1] vector;
  tz_vector_ahead u_vector (
    .clk_i,
    .rst_ni,
    .want_i    (core_i.trap.vector_want),
    .addr_i    (core_i.trap.entry),
    .user_i    (UserIrq && core_i.trap.vector_user),
    .taken_i   (enter || done),
    .fence_i   (core_i.pipe.fence),
    .lsu_i     (core_i.lsu),
    .hit_o     (vector_hit),
    .vector_o  (vector),
    .ask_o     (vector_ask),
    .ask_addr_o(vector_addr),
    .ask_user_o(vector_user),
    .grant_i   (vector_grant),
    .busy_i    (vector_busy),
    .done_i    (vector_done),
    .fault_i   (vector_fault),
    .data_i    (data)
  );

  // ---------------------------------------------------------------- port
  logic [31:2] port_fault_addr;
  tz_frame_port u_port (
    .clk_i,
    .rst_ni,
    .req_o,
    .rsp_i,
    .drain_valid_i (saver.drain_valid),
    .drain_first_i (saver.drain_first),
    .drain_addr_i  (saver.drain_addr),
    .drain_user_i  (saver.drain_user),
    .drain_data_i  (saver.bus_data),
    .drain_left_o  (drain_left),
    .drain_fault_o (drain_fault),
    .load_valid_i  (saver.load_valid),
    .load_addr_i   (saver.load_addr),
    .load_user_i   (saver.load_user),
    .load_cancel_i (saver.load_cancel),
    .load_grant_o  (load_grant),
    .load_busy_o   (load_busy),
    .load_done_o   (load_done),
    .load_fault_o  (load_fault),
    .vector_valid_i(vector_ask),
    .vector_last_i (!saver.free || !free_q),  // an interrupt may have waited for a bank since the last cycle
    .vector_addr_i (vector_addr),
    .vector_user_i (vector_user),
    .vector_grant_o(vector_grant),
    .vector_busy_o (vector_busy),
    .vector_done_o (vector_done),
    .vector_fault_o(vector_fault),
    .drain_busy_o  (drain_busy),
    .data_o        (data),
    .fault_addr_o  (port_fault_addr)
  );

  // ---------------------------------------------------------------- faults
  // A word that cannot be loaded ahead of an emret is no fault: the emret itself loads it again.
  logic        store_fault;
  logic [31:2] fault_addr;
  tz_frame_faults #(
    .Depth(((NumBanks > 0) ? NumBanks : 1) + 1)
  ) u_faults (
    .clk_i,
    .rst_ni,
    .drain_fault_i(drain_fault),
    .load_fault_i (load_fault && core_i.trap.emret),
    .addr_i       (port_fault_addr),
    .due_o        (store_fault),
    .taken_i      (core_i.trap.fault_taken),
    .addr_o       (fault_addr)
  );

  // ---------------------------------------------------------------- to the core
  // ra of the fresh bank is written in the cycle after an entry or a chain (link_q). Nothing else writes a register in
  // that cycle; the handler's first instruction may read ra. ra is word 0 of a frame. (Without spare banks the old ra
  // goes to the bus, or into the output register, in that cycle.)
  //
  // Memory protection judges the words of a frame as they are stored. So a write to the rows waits in EX until the
  // frames of all earlier interrupts are in memory. An interrupt that comes meanwhile displaces the write.
  logic leaves;
  assign leaves    = saver.drain_valid || !saver.free;
  assign sp_raised = core_i.regfile.sp + Bytes;
  assign to_user   = (frame.cause.mpp != PrivM) && !euret;  // from machine mode
  assign sp_leave  = to_user ? mscratch : sp_raised;
  assign core_o    = '{
    csr: '{
      mscratch_we: (enter && swap) || (saver.returned && to_user),
      mscratch:    enter ? core_i.regfile.sp_next : sp_raised
    },
    trap: '{
      ready:       saver.free,
      done:        done,
      chain:       saver.chained,
      frame:       frame,
      base:        {sp_enter[31:2], 2'b00},
      level:       saver.level,
      load_cause:  saver.load_cause,
      load_epc:    saver.load_epc,
      load_data:   data,
      load_fault:  saver.load_fault,
      store_fault: store_fault,
      fault_addr:  {fault_addr, 2'b00},
      vector_hit:  vector_hit,
      vector:      vector
    },
    regfile: '{
      bank:        saver.bank,
      sp_set:      enter || saver.returned,
      sp:          enter ? sp_enter : sp_leave,
      fill_we:     link_q || saver.fill_we,
      fill_bank:   saver.fill_bank,
      fill_word:   link_q ? 5'd0 : saver.fill_word,
      fill_data:   link_q ? {core_i.csr.link, 2'b00} : data,
      link:        link_q,
      fresh:       enter && to_saver.user,
      next_bank:   saver.next_bank,
      drain_bank:  saver.drain_bank,
      drain_word:  saver.drain_word
    },
    pipe: '{
      ex_wait:       saver.ex_wait || (core_i.pipe.rows && leaves),
      lsu_wait:      saver.lsu_wait,
      lsu_wait_here: saver.lsu_wait_here,
      exec:          vector_busy,
      chains:        saver.chains,
      returns:       saver.returns
    },
    observe: saver.observe,
    sp_next: core_i.regfile.sp_next[31:2]
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      link_q <= 1'b0;
      free_q <= 1'b0;
    end else begin
      link_q <= enter || saver.chained;
      free_q <= saver.free;
    end
  end

`ifndef SYNTHESIS
  logic [4:0] low;  // bits 6:2 of the access's address, computed from the terms of the load-store unit
  assign low = 5'((core_i.lsu.terms[0] + core_i.lsu.terms[1]) >> 2);
  assert property (@(posedge clk_i) !(enter && !saver.free));
  assert property (@(posedge clk_i) !(link_q && saver.fill_we));
  assert property (@(posedge clk_i) low == core_i.lsu.addr[6:2]);
`endif

endmodule
