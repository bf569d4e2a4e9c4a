// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Follows each instruction through EX and WB and makes its retirement record (rvfi_pkg). It only observes: the core
// takes nothing from here but the cycle counter for stamps, and synthesis leaves the module out (Rvfi = 0).
module tz_rvfi
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter logic [3:0] Hart = 4'd0  // number of the hart
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] cycle_o,          // clock cycles since reset, lower half
  input  logic [63:0] passed_i,         // cycles left out before this edge (observe_pkg::inspect_t)

  // An instruction enters EX
  input  logic        id_fire_i,
  input  reg_reads_t  id_reads_i,
  input  logic [31:0] id_cycle_i,       // cycle of its fetch request, lower half

  // Late operands of the instruction in EX: the load in WB, in the cycle in which it arrives
  input  logic        ex_late_i,
  input  logic [31:0] ex_late_data_i,

  // The instruction in EX completes, makes the first half of a split access, or traps
  input  logic        ex_fire_i,
  input  logic        ex_advance_i,
  input  id_t         ex_i,
  input  logic [31:0] ex_next_pc_i,
  input  logic        ex_load_i,        // the instruction reads memory: a load or an AMO
  input  logic [31:0] ex_mem_addr_i,
  input  logic [31:0] ex_store_data_i,
  input  csr_answer_t ex_csr_i /*verilator split_var*/,
  input  logic [1:0]  priv_i,           // privilege it executes in, or debug mode
  input  logic        debug_i,          // the hart is in debug mode
  input  logic        ex_displaced_i,   // EX holds an instruction that does not complete, of no debug mode

  input  trap_to_pipe_t trap_pipe_i /*verilator split_var*/,  // the trap, and the interrupt, taken or chained
  input  fast_to_trap_t fast_i /*verilator split_var*/,       // an emret that chains

  // The instruction in WB leaves it
  input  logic        wb_fault_i,
  input  logic        wb_retire_i,
  input  reg_write_t  wb_write_i,
  input  logic [31:0] wb_rdata_i,       // load result, extended
  input  logic        wb_exokay_i,      // the store of a store-conditional was made

  output logic        begun_o,          // one half of a split access was made, or the record of a trap is due
  output rvfi_pkg::rvfi_t      rvfi_o,
  output rvfi_pkg::irq_event_t irq_event_o
);

  trap_t       trap;
  logic        ex_trap, chain, ex_first;
  logic [11:0] irq_id;
  logic [7:0]  irq_level;
  logic [31:0] trap_target;
  assign trap        = trap_pipe_i.choice.trap;
  assign ex_trap     = trap_pipe_i.choice.ex_traps;
  assign chain       = fast_i.chain;
  assign irq_id      = trap_pipe_i.irq.id;
  assign irq_level   = trap_pipe_i.irq.level;
  assign trap_target = trap_pipe_i.target;
  logic [63:0] cycle_q, order_q;
  assign cycle_o = cycle_q[31:0];

  // State of the instruction in EX. These are separate flip-flops and not one struct, because simulators copy a whole
  // struct when a part of it is assigned.
  logic [4:0]  ex_rs1_q, ex_rs2_q;
  logic [31:0] ex_rs1_data_q, ex_rs2_data_q, ex_cause_q;
  logic [63:0] ex_cycle_q;
  logic        ex_intr_q, ex_irq_q;
  assign ex_first = ex_displaced_i && ex_intr_q;

  // State of the instruction in WB.
  logic        wb_trap_q;    // the instruction trapped in EX
  logic [31:0] wb_insn_q, wb_pc_q, wb_next_pc_q, wb_cause_q;
  logic        wb_intr_q, wb_irq_q;
  logic [11:0] wb_irq_id_q;
  logic [7:0]  wb_irq_level_q, ex_irq_level_q, irq_level_q;
  logic [11:0] ex_irq_id_q, irq_id_q;
  logic [1:0]  wb_mode_q;
  logic [4:0]  wb_rs1_q, wb_rs2_q, wb_rd_q;
  logic [31:0] wb_rs1_data_q, wb_rs2_data_q;
  logic        wb_csr_we_q, wb_csr_q;
  logic [31:0] wb_csr_wdata_q;
  logic        wb_load_q, wb_store_q;
  logic [5:0]  wb_atop_q;
  logic [3:0]  wb_mask_q;
  logic [31:0] wb_mem_addr_q, wb_mem_wdata_q;
  logic        wb_split_q;   // the access was split: this is about its second request
  logic [63:0] wb_cycle_mem_q;
  logic [63:0] wb_cycle_fetch_q, wb_cycle_ex_q;

  // Set by a trap and passed to the next instruction that enters EX: that is the first one of a handler.
  logic        intr_q, irq_q;
  logic [31:0] cause_q, trap_cause;
  assign trap_cause = (chain || trap.irq) ? {19'h40000, trap_pipe_i.posted, trap_pipe_i.code} : {20'b0, trap.code};

  logic [3:0] ex_mask;
  logic       split_q;       // the first half of a split access is under way
  always_comb begin
    unique case (ex_i.ctrl.funct3[1:0])
      2'b00:   ex_mask = 4'b0001;
      2'b01:   ex_mask = 4'b0011;
      default: ex_mask = 4'b1111;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q   <= '0;
      order_q   <= '0;
      intr_q    <= 1'b0;
      irq_q     <= 1'b0;
      wb_trap_q <= 1'b0;
      split_q   <= 1'b0;
    end else begin
      cycle_q <= cycle_q + 64'd1 + passed_i;
      if (rvfi_o.valid) order_q <= order_q + 64'd1;
      // What debug mode displaces may be the first instruction of a handler, and is so again when it returns.
      if (trap.valid && trap.debug) begin
        if (ex_first) begin
          intr_q <= 1'b1;
          irq_q  <= ex_irq_q;
        end
      end else if (trap.valid || chain) begin
        intr_q <= 1'b1;
        irq_q  <= trap.irq || chain;
      end else if (id_fire_i && !debug_i) begin
        intr_q <= 1'b0;
        irq_q  <= 1'b0;
      end
      wb_trap_q <= ex_trap;
      split_q   <= ex_advance_i || (split_q && !ex_fire_i && !trap.valid);
    end
  end

  logic [31:0] rs1_data, rs2_data;
  assign rs1_data = (ex_i.late_a && ex_late_i) ? ex_late_data_i : ex_rs1_data_q;
  assign rs2_data = (ex_i.late_store && ex_late_i) ? ex_late_data_i : ex_rs2_data_q;

  always_ff @(posedge clk_i) begin
    if ((trap.valid && !trap.debug) || chain) begin
      cause_q     <= trap_cause;
      irq_level_q <= irq_level;
      irq_id_q    <= irq_id;
    end
    ex_rs1_data_q <= id_fire_i ? id_reads_i.rs1_data : rs1_data;
    ex_rs2_data_q <= id_fire_i ? id_reads_i.rs2_data : rs2_data;
    if (id_fire_i) begin
      ex_rs1_q   <= id_reads_i.rs1;
      ex_rs2_q   <= id_reads_i.rs2;
      ex_cycle_q <= cycle_q - 64'(cycle_q[31:0] - id_cycle_i);
      ex_intr_q  <= intr_q && !debug_i;
      ex_irq_q   <= irq_q && !debug_i;
      ex_cause_q <= cause_q;
      ex_irq_level_q <= irq_level_q;
      ex_irq_id_q <= irq_id_q;
    end
    if (ex_fire_i || ex_advance_i || ex_trap) begin
      wb_insn_q        <= ex_i.insn;
      wb_pc_q          <= ex_i.pc;
      wb_next_pc_q     <= ex_trap ? trap_target : ex_next_pc_i;
      wb_cause_q       <= ex_trap ? trap_cause : ex_cause_q;
      wb_intr_q        <= ex_intr_q;
      wb_irq_q         <= ex_irq_q || chain;
      wb_irq_id_q      <= ex_irq_q ? ex_irq_id_q : irq_id;
      wb_irq_level_q   <= ex_irq_q ? ex_irq_level_q : irq_level;
      wb_mode_q        <= priv_i;
      wb_rs1_q         <= ex_rs1_q;
      wb_rs2_q         <= ex_rs2_q;
      wb_rs1_data_q    <= rs1_data;
      wb_rs2_data_q    <= rs2_data;
      wb_rd_q          <= ex_i.ctrl.rd_we ? ex_i.ctrl.rd : 5'd0;
      wb_csr_q         <= (ex_i.ctrl.kind == KindCsr);
      wb_csr_we_q      <= (ex_i.ctrl.kind == KindCsr) && ex_csr_i.we;
      wb_csr_wdata_q   <= ex_csr_i.wdata;
      wb_load_q        <= ex_load_i;
      wb_store_q       <= (ex_i.ctrl.kind == KindStore);
      wb_atop_q        <= ex_i.ctrl.atop;
      wb_mask_q        <= ex_mask;
      wb_mem_wdata_q   <= ex_store_data_i;
      wb_cycle_fetch_q <= ex_cycle_q;
      wb_cycle_ex_q    <= cycle_q;
      wb_split_q       <= split_q;
      if (!split_q) begin
        wb_mem_addr_q  <= ex_mem_addr_i;
        wb_cycle_mem_q <= cycle_q;  // EX moves on in the cycle of the grant
      end
    end
  end

  // A field that does not apply to an instruction is zero in its record.
  logic trapped, access, written, granted, valid;
  logic [31:0] byte_mask, mem_wdata;
  assign valid     = wb_retire_i || wb_fault_i || wb_trap_q;
  assign trapped   = wb_fault_i || wb_trap_q;
  assign written   = wb_store_q && (wb_atop_q != obi_pkg::AtopSc || wb_exokay_i);
  assign access    = (wb_load_q || written) && !trapped;
  assign granted   = (wb_load_q || wb_store_q) && !wb_trap_q;
  assign mem_wdata = (wb_load_q && wb_store_q) ? obi_pkg::amo_result(wb_atop_q, wb_rdata_i, wb_mem_wdata_q)
                                               : wb_mem_wdata_q;
  assign byte_mask = {{8{wb_mask_q[3]}}, {8{wb_mask_q[2]}}, {8{wb_mask_q[1]}}, {8{wb_mask_q[0]}}};

  assign rvfi_o = '{
    valid:        valid,
    order:        order_q,
    insn:         wb_insn_q,
    trap:         trapped,
    intr:         wb_intr_q,
    mode:         wb_mode_q,
    rs1_addr:     wb_rs1_q,
    rs2_addr:     wb_rs2_q,
    rs1_rdata:    (wb_rs1_q == '0) ? '0 : wb_rs1_data_q,
    rs2_rdata:    (wb_rs2_q == '0) ? '0 : wb_rs2_data_q,
    rd_addr:      trapped ? '0 : wb_rd_q,
    rd_wdata:     wb_write_i.we ? wb_write_i.data : '0,
    pc_rdata:     wb_pc_q,
    pc_wdata:     wb_fault_i ? trap_target : wb_next_pc_q,
    mem_addr:     access ? wb_mem_addr_q : '0,
    mem_rmask:    (access && wb_load_q) ? wb_mask_q : '0,
    mem_wmask:    (access && written) ? wb_mask_q : '0,
    mem_rdata:    (access && wb_load_q) ? (wb_rdata_i & byte_mask) : '0,
    mem_wdata:    (access && written) ? (mem_wdata & byte_mask) : '0,
    cause:        wb_fault_i ? trap_cause : (wb_trap_q || wb_intr_q) ? wb_cause_q : '0,
    csr_we:       wb_csr_we_q && !trapped,
    csr_addr:     (wb_csr_q && !trapped) ? wb_insn_q[31:20] : '0,
    csr_wdata:    (wb_csr_we_q && !trapped) ? wb_csr_wdata_q : '0,
    cycle_fetch:  wb_cycle_fetch_q,
    cycle_ex:     wb_cycle_ex_q,
    cycle_retire: cycle_q,
    cycle_mem:    granted ? wb_cycle_mem_q : '0,
    cycle_mem2:   (granted && wb_split_q) ? wb_cycle_ex_q : '0,
    hart:         Hart,
    irq:          wb_irq_q,
    irq_id:       wb_irq_q ? wb_irq_id_q : '0,
    irq_level:    wb_irq_q ? wb_irq_level_q : '0
  };

  assign begun_o = split_q || wb_trap_q;

  logic unused;
  assign unused = ^{trap, trap_pipe_i, fast_i, ex_i, ex_csr_i, wb_write_i.rd};

  assign irq_event_o = '{
    valid: (trap.valid && trap.irq) || chain,
    id:    chain ? irq_id : trap.code,
    level: irq_level,
    epc:   chain ? {fast_i.frame.epc, 1'b0} : trap.epc
  };

endmodule
