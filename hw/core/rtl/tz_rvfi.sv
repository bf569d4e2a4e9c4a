// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Follows each instruction through EX and WB and assembles its retirement record (rvfi_pkg). Observes only: nothing
// here reaches back into the core, and synthesis leaves it out (Rvfi = 0).
module tz_rvfi
  import tz_core_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] cycle_o,          // clock cycles since reset, lower half

  // An instruction enters EX
  input  logic        id_fire_i,
  input  logic [4:0]  id_rs1_i,         // zero where not read
  input  logic [4:0]  id_rs2_i,
  input  logic [31:0] id_rs1_data_i,
  input  logic [31:0] id_rs2_data_i,
  input  logic [31:0] id_cycle_i,       // of its fetch request, lower half

  // Its operands that come from the load in WB, in the cycle they arrive
  input  logic        ex_late_rs1_i,
  input  logic        ex_late_rs2_i,
  input  logic [31:0] ex_late_data_i,

  // It leaves EX: completed, half way through a split access, or trapped
  input  logic        ex_fire_i,
  input  logic        ex_advance_i,
  input  logic        ex_trap_i,
  input  logic [31:0] ex_insn_i,
  input  logic [31:0] ex_pc_i,
  input  logic [31:0] ex_next_pc_i,
  input  kind_e       ex_kind_i,
  input  logic [1:0]  ex_size_i,        // funct3[1:0] of a load or store
  input  logic [4:0]  ex_rd_i,          // zero where nothing is written
  input  logic [31:0] ex_mem_addr_i,
  input  logic [31:0] ex_store_data_i,
  input  logic        ex_csr_we_i,
  input  logic [31:0] ex_csr_wdata_i,
  input  logic [1:0]  priv_i,

  input  trap_t       trap_i,
  input  logic [31:0] trap_target_i,

  // It leaves WB
  input  logic        wb_fault_i,
  input  logic        wb_retire_i,
  input  logic        wb_rd_we_i,
  input  logic [31:0] wb_wdata_i,
  input  logic [31:0] wb_rdata_i,       // load result, extended

  output rvfi_pkg::rvfi_t      rvfi_o,
  output rvfi_pkg::irq_event_t irq_event_o
);

  logic [63:0] cycle_q, order_q;
  assign cycle_o = cycle_q[31:0];

  // What is known of the instruction in EX, and of the one in WB.
  typedef struct packed {
    logic [4:0]  rs1;
    logic [4:0]  rs2;
    logic [31:0] rs1_data;
    logic [31:0] rs2_data;
    logic [63:0] cycle_fetch;
    logic        intr;
    logic        irq;
    logic [31:0] cause;
  } enter_t;

  enter_t enter_q;
  rvfi_pkg::rvfi_t wb_q;
  logic        wb_trap_q;    // the record in WB is of an instruction that trapped in EX
  logic        split_q;      // the first half of a split access is under way
  logic [31:0] size_mask_q;  // bytes of the access

  // First instruction of a handler: set by the trap, worn by the next instruction to enter EX.
  logic        intr_q, irq_q;
  logic [31:0] cause_q, trap_cause;
  assign trap_cause = {trap_i.irq, 26'b0, trap_i.code};

  logic [3:0]  mask;
  logic [31:0] byte_mask;
  logic        is_load, is_store;
  assign is_load  = (ex_kind_i == KindLoad);
  assign is_store = (ex_kind_i == KindStore);
  always_comb begin
    unique case (ex_size_i)
      2'b00:   mask = 4'b0001;
      2'b01:   mask = 4'b0011;
      default: mask = 4'b1111;
    endcase
    byte_mask = {{8{mask[3]}}, {8{mask[2]}}, {8{mask[1]}}, {8{mask[0]}}};
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
      cycle_q <= cycle_q + 64'd1;
      if (rvfi_o.valid) order_q <= order_q + 64'd1;
      if (trap_i.valid) begin
        intr_q <= 1'b1;
        irq_q  <= trap_i.irq;
      end else if (id_fire_i) begin
        intr_q <= 1'b0;
        irq_q  <= 1'b0;
      end
      wb_trap_q <= ex_trap_i;
      split_q   <= ex_advance_i || (split_q && !ex_fire_i && !trap_i.valid);
    end
  end

  logic [31:0] rs1_data, rs2_data;
  assign rs1_data = ex_late_rs1_i ? ex_late_data_i : enter_q.rs1_data;
  assign rs2_data = ex_late_rs2_i ? ex_late_data_i : enter_q.rs2_data;

  always_ff @(posedge clk_i) begin
    if (trap_i.valid) cause_q <= trap_cause;
    enter_q.rs1_data <= rs1_data;
    enter_q.rs2_data <= rs2_data;
    if (id_fire_i) begin
      enter_q <= '{
        rs1:         id_rs1_i,
        rs2:         id_rs2_i,
        rs1_data:    (id_rs1_i == '0) ? '0 : id_rs1_data_i,
        rs2_data:    (id_rs2_i == '0) ? '0 : id_rs2_data_i,
        cycle_fetch: cycle_q - 64'(cycle_q[31:0] - id_cycle_i),
        intr:        intr_q,
        irq:         irq_q,
        cause:       cause_q
      };
    end
    if (ex_fire_i || ex_advance_i || ex_trap_i) begin
      wb_q             <= '0;
      wb_q.insn        <= ex_insn_i;
      wb_q.trap        <= ex_trap_i;
      wb_q.intr        <= enter_q.intr;
      wb_q.mode        <= priv_i;
      wb_q.rs1_addr    <= enter_q.rs1;
      wb_q.rs2_addr    <= enter_q.rs2;
      wb_q.rs1_rdata   <= rs1_data;
      wb_q.rs2_rdata   <= rs2_data;
      wb_q.rd_addr     <= ex_trap_i ? '0 : ex_rd_i;
      wb_q.pc_rdata    <= ex_pc_i;
      wb_q.pc_wdata    <= ex_trap_i ? trap_target_i : ex_next_pc_i;
      wb_q.cause       <= ex_trap_i ? trap_cause : enter_q.intr ? enter_q.cause : '0;
      wb_q.cycle_fetch <= enter_q.cycle_fetch;
      wb_q.cycle_ex    <= cycle_q;
      wb_q.irq         <= enter_q.irq;
      wb_q.irq_id      <= enter_q.irq ? 12'(enter_q.cause[11:0]) : '0;
      if (!ex_trap_i && ex_kind_i == KindCsr) begin
        wb_q.csr_we    <= ex_csr_we_i;
        wb_q.csr_addr  <= ex_insn_i[31:20];
        wb_q.csr_wdata <= ex_csr_we_i ? ex_csr_wdata_i : '0;
      end
      if (!ex_trap_i && (is_load || is_store)) begin
        wb_q.mem_addr  <= split_q ? wb_q.mem_addr : ex_mem_addr_i;
        wb_q.mem_rmask <= is_load ? mask : '0;
        wb_q.mem_wmask <= is_store ? mask : '0;
        wb_q.mem_wdata <= is_store ? (ex_store_data_i & byte_mask) : '0;
      end
      size_mask_q <= byte_mask;
    end
  end

  always_comb begin
    rvfi_o              = wb_q;
    rvfi_o.valid        = wb_retire_i || wb_fault_i || wb_trap_q;
    rvfi_o.order        = order_q;
    rvfi_o.cycle_retire = cycle_q;
    rvfi_o.rd_wdata     = (wb_rd_we_i && wb_retire_i) ? wb_wdata_i : '0;
    if (wb_q.mem_rmask != '0) rvfi_o.mem_rdata = wb_rdata_i & size_mask_q;
    if (wb_fault_i) begin
      rvfi_o.trap      = 1'b1;
      rvfi_o.cause     = trap_cause;
      rvfi_o.rd_addr   = '0;
      rvfi_o.pc_wdata  = trap_target_i;
      rvfi_o.mem_rmask = '0;
      rvfi_o.mem_wmask = '0;
      rvfi_o.mem_rdata = '0;
      rvfi_o.mem_wdata = '0;
    end
  end

  logic unused;
  assign unused = ^trap_i.tval;

  assign irq_event_o = '{
    valid: trap_i.valid && trap_i.irq,
    id:    12'(trap_i.code),
    level: '0,
    epc:   trap_i.epc
  };

endmodule
