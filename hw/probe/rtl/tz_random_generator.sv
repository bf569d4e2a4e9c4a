// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A device that answers an interrupt with a block of pseudo-random words, as a sensor or a key generator would. A rise
// of `irq_i` starts a block: the device fills its FIFO, and raises `irq_o` exactly `Cycles` clocks after the start.
// `irq_o` stays high until the last word has been read or the block is acknowledged. Registers: regs/random.rdl.
//
//   cycle   t         t + 1 .. t + Words    t + Cycles
//           irq_i     one word each         irq_o
//
// Words are those of xorshift32 (Marsaglia, Xorshift RNGs, 2003; shifts 13, 17, 5).
module tz_random_generator
  import random_reg_pkg::*;
#(
  parameter int unsigned Words  = 16,  // words of a block, 1 to 1024
  parameter int unsigned Cycles = 32   // clocks from irq_i to irq_o: more than Words, at most 65535
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                irq_i,       // start; synchronous to clk_i
  output logic                irq_o,       // data ready
  output logic                read_done_o, // the read of the last word completes on the bus in this cycle
  output logic                active_o,    // a block is being made

  input  axil_pkg::axil_req_t req_i,
  output axil_pkg::axil_rsp_t rsp_o
);

  localparam int unsigned Depth = (Words > 2) ? 2 ** $clog2(Words) : 2;
  localparam int unsigned CountW = $clog2(Depth) + 1;
  localparam int unsigned CycleW = 16;

  if (Words < 1 || Words > 1024) begin : gen_bad_words
    $error("tz_random_generator: Words must be 1 to 1024");
  end
  if (Cycles <= Words || Cycles >= 2 ** CycleW) begin : gen_bad_cycles
    $error("tz_random_generator: Cycles must be more than Words, at most 65535");
  end

  // ------------------------------------------------------------------ bus
  logic                 write, read, pop;
  logic [AddrWidth-3:0] waddr, raddr;  // of words
  control_t             control, wcontrol;
  status_t              status;
  logic [31:0]          rdata_d, rdata_q;
  logic [1:0]           unused_begin;

  tz_axil_port u_port (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_o,
    .write_ready_i(1'b1),
    .write_begin_o(unused_begin[0]),
    .write_o      (write),
    .read_ready_i (1'b1),
    .read_begin_o (unused_begin[1]),
    .read_o       (read),
    .rdata_i      (rdata_q)
  );

  logic write_control, write_seed, start, ack;
  assign waddr         = req_i.awaddr[AddrWidth-1:2];
  assign raddr         = req_i.araddr[AddrWidth-1:2];
  assign wcontrol      = req_i.wdata;
  assign write_control = write && waddr == ControlOffset[AddrWidth-1:2];
  assign write_seed    = write && waddr == SeedOffset[AddrWidth-1:2];
  assign ack           = write_control && wcontrol.ack;
  assign pop           = read && raddr == DataOffset[AddrWidth-1:2];

  // ------------------------------------------------------------------ a block
  logic              irq_q, enable_q, busy_q, ready_q, overrun_q, make_q;
  logic [CycleW-1:0] cycle_q;  // clocks since the start
  logic [31:0]       state_q, x1, x2, x3;
  logic              valid, last_pop, last_q, unused_ready;
  logic [31:0]       word;
  logic [CountW-1:0] count;

  assign x1 = state_q ^ (state_q << 13);
  assign x2 = x1 ^ (x1 >> 17);
  assign x3 = x2 ^ (x2 << 5);

  assign start    = (irq_i && !irq_q && enable_q) || (write_control && wcontrol.start);
  assign last_pop = pop && ready_q && count == CountW'(1);

  always_ff @(posedge clk_i) irq_q <= irq_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enable_q  <= ControlReset.enable;
      busy_q    <= 1'b0;
      ready_q   <= 1'b0;
      overrun_q <= 1'b0;
      make_q    <= 1'b0;
      cycle_q   <= '0;
      state_q   <= SeedReset.state;
    end else begin
      if (write_control) enable_q <= wcontrol.enable;

      if (write_seed) state_q <= (req_i.wdata == '0) ? 32'd1 : req_i.wdata;
      else if (make_q) state_q <= x3;

      if (ack) begin
        busy_q    <= 1'b0;
        ready_q   <= 1'b0;
        overrun_q <= 1'b0;
        make_q    <= 1'b0;
      end else begin
        if (busy_q) begin
          cycle_q <= cycle_q + 1'b1;
          if (cycle_q == CycleW'(Words)) make_q <= 1'b0;
          if (cycle_q == CycleW'(Cycles - 1)) begin
            busy_q  <= 1'b0;
            ready_q <= 1'b1;
          end
        end
        if (last_pop) ready_q <= 1'b0;
        if (start && (busy_q || ready_q)) overrun_q <= 1'b1;
        if (start && !busy_q && !ready_q) begin
          busy_q  <= 1'b1;
          make_q  <= 1'b1;
          cycle_q <= CycleW'(1);
        end
      end
    end
  end

  // A read before the block is ready takes no word: else the read of the last word could not be told (read_done_o).
  tz_fifo #(
    .Width(32),
    .Depth(Depth)
  ) u_fifo (
    .clk_i,
    .rst_ni,
    .clear_i(ack),
    .valid_i(make_q),
    .data_i (x3),
    .ready_o(unused_ready),
    .valid_o(valid),
    .data_o (word),
    .ready_i(pop && ready_q),
    .count_o(count)
  );

  assign irq_o    = ready_q;
  assign active_o = busy_q;

  // ------------------------------------------------------------------ reads
  always_comb begin
    control        = '0;
    control.enable = enable_q;
    status         = '0;
    status.ready   = ready_q;
    status.busy    = busy_q;
    status.overrun = overrun_q;
    status.words   = ready_q ? 16'(count) : '0;
    unique case (raddr)
      DataOffset[AddrWidth-1:2]:    rdata_d = (valid && ready_q) ? word : '0;
      StatusOffset[AddrWidth-1:2]:  rdata_d = status;
      ControlOffset[AddrWidth-1:2]: rdata_d = control;
      SeedOffset[AddrWidth-1:2]:    rdata_d = state_q;
      default:                      rdata_d = '0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rdata_q <= '0;
      last_q  <= 1'b0;
    end else if (read) begin
      rdata_q <= rdata_d;
      last_q  <= last_pop;
    end
  end

  assign read_done_o = last_q && rsp_o.rvalid && req_i.rready;

  logic unused;
  assign unused = ^{req_i, wcontrol};

endmodule
