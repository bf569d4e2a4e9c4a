// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof that the properties which fastirq_formal.sv proves behind the abstract pipeline (fastirq_pipeline.sv) hold in
// the core. The abstract pipeline runs beside the core, with the core's actions as its choices. The properties say that
// its outputs to fastirq, the register file and the data port equal the core's. So the abstract pipeline can do
// whatever the core can do. Program, offers and memory are free.
module pipeline_formal
  import isa_pkg::*;
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter bit          RV32E    = 1'b0,
  parameter bit          ExtM     = 1'b1,
  parameter bit          ExtA     = 1'b1,
  parameter int unsigned NumBanks = 2,     // spare banks; 0: tz_in_place
  parameter bit          Times    = 1'b0   // 1: properties that count cycles are included; they need a deeper induction
) (
  input logic                  clk_i,
  input obi_pkg::obi_rsp_t     instr_rsp_i,
  input obi_pkg::obi_rsp_t     data_rsp_i,
  input obi_pkg::obi_rsp_t     frame_rsp_i,
  input irq_pkg::clic_offer_t  offer_i
);

  // The first cycle is a reset, all others are not.
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  obi_pkg::obi_req_t     instr_req, data_req, frame_req;
  irq_pkg::clic_claim_t  claim;
  rvfi_pkg::rvfi_t       rvfi;
  rvfi_pkg::irq_event_t  irq_event;
  logic                  asleep;

  trapeze_core #(
    .Cfg(core_cfg_pkg::core_cfg(
      .RV32E    (RV32E),
      .ExtM     (ExtM),
      .ExtA     (ExtA),
      .IrqScheme(irq_pkg::IrqClic),
      .Saver    ((NumBanks > 0) ? core_cfg_pkg::SaverBanks : core_cfg_pkg::SaverInPlace),
      .NumBanks (NumBanks),
      .Rvfi     (1'b0)
    ))
  ) u_dut (
    .clk_i,
    .rst_ni       (rst_n),
    .instr_req_o  (instr_req),
    .instr_rsp_i,
    .data_req_o   (data_req),
    .data_rsp_i,
    .frame_req_o  (frame_req),
    .frame_rsp_i,
    .irq_pending_i('0),
    .irq_offer_i  (offer_i),
    .irq_claim_o  (claim),
    .post_clic_o  (),
    .post_o       (),
    .post_i       ('0),
    .sleep_o      (asleep),
    .rvfi_o       (rvfi),
    .irq_event_o  (irq_event),
    .observe_o    (),
    .inspect_i    ('0),
    .debug_req_i  (1'b0),
    .trigger_i    (1'b0),
    .debug_stop_time_o()
  );

  // ------------------------------------------------------------------ the choices
  fastirq_choice_pkg::choice_t choice;
  always_comb begin
    choice = '{
      id_valid:  u_dut.if_valid && !u_dut.id_wait && !u_dut.ex_redirect,
      id_kind:   u_dut.id.ctrl.kind,
      id_fault:  u_dut.fetch.fault,
      id_rd_we:  u_dut.id.ctrl.rd_we,
      id_rd:     u_dut.id.ctrl.rd,
      id_funct3: u_dut.id.ctrl.funct3,
      id_atop:   u_dut.id.ctrl.atop,
      ex_addr:   u_dut.operand_late ? u_dut.ex_op_a + u_dut.ex_op_b : u_dut.alu_sum,
      ex_data:   u_dut.ex_store_data,
      ex_ready:  !u_dut.operand_late,
      ex_exc:    u_dut.target_bad,
      hint:      u_dut.to_fast.csr.hint,
      wb_result: u_dut.wb_wdata,
      user:      u_dut.trap_csr.next.priv != PrivM,
      enable:    u_dut.u_csr.mfastirq_d[0],
      regs:      u_dut.trap_csr.next.m.regs,
      irq_take:  u_dut.trap_pipe.irq.take,
      hold:      (u_dut.u_trap.hold_q && !u_dut.csr_trap.now.m.ie)
    };
    unique case (u_dut.ex_q.ctrl.kind)
      KindCsr: choice.ex_exc = u_dut.csr.illegal;
      KindDiv: choice.ex_ready = u_dut.div_ready;
      KindWfi: begin
        choice.ex_ready = u_dut.trap_pipe.irq.wake;
        choice.ex_exc   = u_dut.csr_trap.timeout_wait;
      end
      default: ;
    endcase
  end
  Possible_A: assert property (@(posedge clk_i) !rst_n || fastirq_choice_pkg::possible(choice, RV32E));

  obi_pkg::obi_req_t said_req;
  logic        write, user, enable, enter, kill, emret_here, emret, preempt, split, committed, fence, hint;
  logic        store_fault_taken;
  logic [4:0]  write_reg;
  logic [31:0] write_data;
  context_t    regs, leaves;

  fastirq_pipeline #(
    .RV32E(RV32E)
  ) u_pipeline (
    .clk_i,
    .rst_ni      (rst_n),
    .choice_i    (choice),
    .data_req_o  (said_req),
    .data_rsp_i,
    .write_o     (write),
    .write_reg_o (write_reg),
    .write_data_o(write_data),
    .user_o      (user),
    .enable_o    (enable),
    .regs_o      (regs),
    .leaves_o    (leaves),
    .enter_o     (enter),
    .kill_o      (kill),
    .emret_here_o(emret_here),
    .emret_o     (emret),
    .preempt_o   (preempt),
    .ready_i     (u_dut.fast.trap.ready),
    .done_i      (u_dut.fast.trap.done),
    .chained_i   (u_dut.fast.trap.chain),
    .frame_i     (u_dut.fast.trap.frame),
    .load_fault_i(u_dut.fast.trap.load_fault),
    .load_cause_i(u_dut.fast.trap.load_cause),
    .load_epc_i  (u_dut.fast.trap.load_epc),
    .load_data_i (u_dut.fast.trap.load_data),
    .lsu_split_o (split),
    .lsu_committed_o(committed),
    .lsu_wait_i  (u_dut.fast.pipe.lsu_wait),
    .lsu_wait_here_i(u_dut.fast.pipe.lsu_wait_here),
    .ex_wait_i   (u_dut.fast.pipe.ex_wait),
    .fence_o     (fence),
    .hint_o      (hint),
    .store_fault_i      (u_dut.fast.trap.store_fault),
    .store_fault_taken_o(store_fault_taken),
    .fault_addr_i       (u_dut.fast.trap.fault_addr)
  );

  // ------------------------------------------------------------------ equal outputs
  // The abstract pipeline's outputs equal those of the core at the ports of tz_fastirq and tz_regfile, which are
  // connected as in fastirq_formal.sv. mscratch, the link, the value written to mframe, the address of a table entry,
  // and whether an interrupt may be chained, are free there.
  logic memory;  // a load or store is in EX
  assign memory = u_dut.is_load || u_dut.is_store;

  Request_A: assert property (@(posedge clk_i) !rst_n ||
    (said_req.req == data_req.req && (!data_req.req ||
     {said_req.we, said_req.be, said_req.addr, said_req.wdata, said_req.atop} ==
      {data_req.we, data_req.be, data_req.addr, data_req.wdata, data_req.atop})));
  // (While an operand of the address is late no access is made, so the addresses need not be equal.)
  Reach_A: assert property (@(posedge clk_i) !rst_n || !memory || u_dut.operand_late ||
    (said_req.addr[31:2] == u_dut.gen_fast.u_fastirq.core_i.lsu.addr &&
     split == u_dut.gen_fast.u_fastirq.core_i.lsu.split));
  Terms_A: assert property (@(posedge clk_i) !rst_n ||
    5'((u_dut.gen_fast.u_fastirq.core_i.lsu.terms[0] + u_dut.gen_fast.u_fastirq.core_i.lsu.terms[1]) >> 2) ==
      u_dut.gen_fast.u_fastirq.core_i.lsu.addr[6:2]);
  Store_A: assert property (@(posedge clk_i) !rst_n ||
    (u_dut.gen_fast.u_fastirq.core_i.lsu.store == (said_req.req && said_req.we && data_rsp_i.gnt) &&
     u_dut.gen_fast.u_fastirq.core_i.lsu.committed == committed));
  Write_A: assert property (@(posedge clk_i) !rst_n || (u_dut.u_regfile.we_i == write &&
    (!write || (u_dut.u_regfile.waddr_i == write_reg && u_dut.u_regfile.wdata_i == write_data))));
  SpBusy_A: assert property (@(posedge clk_i) !rst_n ||
    u_dut.gen_fast.u_fastirq.to_saver.sp_busy == (write && write_reg == 5'd2));
  Mode_A: assert property (@(posedge clk_i) !rst_n ||
    (user == u_dut.gen_fast.u_fastirq.core_i.trap.swap && regs == u_dut.gen_fast.u_fastirq.core_i.trap.regs &&
     (enable || !u_dut.gen_fast.u_fastirq.core_i.trap.vector_want)));
  Enter_A: assert property (@(posedge clk_i) !rst_n ||
    (enter == u_dut.gen_fast.u_fastirq.core_i.trap.enter &&
     (!enter || leaves == u_dut.gen_fast.u_fastirq.core_i.trap.leaves)));
  Kill_A: assert property (@(posedge clk_i) !rst_n || kill == u_dut.gen_fast.u_fastirq.core_i.trap.kill);
  Emret_A: assert property (@(posedge clk_i) !rst_n || (emret == u_dut.gen_fast.u_fastirq.core_i.trap.emret &&
    preempt == u_dut.gen_fast.u_fastirq.core_i.trap.preempt && (emret_here || !emret)));
  Fence_A: assert property (@(posedge clk_i) !rst_n || fence == u_dut.gen_fast.u_fastirq.core_i.pipe.fence);
  Hint_A: assert property (@(posedge clk_i) !rst_n || hint == u_dut.gen_fast.u_fastirq.core_i.csr.hint);
  StoreFault_A: assert property (@(posedge clk_i) !rst_n ||
    store_fault_taken == u_dut.gen_fast.u_fastirq.core_i.trap.fault_taken);

  // ------------------------------------------------------------------ a frame that could not be stored is reported
  // (fastirq_faults.sv proves that one exception is due for each such frame.) It is exception 24 of the instruction in
  // EX, which has had no effect: mepc is the instruction's address, mtval the address of the word, and the handler is
  // at mtvec.
  typedef struct packed {
    logic [31:0] pc;
    logic        minhv;
    logic [31:0] tval;
    logic [1:0]  mpp;
    logic        mpie;
    logic [7:0]  mpil;
  } report_t;
  logic    reports_q = 1'b0;
  report_t report_q;
  always_ff @(posedge clk_i) begin
    reports_q <= rst_n && store_fault_taken;
    report_q  <= '{
      pc:    u_dut.ex_q.pc,
      minhv: u_dut.ex_q.fault && u_dut.ex_q.fault_table,
      tval:  u_dut.fast.trap.fault_addr,
      mpp:   u_dut.priv,
      mpie:  u_dut.csr_trap.now.m.ie,
      mpil:  u_dut.csr_trap.now.m.il
    };
  end
  Reported_A: assert property (@(posedge clk_i) !rst_n || !reports_q ||
    (!u_dut.csr_trap.now.m.regs.cause.irq && u_dut.csr_trap.now.m.regs.cause.code == 12'(ExcFrameStoreFault) &&
     u_dut.csr_trap.now.m.tval == report_q.tval && u_dut.csr_trap.now.m.regs.epc == report_q.pc[31:1]));
  ReportIsException_A: assert property (@(posedge clk_i) !rst_n || !reports_q ||
    (u_dut.priv == PrivM && !u_dut.csr_trap.now.m.ie &&
     u_dut.csr_trap.now.m.il == ((report_q.mpp == PrivM) ? report_q.mpil : '0) &&
     {u_dut.csr_trap.now.m.regs.cause.mpp, u_dut.csr_trap.now.m.regs.cause.mpie, u_dut.csr_trap.now.m.regs.cause.mpil,
      u_dut.csr_trap.now.m.regs.cause.minhv} == {report_q.mpp, report_q.mpie, report_q.mpil, report_q.minhv}));
  // The instruction has no effect and no interrupt is taken in this cycle: there is only the trap. (A store whose first
  // half is written counts as firm, so the exception waits for it.)
  ReportDisplaces_A: assert property (@(posedge clk_i) !rst_n || !store_fault_taken ||
    (u_dut.choice.trap.valid && !u_dut.choice.trap.irq && !u_dut.ex_fire && !claim.valid && !enter &&
     !u_dut.fast.trap.done && !data_req.req && u_dut.ex_flush &&
     u_dut.trap_pipe.handler == {u_dut.csr_trap.m.tvec[31:6], 6'b0}));
  // An exception is taken only if one is due for a frame.
  ReportIsDue_A: assert property (@(posedge clk_i) !rst_n ||
    (u_dut.choice.trap.valid && !u_dut.choice.trap.irq && u_dut.choice.trap.code == 12'(ExcFrameStoreFault)) ==
    (store_fault_taken && u_dut.fast.trap.store_fault));

  // ------------------------------------------------------------------ the exception for a frame destroys no context
  // The exception overwrites mepc and mcause, which may hold the only copy of a context. They do after an entry that
  // has stored no frame, or that went to mtvec, where software reads mcause; and after software has written them, until
  // the return. Where interrupts are enabled, software does not rely on them.
  logic sole_q = 1'b0, framed, sole_write;
  assign framed   = u_dut.csr_trap.m.fast && offer_i.shv;
  assign sole_write = u_dut.u_csr.csr_fire_i && u_dut.u_csr.csr_o.we &&
                      u_dut.u_csr.csr_addr_i inside {CsrMepc, CsrMcause};
  always_ff @(posedge clk_i) begin
    if (!rst_n) sole_q <= 1'b0;
    else if (u_dut.choice.trap.valid) sole_q <= !(u_dut.choice.trap.irq && framed);
    else if (u_dut.fast.trap.chain) sole_q <= !framed;
    else if (u_dut.pipe_trap.mret || u_dut.fast.trap.done) sole_q <= 1'b0;
    else if (sole_write) sole_q <= !u_dut.csr_trap.now.m.ie;
    else if (u_dut.csr_trap.now.m.ie) sole_q <= 1'b0;
  end
  // (emret does not need them: it reads both from its frame.)
  Sole_A: assert property (@(posedge clk_i) !rst_n || !store_fault_taken || emret_here ||
    !(sole_q && !u_dut.csr_trap.now.m.ie));
  // The exception waits only where taking it would lose a context.
  Waits_A: assert property (@(posedge clk_i) !rst_n || !u_dut.fast.trap.store_fault || store_fault_taken ||
    !u_dut.ex_valid_q || !u_dut.wb_ready || u_dut.wb_fault || u_dut.lsu.firm ||
    (sole_q && !u_dut.csr_trap.now.m.ie));
  LemmaSole_A: assert property (@(posedge clk_i) !rst_n ||
    (choice.hold == (sole_q && !u_dut.csr_trap.now.m.ie) && (!choice.hold || u_dut.priv == PrivM)));

  // If the ports grant at once and answer in the next cycle, the exception comes after at most Longest cycles. These
  // are the cycles in which EX is empty.
  if (Times) begin : gen_times
    localparam logic [3:0] Longest = 4'd5;
    logic       quick;
    logic [1:0] instr_open_q = '0;
    logic       data_open_q = 1'b0;
    logic       sane_q = 1'b1;   // no answer has come without its request
    logic [3:0] waits_q = '0;
    assign quick = (!instr_req.req || instr_rsp_i.gnt) && 2'(instr_rsp_i.rvalid) == instr_open_q &&
                   (!data_req.req || data_rsp_i.gnt) && data_rsp_i.rvalid == data_open_q;
    always_ff @(posedge clk_i) begin
      sane_q <= !rst_n ||
        (sane_q && (!instr_rsp_i.rvalid || instr_open_q != '0) && (!data_rsp_i.rvalid || data_open_q));
      if (!rst_n) begin
        {instr_open_q, data_open_q, waits_q} <= '0;
      end else begin
        instr_open_q <= instr_open_q + 2'(instr_req.req && instr_rsp_i.gnt) - 2'(instr_rsp_i.rvalid);
        data_open_q  <= (data_open_q && !data_rsp_i.rvalid) || (data_req.req && data_rsp_i.gnt);
        waits_q      <= (quick && u_dut.fast.trap.store_fault && !store_fault_taken &&
                         !(sole_q && !u_dut.csr_trap.now.m.ie)) ? waits_q + 4'd1 : '0;
      end
    end
    Prompt_A: assert property (@(posedge clk_i) !rst_n || !sane_q || waits_q <= Longest);
    LemmaOpen_A: assert property (@(posedge clk_i) !rst_n || !sane_q ||
      (u_dut.u_fetch.outs_q == instr_open_q && u_dut.wb_mem_q == data_open_q));
    // IF has room for all fetches that it has requested.
    LemmaFetch_A: assert property (@(posedge clk_i) !rst_n || !sane_q ||
      (u_dut.u_fetch.discard_q <= u_dut.u_fetch.outs_q && (u_dut.u_fetch.hold_q || !u_dut.u_fetch.stale_q) &&
       !(u_dut.u_fetch.hold_q && u_dut.u_fetch.outs_q == 2'd3) &&
       3'(u_dut.u_fetch.count_q) + 3'(u_dut.u_fetch.outs_q) - 3'(u_dut.u_fetch.discard_q) +
         3'(u_dut.u_fetch.hold_q && !u_dut.u_fetch.stale_q) <= 3'd3));
  end

  // ------------------------------------------------------------------ requests to multiplier and divider
  // The operands have arrived. Those of a division stay until its result is taken or it is given up. The divider works
  // only for the division in EX. It is ready only while it works (div_formal.sv), so the result that is taken is that
  // of this division.
  if (ExtM) begin : gen_muldiv
    logic        asked, asked_q = 1'b0;    // the division in EX has its operands
    logic        works_q = 1'b0;           // the divider was requested, and since then no result was taken and no
                                           // division killed
    logic [66:0] operands, operands_q;
    assign asked    = u_dut.is_div && u_dut.wb_ready && !u_dut.operand_late;
    assign operands = {u_dut.ex_q.ctrl.funct3, u_dut.ex_q.op_a, u_dut.ex_q.op_b};
    always_ff @(posedge clk_i) begin
      asked_q <= rst_n && !kill && !(u_dut.ex_fire && u_dut.is_div) && (asked_q || asked);
      works_q <= rst_n && !u_dut.u_ex.kill_i && !u_dut.u_ex.div_taken_i && (works_q || u_dut.u_ex.div_valid_i);
      if (!asked_q) operands_q <= operands;
    end
    Multiplies_A: assert property (@(posedge clk_i) !rst_n || !u_dut.ex_fire ||
      u_dut.ex_q.ctrl.result != ResMul || !(u_dut.ex_q.late_a || u_dut.ex_q.late_b));
    DivHolds_A: assert property (@(posedge clk_i) !rst_n || !asked_q || (u_dut.is_div && operands == operands_q));
    DivIsAsked_A: assert property (@(posedge clk_i) !rst_n || works_q == asked_q);
    DivIsTaken_A: assert property (@(posedge clk_i) !rst_n || !u_dut.ex_fire || !u_dut.is_div || u_dut.div_ready);
    LemmaAsked_A: assert property (@(posedge clk_i) !rst_n ||
      ((!asked_q || !(u_dut.ex_q.late_a || u_dut.ex_q.late_b)) &&
       (!u_dut.ex_valid_q ||
        ((u_dut.ex_q.ctrl.kind != KindDiv || u_dut.ex_q.ctrl.result == ResDiv) &&
         (u_dut.ex_q.ctrl.result != ResMul || u_dut.ex_q.ctrl.kind inside {KindAlu, KindIllegal})))));
  end

  // ------------------------------------------------------------------ lemmas: equal registers
  LemmaEx_A: assert property (@(posedge clk_i) !rst_n ||
    (u_pipeline.ex_valid_q == u_dut.ex_valid_q && (!u_dut.ex_valid_q ||
     (u_pipeline.ex_kind_q == u_dut.ex_q.ctrl.kind && u_pipeline.ex_fault_q == u_dut.ex_q.fault &&
      u_pipeline.ex_rd_we_q == u_dut.ex_q.ctrl.rd_we && u_pipeline.ex_rd_q == u_dut.ex_q.ctrl.rd &&
      u_pipeline.ex_funct3_q == u_dut.ex_q.ctrl.funct3 && u_pipeline.ex_atop_q == u_dut.ex_q.ctrl.atop))));
  LemmaReserved_A: assert property (@(posedge clk_i) !rst_n || u_pipeline.u_lsu.reserved_q == u_dut.u_lsu.reserved_q);
  if (!ExtA) begin : gen_plain
    NoAtomic_A: assert property (@(posedge clk_i) !rst_n || !data_req.req || data_req.atop == obi_pkg::AtopNone);
    LemmaAtomic_A: assert property (@(posedge clk_i) !rst_n ||
      !u_dut.ex_valid_q || u_dut.ex_q.ctrl.atop == obi_pkg::AtopNone);
  end
  LemmaOffset_A: assert property (@(posedge clk_i) !rst_n || !memory || !u_dut.ex_q.late_b);
  LemmaKnown_A: assert property (@(posedge clk_i) !rst_n || !memory || !u_pipeline.ex_known_q ||
    (u_pipeline.ex_addr_q == u_dut.alu_sum && u_pipeline.ex_data_q == u_dut.ex_store_data &&
     !u_dut.ex_q.late_a && !u_dut.ex_q.late_b && !u_dut.ex_q.late_store));
  LemmaWrite_A: assert property (@(posedge clk_i) !rst_n || u_pipeline.behind_write_q == u_dut.u_trap.behind_write_q);
  LemmaWb_A: assert property (@(posedge clk_i) !rst_n ||
    (u_pipeline.wb_valid_q == u_dut.wb_valid_q && u_pipeline.wb_mem_q == u_dut.wb_mem_q &&
     (!(u_dut.wb_valid_q || u_dut.wb_mem_q) ||
      (u_pipeline.wb_load_q == u_dut.wb_load_q && u_pipeline.wb_store_q == u_dut.wb_store_q &&
       u_pipeline.wb_rd_we_q == u_dut.wb_rd_we_q && u_pipeline.wb_rd_q == u_dut.wb_rd_q))));
  LemmaMode_A: assert property (@(posedge clk_i) !rst_n ||
    (u_dut.priv inside {PrivM, PrivU} && u_dut.csr_trap.now.m.regs.cause.mpp inside {PrivM, PrivU} &&
     enable == u_dut.csr_trap.m.fast));
  if (NumBanks > 0) begin : gen_banks
    for (genvar s = 0; s < int'(NumBanks); s++) begin : gen_slot
      LemmaLeft_A: assert property (@(posedge clk_i) !rst_n ||
        !u_dut.gen_fast.u_fastirq.gen_banks.u_banks.u_context.valid_q[s] ||
        u_dut.gen_fast.u_fastirq.gen_banks.u_banks.u_context.context_q[s].cause.mpp inside {PrivM, PrivU});
    end
    LemmaFilling_A: assert property (@(posedge clk_i) !rst_n ||
      !u_dut.gen_fast.u_fastirq.gen_banks.u_banks.filling_q || u_dut.gen_fast.u_fastirq.gen_banks.u_banks.got_q == '0 ||
      u_dut.gen_fast.u_fastirq.gen_banks.u_banks.u_context.context_q[
        u_dut.gen_fast.u_fastirq.gen_banks.u_banks.u_context.fill_q].cause.mpp inside {PrivM, PrivU});
  end else begin : gen_in_place
    localparam int unsigned CauseWord = frame_words(RV32E) - 1;
    LemmaMpp_A: assert property (@(posedge clk_i) !rst_n ||
      (u_dut.gen_fast.u_fastirq.gen_in_place.u_in_place.dirty_q[CauseWord] &&
       !u_dut.gen_fast.u_fastirq.gen_in_place.u_in_place.stay_q[CauseWord]) ||
      u_dut.gen_fast.u_fastirq.core_o.trap.frame.cause.mpp inside {PrivM, PrivU});
    LemmaBusy_A: assert property (@(posedge clk_i) !rst_n ||
      !u_dut.gen_fast.u_fastirq.gen_in_place.u_in_place.saver_i.load_busy || emret_here);
    // The words that an access is about to write have been stored when a load of them has begun.
    LemmaBegun_A: assert property (@(posedge clk_i) !rst_n || !(u_pipeline.u_lsu.hold_q || u_pipeline.u_lsu.second_q) ||
      !u_dut.gen_fast.u_fastirq.gen_in_place.u_in_place.evict);
    Writes_A: assert property (@(posedge clk_i) !rst_n ||
      (u_dut.gen_fast.u_fastirq.core_i.pipe.write == write &&
       u_dut.gen_fast.u_fastirq.core_i.pipe.ex_write == (u_pipeline.ex_valid_q && u_pipeline.ex_rd_we_q) &&
       (!write || u_dut.gen_fast.u_fastirq.core_i.pipe.write_reg == write_reg) &&
       (!u_pipeline.ex_valid_q || u_dut.gen_fast.u_fastirq.core_i.pipe.ex_reg == u_pipeline.ex_rd_q)));
  end
  LemmaLsu_A: assert property (@(posedge clk_i) !rst_n ||
    (u_pipeline.u_lsu.hold_q == u_dut.u_lsu.hold_q && u_pipeline.u_lsu.second_q == u_dut.u_lsu.second_q &&
     (!u_dut.u_lsu.second_q ||
      (u_pipeline.u_lsu.off_q == u_dut.u_lsu.off_q && u_pipeline.u_lsu.apart_q == u_dut.u_lsu.apart_q))));
  LemmaAnswer_A: assert property (@(posedge clk_i) !rst_n ||
    ((!u_dut.wb_mem_q ||
      (u_pipeline.u_lsu.wb_funct3_q == u_dut.u_lsu.wb_funct3_q && u_pipeline.u_lsu.wb_off_q == u_dut.u_lsu.wb_off_q &&
       u_pipeline.u_lsu.wb_second_q == u_dut.u_lsu.wb_second_q)) &&
     (u_dut.wb_mem_q || !u_dut.wb_valid_q || !u_dut.wb_load_q)));
  LemmaSecond_A: assert property (@(posedge clk_i) !rst_n ||
    ((!u_dut.u_lsu.second_q || u_dut.u_lsu.off_q != '0) &&
     (!u_dut.wb_mem_q || !u_dut.u_lsu.wb_second_q || u_dut.u_lsu.wb_off_q != '0)));
  LemmaFirst_A: assert property (@(posedge clk_i) !rst_n ||
    !(u_dut.wb_mem_q ? u_dut.u_lsu.wb_second_q : u_dut.u_lsu.second_q) ||
    u_pipeline.u_lsu.first_q == u_dut.u_lsu.first_q);

endmodule
