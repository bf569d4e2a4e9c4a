// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Trapeze core: RV32I/E, M, A, C, Zicsr, Zifencei, Zba, Zbb, Zbs, M and U modes; in order, single issue, four stages.
//
//   IF  tz_fetch       requests words, aligns instructions
//   ID  tz_id          expands, decodes, collects operands, knows jal and predicted branches
//   EX  tz_ex, tz_lsu  executes, resolves branches, sends loads and stores; tz_csr, tz_trap: CSRs, traps
//   WB  this file      receives loads, writes registers, retires
//
// Beside them: tz_fastirq saves contexts of interrupts (Cfg.Saver), tz_pmp_ports protects memory (Cfg.PmpRegions),
// tz_posts sends and receives user interrupts (Cfg.Uintr). Traps are precise. An interrupt replaces the instruction
// in EX, even a division under way; it waits only for a memory access on the bus. Timing: docs/core.md, "Cycle table".
module trapeze_core
  import isa_pkg::*;
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter core_cfg_pkg::core_cfg_t Cfg = core_cfg_pkg::CoreDefault,
  parameter logic [3:0] Hart = 4'd0   // number of the hart in its SoC, for the retirement record
) (
  input  logic clk_i,
  input  logic rst_ni,

  output obi_pkg::obi_req_t instr_req_o,
  input  obi_pkg::obi_rsp_t instr_rsp_i,
  output obi_pkg::obi_req_t data_req_o,
  input  obi_pkg::obi_rsp_t data_rsp_i,

  output obi_pkg::obi_req_t frame_req_o,  // fastirq: frames and table entries; reaches memories only
  input  obi_pkg::obi_rsp_t frame_rsp_i,

  input  irq_pkg::clint_pending_t irq_pending_i, // CLINT scheme: mip
  input  irq_pkg::clic_offer_t    irq_offer_i,   // CLIC scheme; the input of the other scheme is ignored
  output irq_pkg::clic_claim_t    irq_claim_o,
  output uintr_pkg::to_clic_t     post_clic_o,

  output uintr_pkg::to_others_t   post_o,        // Uintr; else zero
  input  uintr_pkg::from_others_t post_i,
  output logic                    sleep_o,       // waiting in WFI

  input  logic                    debug_req_i,   // Debug: a debug module wants the hart in debug mode; a level
  input  logic                    trigger_i,     // Triggers, with Debug: TM external trigger 0, for a clock
  output logic                    debug_stop_time_o, // Debug: the hart is in debug mode, and lets mtime stand

  output rvfi_pkg::rvfi_t       rvfi_o,
  output rvfi_pkg::irq_event_t  irq_event_o,
  output observe_pkg::observe_t observe_o,
  input  observe_pkg::inspect_t inspect_i       // of debuggers and simulators, while the clock stands; else zero
);

  localparam bit Fast = (Cfg.Saver != core_cfg_pkg::SaverNone);
  localparam int unsigned NumBanks = (Cfg.Saver == core_cfg_pkg::SaverBanks) ? Cfg.NumBanks : 0;
  tz_core_check #(.Cfg(Cfg)) u_check ();

  // ================================================================ signals between the stages
  // Redirects of fetching. Where ID and EX redirect in the same cycle, EX wins: its instruction is the older one.
  logic        id_redirect, ex_redirect, id_jump;
  logic [31:0] id_target, ex_target;
  logic        ex_table;         // the redirect of EX goes through a table entry

  // Trap unit, CSR file and fastirq
  pipe_to_trap_t pipe_trap /*verilator split_var*/;
  trap_to_pipe_t trap_pipe /*verilator split_var*/;
  csr_to_trap_t  csr_trap /*verilator split_var*/;
  trap_to_csr_t  trap_csr /*verilator split_var*/;
  to_fast_t      to_fast /*verilator split_var*/;
  from_fast_t    fast /*verilator split_var*/;           // zero without fastirq
  trap_choice_t  choice /*verilator split_var*/;
  trigger_t      ex_trigger /*verilator split_var*/;     // zero without triggers
  debug_t        debug /*verilator split_var*/;          // zero without debug mode
  logic [1:0]    priv, priv_data, priv_fetch;
  assign choice    = trap_pipe.choice;
  assign priv      = csr_trap.now.priv;
  assign debug     = csr_trap.debug;
  // Of loads and stores, and of fetches
  assign priv_data  = debug.mode ? obi_pkg::PrvDebug : csr_trap.now.mprv ? csr_trap.now.m.regs.cause.mpp : priv;
  assign priv_fetch = ((debug.mode && !pipe_trap.dret) || trap_csr.debug.begins) ? obi_pkg::PrvDebug
                                                                                 : trap_csr.next.priv;
  assign debug_stop_time_o = debug.stop_time;

  // EX register
  logic        ex_valid_d, ex_valid_q;
  id_t         ex_q /*verilator split_var*/;
  logic [31:0] ex_op_a, ex_op_b, ex_store_data;  // late operands included
  logic        ex_ready, ex_fire, ex_flush;
  logic        is_load, is_store, is_sc, is_amo;  // SC and AMO are stores, too
  logic [31:0] ex_result;
  reg_write_t  ex_write /*verilator split_var*/;  // the instruction will write, if it completes
  logic        post_allowed;     // memory protection allows the word that the senduipi in EX accesses

  // WB register
  logic        wb_debug_q;       // the instruction was executed in debug mode with stopped counters
  logic        wb_valid_q, wb_mem_q; // an instruction retires when its answer, if any, is there; an answer is awaited
  logic        wb_store_q, wb_load_q, wb_sc_q, wb_rd_we_q;
  logic [4:0]  wb_rd_q;
  logic [31:0] wb_result_q, wb_pc_q;  // of a load or store the result is its address
  logic        wb_ready, wb_fault, wb_retire;
  logic [31:0] wb_wdata;
  reg_write_t  wb_awaits /*verilator split_var*/, wb_write /*verilator split_var*/;  // once retired; in this cycle
  logic [31:0] cycle;            // since reset, for the time stamps (lower half)

  obi_pkg::obi_req_t instr_req, data_req, frame_req;  // between the pipeline and memory protection
  obi_pkg::obi_rsp_t instr_rsp, data_rsp, frame_rsp;
  obi_pkg::obi_req_t lsu_req;                        // the load-store unit's, between memory protection and tz_posts
  obi_pkg::obi_rsp_t lsu_rsp /*verilator split_var*/;
  from_lsu_t   lsu /*verilator split_var*/;
  from_posts_t posts /*verilator split_var*/;        // zero without Uintr

  // ================================================================ IF
  logic        if_valid, id_ready;
  fetch_t      fetch;
  tz_fetch #(.ResetVector(Cfg.ResetVector), .ExtC(Cfg.ExtC), .Rvfi(Cfg.Rvfi)) u_fetch (
    .clk_i,
    .rst_ni,
    .instr_req_o   (instr_req),
    .instr_rsp_i   (instr_rsp),
    .redirect_i    (ex_flush || id_redirect),
    .aim_i         (ex_flush || (if_valid && id_jump)),  // does not wait for EX to be ready
    .redirect_pc_i (ex_flush ? (choice.trap.valid ? trap_pipe.handler : ex_target) : id_target),
    .redirect_table_i(choice.trap.valid ? (choice.trap.irq && trap_pipe.handler_table) : (ex_redirect && ex_table)),
    .prv_i         (priv_fetch),
    .valid_o       (if_valid),
    .ready_i       (id_ready),
    .fetch_o       (fetch),
    .cycle_i       (cycle)
  );

  // ================================================================ ID
  id_t         id /*verilator split_var*/;
  logic        id_wait, id_fire;
  logic [4:0]  id_rs1, id_rs2;
  logic [31:0] rf_rs1, rf_rs2;
  reg_reads_t  id_reads;
  logic        inspects;         // a debugger uses the read ports of the register file
  assign inspects = Cfg.Rvfi && inspect_i.valid;
  tz_id #(.Cfg(Cfg)) u_id (
    .fetch_i      (fetch),
    .rs1_o        (id_rs1),
    .rs2_o        (id_rs2),
    .rs1_data_i   (rf_rs1),
    .rs2_data_i   (rf_rs2),
    .ex_i         (ex_write),
    .ex_load_i    (is_load || is_amo),
    .ex_sc_i      (is_sc),
    .wb_i         (wb_awaits),
    .wb_ready_i   (wb_ready),
    .id_o         (id),
    .wait_o       (id_wait),
    .jump_o       (id_jump),
    .jump_target_o(id_target),
    .reads_o      (id_reads)
  );

  tz_regfile #(.RV32E(Cfg.RV32E), .Fast(Fast), .NumBanks(NumBanks), .Whole(Cfg.WholeFrames), .UserIrq(Cfg.UserIrq),
               .Gates(Cfg.Gates)) u_regfile (
    .clk_i,
    .rst_ni,
    .raddr_a_i(inspects ? inspect_i.number[4:0] : id_rs1),
    .rdata_a_o(rf_rs1),
    .raddr_b_i(id_rs2),
    .rdata_b_o(rf_rs2),
    .we_i     (wb_write.we),
    .waddr_i  (wb_write.rd),
    .wdata_i  (wb_write.data),
    .fast_i   (fast.regfile),
    .fast_o   (to_fast.regfile)
  );

  // Enables do not depend on ex_flush: with it everything in IF and ID is dropped. Nor do they depend on ex_waits (the
  // access in EX waits for a frame), known late: what IF hands over in vain then is fetched again (refetch_q).
  assign id_ready    = ex_ready && !id_wait;
  assign id_fire     = if_valid && id_ready && !ex_flush;
  assign id_redirect = if_valid && id_ready && id_jump;

  // ================================================================ EX
  logic [31:0] ex_base;
  logic        operand_late;
  assign ex_op_a       = ex_q.late_a ? lsu.rdata : ex_q.op_a;
  assign ex_op_b       = ex_q.late_b ? lsu.rdata : ex_q.op_b;
  assign ex_store_data = ex_q.late_store ? lsu.rdata : ex_q.store_data;

  assign ex_write = '{we: ex_valid_q && ex_q.ctrl.rd_we, rd: ex_q.ctrl.rd, data: ex_result};

  logic is_div, is_csr, is_wfi;
  assign is_load   = ex_valid_q && (ex_q.ctrl.kind == KindLoad);
  assign is_store  = ex_valid_q && (ex_q.ctrl.kind == KindStore);
  assign is_sc     = is_store && (ex_q.ctrl.atop == obi_pkg::AtopSc);
  assign is_amo    = is_store && (ex_q.ctrl.atop != obi_pkg::AtopNone) && !is_sc;
  assign is_div    = ex_valid_q && (ex_q.ctrl.kind == KindDiv);
  assign is_csr    = ex_valid_q && (ex_q.ctrl.kind == KindCsr);
  assign is_wfi    = ex_valid_q && (ex_q.ctrl.kind == KindWfi) && !choice.exception;

  // operand_late: the operand comes from the load in WB in this cycle, and the operation takes it one cycle later, from
  // the registers of EX. So do multiplications, divisions, counts of bits, and addresses unless the load is of an
  // aligned word.
  assign ex_base      = ex_q.late_a ? data_rsp.rdata : ex_q.op_a;
  assign operand_late = (Cfg.ExtM && (ex_q.late_a || ex_q.late_b) && (ex_q.ctrl.result inside {ResMul, ResDiv})) ||
      (ex_q.late_a && ((ex_q.ctrl.kind == KindAlu && (ex_q.ctrl.alu_op inside {AluClz, AluCtz, AluCpop})) ||
                       (!lsu.plain && (ex_q.ctrl.kind inside {KindLoad, KindStore, KindJalr})))) ||
      (Cfg.Uintr && ex_q.late_a && ex_q.ctrl.kind == KindPost);

  logic        div_ready, mispredict, target_bad;
  logic [31:0] alu_sum, jalr_target;
  csr_answer_t csr /*verilator split_var*/;
  tz_ex #(.Cfg(Cfg)) u_ex (
    .clk_i,
    .rst_ni,
    .ex_i         (ex_q),
    .op_a_i       (ex_op_a),
    .op_b_i       (ex_op_b),
    .base_i       (ex_base),
    .csr_rdata_i  (csr.rdata),
    .div_valid_i  (is_div && wb_ready && !operand_late),
    .div_taken_i  (ex_fire && is_div),
    .kill_i       (choice.trap.valid),
    .result_o     (ex_result),
    .sum_o        (alu_sum),
    .ready_o      (div_ready),
    .mispredict_o (mispredict),
    .jalr_target_o(jalr_target),
    .target_bad_o (target_bad)
  );

  // ---------------------------------------------------------------- CSRs and traps
  logic        ex_plain;
  pmp_t        pmp;  // rows of memory protection
  csr_to_posts_t csr_posts /*verilator split_var*/;
  tz_csr #(.Cfg(Cfg)) u_csr (
    .clk_i,
    .rst_ni,
    .csr_valid_i   (is_csr),
    .csr_fire_i    (ex_plain && is_csr),
    .csr_addr_i    (inspects ? inspect_i.number : ex_q.insn[31:20]),
    .csr_operand_i (ex_op_a),
    .ex_i          (ex_q),
    .csr_o         (csr),
    .trap_o        (csr_trap),
    .trap_i        (trap_csr),
    .fast_o        (to_fast.csr),
    .fast_i        (fast.csr),
    .post_o        (csr_posts),
    .join_i        (posts.join_uirr),
    .pmp_o         (pmp),
    .debug_req_i,
    .trigger_i,
    .ex_valid_i    (ex_valid_q),
    .access_i      ((is_load || is_store) && !ex_q.fault && !operand_late && !lsu.second),
    .addr_i        (alu_sum),
    .trigger_o     (ex_trigger),
    .ex_fire_i     (ex_fire),
    .retire_i      (wb_retire && !wb_debug_q),
    .passed_i      (Cfg.Rvfi ? inspect_i.passed : '0),
    .irq_pending_i
  );

  verdict_t frame;   // of memory protection, about a frame at user mode's sp
  logic misaligned;  // an atomic operation at an address that is not a word's
  assign misaligned = Cfg.ExtA && (ex_q.ctrl.atop != obi_pkg::AtopNone) && (alu_sum[1:0] != '0) && !operand_late;
  assign pipe_trap = '{
    ex_valid:        ex_valid_q,
    ex_kind:         ex_q.ctrl.kind,
    ex_pc:           ex_q.pc,
    ex_insn:         ex_q.insn,
    ex_fault:        ex_q.fault,
    ex_fault_second: ex_q.fault_second,
    ex_fault_table:  ex_q.fault_table,
    ex_next:         ex_q.alt[31:2],
    ex_misaligned:   misaligned,
    ex_addr:         alu_sum,
    ex_user:         Cfg.UserIrq && ex_q.ctrl.user,
    ex_debug:        Cfg.Debug && ex_q.ctrl.debug,
    ex_target_bad:   target_bad && !operand_late,
    ex_target:       (ex_q.ctrl.kind == KindJalr) ? jalr_target : ex_q.alt,
    frame:           frame,
    ex_completes:    (is_wfi && !trap_pipe.irq_first) || (is_store && lsu.committed),
    csr_illegal:     csr.illegal,
    ex_trigger:      ex_trigger,
    post_legal:      csr_posts.registers.sends,
    post_fault:      posts.fault,
    post_index:      ex_q.op_a,
    mret:            ex_plain && ex_q.ctrl.kind == KindMret && !(Cfg.Debug && ex_q.ctrl.debug),
    dret:            Cfg.Debug && ex_plain && ex_q.ctrl.kind == KindMret && ex_q.ctrl.debug,
    lsu_firm:        lsu.firm || posts.busy,
    lsu_busy:        lsu.busy || posts.busy,
    wb_ready:        wb_ready,
    wb_fault:        wb_fault,
    wb_left:         wb_valid_q,
    wb_store:        wb_store_q,
    wb_post:         posts.refused,
    wb_pc:           wb_pc_q,
    wb_addr:         wb_result_q,
    if_pc:           fetch.pc,
    if_table:        fetch.from_table
  };
  tz_trap #(.Cfg(Cfg)) u_trap (
    .clk_i,
    .rst_ni,
    .pipe_i(pipe_trap),
    .pipe_o(trap_pipe),
    .csr_i (csr_trap),
    .csr_o (trap_csr),
    .fast_i(fast.trap),
    .fast_o(to_fast.trap),
    .irq_pending_i,
    .irq_offer_i,
    .irq_claim_o
  );

  // ---------------------------------------------------------------- loads and stores
  tz_lsu u_lsu (
    .clk_i,
    .rst_ni,
    .data_req_o(data_req),
    .data_rsp_i(data_rsp),
    .bus_gnt_i(lsu_rsp.gnt),
    .valid_i  ((is_load || is_store) && !misaligned && !ex_trigger.any && !ex_q.fault && wb_ready && !wb_fault &&
               !operand_late && !fast.pipe.ex_wait && (lsu.committed || !choice.stop)),
    .wait_i   (fast.pipe.lsu_wait),
    .wait_here_i(fast.pipe.lsu_wait_here),
    .flush_i  (choice.trap.valid),
    .we_i     (ex_q.ctrl.kind == KindStore),
    .prv_i    (priv_data),
    .atop_i   (ex_q.ctrl.atop),
    .unreserve_i((choice.trap.valid && !choice.trap.debug) || pipe_trap.mret || fast.trap.done),
    .funct3_i (ex_q.ctrl.funct3),
    .addr_i   (alu_sum),
    .wdata_i  (ex_store_data),
    .lsu_o    (lsu)
  );

  // ---------------------------------------------------------------- fastirq
  assign to_fast.lsu = '{
    addr:      data_req.addr[31:2],
    terms:     {ex_q.op_b[6:0], ex_base[6:0]},
    split:     lsu.split,
    store:     lsu_req.req && lsu_req.we && lsu_rsp.gnt,
    committed: lsu.committed
  };
  assign to_fast.pipe = '{
    fence:     ex_plain && (ex_q.ctrl.kind == KindFenceI || (is_csr && csr.rows)),
    rows:      is_csr && csr.rows,
    rows_write: ex_plain && is_csr && csr.rows,
    write:     wb_write.we,
    write_reg: wb_write.rd,
    ex_write:  ex_write.we,
    ex_reg:    ex_write.rd
  };
  if (Fast) begin : gen_fast
    tz_fastirq #(.RV32E(Cfg.RV32E), .ExtC(Cfg.ExtC), .NumBanks(NumBanks),
                 .Whole(Cfg.WholeFrames), .UserIrq(Cfg.UserIrq), .Uintr(Cfg.Uintr)) u_fastirq (
      .clk_i,
      .rst_ni,
      .req_o (frame_req),
      .rsp_i (frame_rsp),
      .core_i(to_fast),
      .core_o(fast)
    );
  end else begin : gen_no_fast
    assign {frame_req, fast} = '0;
    logic unused_fast;
    assign unused_fast = ^{to_fast, frame_rsp};
  end

  // ---------------------------------------------------------------- memory protection
  // Memory protection takes a store-conditional for a store, also if it is to fail, with `we` zero.
  tz_pmp_ports #(.Cfg(Cfg)) u_pmp_ports (
    .clk_i,
    .rst_ni,
    .pmp_i           (pmp),
    .written_i       (ex_plain && is_csr && csr.rows),
    .kind_i          ({1'b0, ex_q.ctrl.kind == KindStore, ex_q.ctrl.kind == KindLoad || is_amo}),
    .split_i         (lsu.split),
    .second_i        (lsu.second),
    .base_i          (ex_base),
    .offset_i        (ex_q.op_b),
    .ask_i           (posts.ask),
    .allowed_o       (post_allowed),
    .fast_i          (fast),
    .frame_o         (frame),
    .core_instr_req_i(instr_req),
    .core_instr_rsp_o(instr_rsp),
    .core_data_req_i (data_req),
    .core_data_rsp_o (data_rsp),
    .core_frame_req_i(frame_req),
    .core_frame_rsp_o(frame_rsp),
    .instr_req_o,
    .instr_rsp_i,
    .data_req_o      (lsu_req),
    .data_rsp_i      (lsu_rsp),
    .frame_req_o,
    .frame_rsp_i
  );

  // ---------------------------------------------------------------- user interrupts from hart to hart
  tz_posts #(.Cfg(Cfg)) u_posts (
    .clk_i,
    .rst_ni,
    .pipe_i      (pipe_trap),
    .choice_i    (choice),
    .wait_i      (operand_late || fast.pipe.ex_wait),
    .taken_i     (ex_fire),
    .received_i  (ex_plain),
    .csr_i       (csr_posts),
    .pmp_i       (pmp),
    .allowed_i   (post_allowed),
    .posts_o     (posts),
    .clic_o      (post_clic_o),
    .lsu_req_i   (lsu_req),
    .lsu_rsp_o   (lsu_rsp),
    .data_req_o,
    .data_rsp_i,
    .others_o    (post_o),
    .others_i    (post_i)
  );

  // ---------------------------------------------------------------- completion
  // In the cycle in which an emret completes, EX does not count as ready. Whether it completes is known late, and
  // nothing could enter EX anyway, because the emret redirects fetching.
  logic        ex_done, ex_goes, ex_waits, refetch_q, fast_wait;
  assign fast_wait = fast.pipe.ex_wait || posts.csr_wait;
  // Whether the instruction in EX may leave it (ex_done; a load or store that waits for a word of a frame is excepted by
  // ex_waits), and whether fetching goes on elsewhere than behind it (ex_goes: at ex_target, by ex_table through the
  // table entry there). None depends on whether a trap is taken: a trap's redirect has priority.
  logic [31:0] frame_epc;
  assign frame_epc = {fast.trap.frame.epc[31:2], fast.trap.frame.epc[1] && !fast.trap.frame.cause.minhv, 1'b0};
  always_comb begin
    unique case (ex_q.ctrl.kind)
      KindLoad, KindStore: ex_done = lsu.ends;
      KindDiv:             ex_done = div_ready && !choice.freeze && !fast_wait;
      KindWfi:             ex_done = (trap_pipe.irq.wake || choice.halt_can || debug.mode || debug.steps) &&
                                     !choice.freeze;
      KindPost:            ex_done = posts.done;
      KindEmret:           ex_done = 1'b0;
      default:             ex_done = !choice.freeze && !operand_late && !fast_wait;
    endcase
    unique case (ex_q.ctrl.kind)
      // IF has handed over the instruction behind the load or store, which had to wait: that one is fetched again.
      KindLoad, KindStore:  ex_goes = refetch_q;
      KindBranch:           ex_goes = !choice.freeze && mispredict;
      KindJalr:             ex_goes = !choice.freeze && !operand_late && !fast_wait;
      KindMret, KindFenceI: ex_goes = !choice.freeze;
      KindEmret:            ex_goes = fast.pipe.chains || fast.pipe.returns;
      KindCsr:              ex_goes = !choice.freeze && !fast_wait && (csr.jump || csr.rows);
      default:              ex_goes = 1'b0;
    endcase
    unique case (ex_q.ctrl.kind)
      KindJalr:  ex_target = jalr_target;
      KindMret:  ex_target = trap_pipe.return_pc;
      KindEmret: ex_target = fast.pipe.chains ? trap_pipe.handler : frame_epc;
      KindCsr:   ex_target = csr.rows ? ex_q.alt : {trap_csr.entry, 2'b00};  // by the new rows; or by an entry
      default:   ex_target = ex_q.alt;
    endcase
    ex_table = (ex_q.ctrl.kind == KindCsr && !csr.rows) || (ex_q.ctrl.kind == KindMret && trap_pipe.return_table) ||
               (ex_q.ctrl.kind == KindEmret &&
                (fast.pipe.chains ? trap_pipe.handler_table : fast.trap.frame.cause.minhv));
  end

  assign ex_waits = (is_load || is_store) && lsu.stays;
  assign ex_ready = !ex_valid_q || (ex_done && wb_ready);  // high even if the access in EX waits (ex_waits)
  // ex_plain: an instruction of one cycle completes: no trap displaces it. Unlike ex_fire it is known early.
  assign ex_plain = ex_valid_q && wb_ready && !wb_fault && !choice.exception && !choice.stop && !operand_late &&
                    !fast_wait;
  assign ex_fire  = ex_valid_q && ((ex_done && !ex_waits) || fast.trap.done) && wb_ready && !wb_fault &&
                    !choice.exception && !choice.frame_fault_take && !choice.refuse_take &&
                    (!choice.displaces || pipe_trap.ex_completes);

  assign ex_redirect = ex_valid_q && wb_ready && ex_goes;
  assign ex_flush    = ex_redirect || choice.trap.valid;
  assign ex_valid_d  = id_fire || (ex_valid_q && !ex_fire && !choice.trap.valid);
  assign sleep_o     = is_wfi && !trap_pipe.irq.wake && !posts.active;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {ex_valid_q, refetch_q} <= '0;
    else {ex_valid_q, refetch_q} <= {ex_valid_d, if_valid && id_ready && ex_waits};
  end

  always_ff @(posedge clk_i) begin
    if (ex_ready && !ex_waits) begin  // valid only if id_fire
      ex_q <= id;
    end else begin
      if (wb_ready) begin  // the load in WB has arrived and this instruction stays: keep the operands
        ex_q.op_a       <= ex_op_a;
        ex_q.op_b       <= ex_op_b;
        ex_q.store_data <= ex_store_data;
        {ex_q.late_a, ex_q.late_b, ex_q.late_store} <= '0;
      end
      if (lsu.advance) begin  // the second word of a split access
        ex_q.op_a <= {alu_sum[31:2], 2'b00};
        ex_q.op_b <= 32'd4;
      end
    end
  end

  // ================================================================ WB
  assign wb_ready  = (!wb_mem_q || data_rsp.rvalid) && !posts.waits;
  assign wb_fault  = (wb_mem_q && data_rsp.rvalid && data_rsp.err) || posts.refused;
  assign wb_retire = wb_valid_q && wb_ready && !wb_fault;
  assign wb_wdata  = wb_load_q ? lsu.rdata : wb_sc_q ? {31'b0, !data_rsp.exokay} : wb_result_q;
  assign wb_awaits = '{we: wb_valid_q && wb_rd_we_q, rd: wb_rd_q, data: wb_wdata};
  assign wb_write  = '{we: wb_retire && wb_rd_we_q, rd: wb_rd_q, data: wb_wdata};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wb_valid_q <= 1'b0;
      wb_mem_q   <= 1'b0;
    end else if (wb_ready) begin
      wb_valid_q <= ex_fire;
      wb_mem_q   <= (ex_fire && (is_load || is_store)) || lsu.advance;
    end
  end

  if (Cfg.Debug) begin : gen_wb_debug
    always_ff @(posedge clk_i) if (wb_ready) wb_debug_q <= debug.stop_count;
  end else begin : gen_no_wb_debug
    assign wb_debug_q = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (wb_ready) begin  // valid only if ex_fire or lsu.advance
      wb_store_q  <= is_store;
      wb_load_q   <= is_load || is_amo;
      wb_sc_q     <= is_sc;
      wb_rd_we_q  <= ex_q.ctrl.rd_we;
      wb_rd_q     <= ex_q.ctrl.rd;
      wb_result_q <= (Cfg.Uintr && ex_q.ctrl.kind == KindPost) ? ex_q.op_a : ex_result;
      wb_pc_q     <= ex_q.pc;
    end
  end

  // ================================================================ retirement record, observation
  if (Cfg.Rvfi) begin : gen_rvfi
    logic begun;
    tz_rvfi #(.Hart(Hart)) u_rvfi (
      .clk_i,
      .rst_ni,
      .cycle_o        (cycle),
      .passed_i       (inspect_i.passed),
      .id_fire_i      (id_fire && !ex_waits),
      .id_reads_i     (id_reads),
      .id_cycle_i     (fetch.cycle),
      .ex_late_i      (wb_ready),
      .ex_late_data_i (lsu.rdata),
      .ex_fire_i      (ex_fire),
      .ex_advance_i   (lsu.advance),
      .ex_i           (ex_q),
      .ex_next_pc_i   (fast.trap.chain ? trap_pipe.target : ex_redirect ? ex_target : fetch.pc),
      .ex_load_i      (is_load || is_amo),
      .ex_mem_addr_i  (alu_sum),
      .ex_store_data_i(ex_store_data),
      .ex_csr_i       (csr),
      .priv_i         (debug.mode ? obi_pkg::PrvDebug : priv),
      .debug_i        (debug.mode),
      .ex_displaced_i (ex_valid_q && !ex_fire && !debug.mode),
      .trap_pipe_i    (trap_pipe),
      .fast_i         (fast.trap),
      .wb_fault_i     (wb_fault),
      .wb_retire_i    (wb_retire),
      .wb_write_i     (wb_write),
      .wb_rdata_i     (lsu.rdata),
      .wb_exokay_i    (data_rsp.exokay),
      .begun_o        (begun),
      .rvfi_o,
      .irq_event_o
    );
    tz_observe #(.Whole(Cfg.WholeFrames), .UserIrq(Cfg.UserIrq)) u_observe (
      .csrs_i      (csr_trap.now),
      .fast_i      (fast),
      .posts_i     (posts.seen),
      .frame_judged_i(frame.judged),
      .frame_req_i (frame_req_o), .frame_rsp_i,
      .next_pc_i   (fetch.pc),
      .next_table_i(fetch.from_table),
      .busy_i      (wb_valid_q || wb_mem_q || begun || posts.busy || posts.goes_on),
      .inspect_i,
      .csr_exists_i(csr.exists),
      .csr_value_i (csr.rdata),
      .register_i  (rf_rs1),
      .observe_o
    );
  end else begin : gen_no_rvfi
    logic unused;
    assign unused      = ^{fetch.cycle, id_reads, csr, trap_pipe, posts, fast.observe};
    assign {cycle, rvfi_o, irq_event_o, observe_o} = '0;
  end

  logic unused;
  assign unused = ^{choice, trap_pipe, inspect_i, debug};  // choice.irq_can and .irq_aim are used in tz_trap only

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !inspects);  // the clock stands while a debugger asks
`endif
`ifdef TRAPEZE_CHECK
  // A store whose second half was granted in the cycle of an interrupt is not answered with an error (tz_lsu).
  StoreCompletes_A: assert property (@(posedge clk_i)
      choice.displaces && ex_valid_q && is_store && lsu.committed |=> !wb_fault);
`endif

endmodule
