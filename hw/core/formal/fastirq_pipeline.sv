// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Abstract pipeline in front of fastirq, for its proofs. EX and WB are as in the core, with the core's trap decision
// and load-store unit, but instructions, operands, results and times are free (`choice_i`). Signals that depend on CSRs
// are free, too, as far as an instruction other than emret could have changed them. The pipeline has atomic operations,
// so that it stands for cores with and without them. pipeline_formal.sv proves that the core does nothing that this
// pipeline cannot do.
module fastirq_pipeline
  import isa_pkg::*;
  import tz_core_pkg::*;
  import fastirq_choice_pkg::*;
#(
  parameter bit RV32E = 1'b1
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  choice_t choice_i,

  output obi_pkg::obi_req_t data_req_o,
  input  obi_pkg::obi_rsp_t data_rsp_i,

  output logic        write_o,         // WB writes a register
  output logic [4:0]  write_reg_o,
  output logic [31:0] write_data_o,

  output logic        user_o,
  output logic        enable_o,
  output context_t    regs_o,          // mepc and mcause
  output context_t    leaves_o,        // mepc and mcause after an entry
  output logic        enter_o,
  output logic        kill_o,
  output logic        emret_here_o,    // an emret is in EX
  output logic        emret_o,
  output logic        preempt_o,
  input  logic        ready_i,
  input  logic        done_i,
  input  logic        chained_i,
  input  context_t    frame_i,
  input  logic        load_fault_i,
  input  logic        load_cause_i,
  input  logic        load_epc_i,
  input  logic [31:0] load_data_i,

  output logic        lsu_split_o,
  output logic        lsu_committed_o,
  input  logic        lsu_wait_i,
  input  logic        lsu_wait_here_i,
  input  logic        ex_wait_i,
  output logic        fence_o,
  output logic        hint_o,
  input  logic        store_fault_i,
  output logic        store_fault_taken_o,
  input  logic [31:0] fault_addr_i
);

  logic        ex_valid_q = 1'b0, ex_fault_q, ex_rd_we_q, ex_known_q;
  kind_e       ex_kind_q;
  logic [4:0]  ex_rd_q;
  logic [2:0]  ex_funct3_q;
  logic [5:0]  ex_atop_q;
  logic [31:0] ex_addr, ex_addr_q, ex_data, ex_data_q;
  logic        wb_valid_q = 1'b0, wb_mem_q = 1'b0, wb_load_q, wb_store_q, wb_rd_we_q;
  logic [4:0]  wb_rd_q;
  logic        user_q = 1'b0, enable_q = 1'b0;
  context_t    regs_q;

  trap_t trap;
  logic  ex_exc, ex_completes, ex_done, ex_ready, ex_fire, id_fire;
  logic  irq_take, stop, freeze, is_load, is_store, is_emret, misaligned;
  logic  wb_ready, wb_fault, wb_retire;
  from_lsu_t lsu;

  // ------------------------------------------------------------------ EX
  assign is_load      = ex_valid_q && ex_kind_q == KindLoad;
  assign is_store     = ex_valid_q && ex_kind_q == KindStore;
  assign misaligned   = ex_atop_q != obi_pkg::AtopNone && ex_addr[1:0] != '0 && (ex_known_q || choice_i.ex_ready);
  assign is_emret     = ex_valid_q && ex_kind_q == KindEmret && !ex_exc;
  logic behind_write_q = 1'b0;  // the wfi in EX stands behind a write that may have unmasked an interrupt
  assign ex_completes = (ex_valid_q && ex_kind_q == KindWfi && !ex_exc && !behind_write_q) ||
                        (is_store && lsu.committed);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) behind_write_q <= 1'b0;
    else if (ex_valid_q) begin
      behind_write_q <= (ex_kind_q inside {KindCsr, KindMret, KindEmret}) || (behind_write_q && stop);
    end
  end

  pipe_to_trap_t pipe;
  trap_choice_t  choice;
  always_comb begin
    pipe               = '0;  // addresses and instruction words do not matter
    pipe.ex_valid      = ex_valid_q;
    pipe.ex_kind       = ex_kind_q;
    pipe.ex_fault      = ex_fault_q;
    pipe.ex_misaligned = misaligned;
    pipe.ex_target_bad = choice_i.ex_exc && !is_load && !is_store;
    pipe.ex_completes  = ex_completes;
    pipe.csr_illegal   = choice_i.ex_exc;
    pipe.lsu_firm      = lsu.firm;
    pipe.lsu_busy      = lsu.busy;
    pipe.wb_ready      = wb_ready;
    pipe.wb_fault      = wb_fault;
    pipe.wb_store      = wb_store_q;
  end
  tz_trap_select #(
    .Fast(1'b1)
  ) u_select (
    .pipe_i        (pipe),
    .priv_i        (user_q ? PrivU : PrivM),
    .timeout_wait_i(choice_i.ex_exc),
    .emret_legal_i (enable_q && !user_q),
    .irq_take_i    (choice_i.irq_take),
    .irq_id_i      ('0),
    .irq_user_i    (1'b0),
    .irq_ready_i   (ready_i || !enable_q),
    .irq_refused_i (1'b0),
    .irq_base_i    ('0),
    .chained_i,
    .load_fault_i,
    .frame_fault_i (store_fault_i),
    .frame_hold_i  (choice_i.hold),
    .fault_addr_i,
    .debug_i       ('0),
    .emret_began_i (1'b0),
    .choice_o      (choice)
  );
  assign trap                = choice.trap;
  assign ex_exc              = choice.exception;
  assign irq_take            = choice.irq_take;
  assign stop                = choice.stop;
  assign freeze              = choice.freeze;
  assign preempt_o           = choice.irq_can;
  assign store_fault_taken_o = choice.frame_fault_take;

  assign ex_addr = ex_known_q ? ex_addr_q : choice_i.ex_addr;
  assign ex_data = ex_known_q ? ex_data_q : choice_i.ex_data;

  logic lsu_valid;
  assign lsu_split_o     = lsu.split;
  assign lsu_committed_o = lsu.committed;
  assign lsu_valid = (is_load || is_store) && !misaligned && !ex_fault_q && wb_ready && !wb_fault &&
                     (ex_known_q || choice_i.ex_ready) && !ex_wait_i && (lsu.committed || !stop);
  tz_lsu u_lsu (
    .clk_i,
    .rst_ni,
    .data_req_o,
    .data_rsp_i,
    .bus_gnt_i  (data_rsp_i.gnt),
    .valid_i    (lsu_valid),
    .wait_i     (lsu_wait_i),
    .wait_here_i(lsu_wait_here_i),
    .flush_i    (trap.valid),
    .prv_i      (PrivM),
    .we_i       (ex_kind_q == KindStore),
    .atop_i     (ex_atop_q),
    .unreserve_i(trap.valid || (ex_fire && ex_kind_q == KindMret) || done_i),
    .funct3_i   (ex_funct3_q),
    .addr_i     (ex_addr),
    .wdata_i    (ex_data),
    .lsu_o      (lsu)
  );

  always_comb begin
    unique case (ex_kind_q)
      KindLoad, KindStore: ex_done = lsu.ends && !lsu.stays;
      KindEmret:           ex_done = done_i;
      default:             ex_done = choice_i.ex_ready && !freeze && !ex_wait_i;
    endcase
  end
  assign ex_ready = !ex_valid_q || (ex_done && wb_ready);
  assign ex_fire  = ex_valid_q && ex_done && wb_ready && !wb_fault && !ex_exc && !store_fault_taken_o &&
                    (!irq_take || ex_completes);
  assign id_fire  = choice_i.id_valid && ex_ready && !trap.valid && !(is_emret && ex_fire);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ex_valid_q <= 1'b0;
    else ex_valid_q <= id_fire || (ex_valid_q && !ex_fire && !trap.valid);
    if (id_fire) begin
      ex_kind_q   <= choice_i.id_kind;
      ex_fault_q  <= choice_i.id_fault;
      ex_rd_we_q  <= choice_i.id_rd_we;
      ex_rd_q     <= choice_i.id_rd;
      ex_funct3_q <= choice_i.id_funct3;
      ex_atop_q   <= choice_i.id_atop;
      ex_known_q  <= 1'b0;
    end else if (wb_ready) begin
      ex_known_q <= 1'b1;
      ex_addr_q  <= lsu.advance ? {ex_addr[31:2] + 30'd1, 2'b00} : ex_addr;
      ex_data_q  <= ex_data;
    end
  end

  // ------------------------------------------------------------------ WB
  assign wb_ready     = !wb_mem_q || data_rsp_i.rvalid;
  assign wb_fault     = wb_mem_q && data_rsp_i.rvalid && data_rsp_i.err;
  assign wb_retire    = wb_valid_q && wb_ready && !wb_fault;
  assign write_o      = wb_retire && wb_rd_we_q;
  assign write_reg_o  = wb_rd_q;
  assign write_data_o = wb_load_q ? lsu.rdata : choice_i.wb_result;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wb_valid_q <= 1'b0;
      wb_mem_q   <= 1'b0;
    end else if (wb_ready) begin
      wb_valid_q <= ex_fire;
      wb_mem_q   <= (ex_fire && (is_load || is_store)) || lsu.advance;
    end
    if (ex_fire || lsu.advance) begin
      wb_load_q  <= is_load || is_amo(ex_atop_q);
      wb_store_q <= is_store;
      wb_rd_we_q <= ex_rd_we_q;
      wb_rd_q    <= ex_rd_q;
    end
  end

  // ------------------------------------------------------------------ CSRs
  // An emret finds mepc and mcause unchanged, and loads both.
  assign emret_here_o = ex_valid_q && ex_kind_q == KindEmret && !ex_fault_q;
  assign emret_o      = is_emret && wb_ready && !wb_fault && !store_fault_taken_o;
  assign kill_o       = trap.valid;
  assign enter_o      = trap.valid && trap.irq && enable_q;
  assign fence_o      = ex_fire && ex_kind_q == KindFenceI;
  assign hint_o       = ex_fire && ex_kind_q == KindCsr && choice_i.hint;
  assign user_o       = user_q;
  assign enable_o     = enable_q;
  assign regs_o       = regs_q;
  context_t chosen;  // free, except for the bit of Uintr, which this core does not have
  always_comb begin
    chosen              = choice_i.regs;
    chosen.cause.posted = 1'b0;
    leaves_o            = chosen;
    leaves_o.cause.mpp  = user_q ? PrivU : PrivM;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {user_q, enable_q} <= '0;
    end else begin
      if (!emret_here_o) enable_q <= choice_i.enable;
      if (trap.valid) user_q <= 1'b0;
      else if (done_i) user_q <= !chained_i && frame_i.cause.mpp != PrivM;
      else if (!emret_here_o) user_q <= choice_i.user;
    end
    if (!emret_here_o || trap.valid || done_i) begin
      regs_q <= chosen;
    end else begin
      if (load_cause_i) regs_q.cause <= unpack_mcause(load_data_i);
      if (load_epc_i) regs_q.epc <= load_data_i[31:1];
    end
  end

  // ------------------------------------------------------------------ lemmas
  // A request on the bus, or the second half of a split access, belongs to the load or store in EX.
  LemmaHeld_A: assert property (@(posedge clk_i) !rst_ni || !(u_lsu.hold_q || u_lsu.second_q) ||
    ((is_load || is_store) && !ex_fault_q && ex_known_q));
  // An atomic operation has no second half.
  LemmaWhole_A: assert property (@(posedge clk_i) !rst_ni || ex_atop_q == obi_pkg::AtopNone ||
    !(u_lsu.second_q || (u_lsu.hold_q && ex_addr_q[1:0] != '0)));
  LemmaHeldAlone_A: assert property (@(posedge clk_i) !rst_ni || !u_lsu.hold_q || !wb_mem_q);
  LemmaWrites_A: assert property (@(posedge clk_i) !rst_ni ||
    ((!ex_valid_q || !ex_rd_we_q || writes(ex_kind_q, ex_atop_q, ex_rd_q, RV32E)) &&
     (!wb_valid_q || !wb_rd_we_q || writes(KindAlu, obi_pkg::AtopNone, wb_rd_q, RV32E))));
  LemmaFits_A: assert property (@(posedge clk_i) !rst_ni || !ex_valid_q || fits(ex_atop_q, ex_kind_q, ex_funct3_q));

endmodule
