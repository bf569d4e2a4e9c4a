// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A bus manager that reads memory banks at random. So a program has to wait for the banks, as it would beside a DMA
// controller or another core. It only reads: a write would not keep a bank busy for longer. Registers: regs/stress.rdl.
//
// In each cycle an access begins with probability rate / 256. It reaches its bank in the next cycle (tz_bank_mux), and
// is granted at once. With rate 0 there are no accesses, and no flip-flop changes. Random numbers: xorshift32
// (Marsaglia, Xorshift RNGs, 2003; shifts 13, 17, 5).
module tz_stress_generator
  import stress_reg_pkg::*;
#(
  parameter int unsigned NumBanks = 3,  // banks of the register; Base and Size in the order of its bits
  parameter logic [NumBanks-1:0][31:0] Base = '0,  // first address, a multiple of the size
  parameter logic [NumBanks-1:0][31:0] Size = '0   // bytes, a power of two, to 2^26
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  axil_pkg::axil_req_t axil_req_i,  // registers
  output axil_pkg::axil_rsp_t axil_rsp_o,

  output logic                req_o,       // a read in this cycle; its response is ignored
  output logic [31:0]         addr_o,
  output logic                active_o     // an access is made, or may begin
);

  localparam int unsigned IdxW = (NumBanks > 1) ? $clog2(NumBanks) : 1;
  localparam int unsigned CountW = $clog2(NumBanks + 1);

  if (NumBanks < 1 || NumBanks > 3) begin : gen_bad_banks
    $error("tz_stress_generator: NumBanks must be 1 to 3, as the register has");
  end

  // ------------------------------------------------------------------ bus
  logic                 write, read, write_rate, write_seed, write_banks;
  logic [AddrWidth-3:0] waddr, raddr;  // of words
  logic [31:0]          rdata_q;
  rate_t                wrate;
  logic [1:0]           unused_begin;

  tz_axil_port u_port (
    .clk_i,
    .rst_ni,
    .req_i        (axil_req_i),
    .rsp_o        (axil_rsp_o),
    .write_ready_i(1'b1),
    .write_begin_o(unused_begin[0]),
    .write_o      (write),
    .read_ready_i (1'b1),
    .read_begin_o (unused_begin[1]),
    .read_o       (read),
    .rdata_i      (rdata_q)
  );

  assign waddr       = axil_req_i.awaddr[AddrWidth-1:2];
  assign raddr       = axil_req_i.araddr[AddrWidth-1:2];
  assign wrate       = axil_req_i.wdata;
  assign write_rate  = write && waddr == RateOffset[AddrWidth-1:2];
  assign write_seed  = write && waddr == SeedOffset[AddrWidth-1:2];
  assign write_banks = write && waddr == BanksOffset[AddrWidth-1:2];

  // ------------------------------------------------------------------ accesses
  logic [7:0]          rate_q;
  logic [NumBanks-1:0] banks_q;
  logic [31:0]         state_q, x1, x2, x3, accesses_q, addr_q, addr_d;
  logic                req_q, start;

  assign x1 = state_q ^ (state_q << 13);
  assign x2 = x1 ^ (x1 >> 17);
  assign x3 = x2 ^ (x2 << 5);

  // Chooses one of the enabled banks: skip = (number of enabled banks) * (eight random bits) / 256 of them are passed
  // over.
  logic [CountW-1:0] enabled, skip;
  logic [IdxW-1:0]   bank;
  assign skip = CountW'((16'(enabled) * 16'(state_q[15:8])) >> 8);

  always_comb begin
    enabled = '0;
    for (int unsigned b = 0; b < NumBanks; b++) enabled += CountW'(banks_q[b]);
  end

  always_comb begin
    logic [CountW-1:0] passed;
    passed = '0;
    bank   = '0;
    for (int unsigned b = 0; b < NumBanks; b++) begin
      if (banks_q[b] && passed == skip) bank = IdxW'(b);
      passed += CountW'(banks_q[b]);
    end
  end

  assign addr_d = Base[bank] | (32'({state_q[31:8], 2'b00}) & (Size[bank] - 32'd1));
  assign start  = state_q[7:0] < rate_q && banks_q != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rate_q     <= RateReset.chance;
      banks_q    <= NumBanks'(BanksReset);
      state_q    <= SeedReset.state;
      accesses_q <= AccessesReset.count;
      req_q      <= 1'b0;
      addr_q     <= '0;
    end else begin
      if (write_rate) rate_q <= wrate.chance;
      if (write_banks) banks_q <= axil_req_i.wdata[NumBanks-1:0];

      if (write_seed) state_q <= (axil_req_i.wdata == '0) ? 32'd1 : axil_req_i.wdata;
      else if (rate_q != '0) state_q <= x3;

      if (write_rate) accesses_q <= '0;
      else if (req_q) accesses_q <= accesses_q + 1'b1;

      req_q <= start;
      if (start) addr_q <= addr_d;
    end
  end

  assign req_o    = req_q;
  assign addr_o   = addr_q;
  assign active_o = rate_q != '0 || req_q;

  // ------------------------------------------------------------------ reads
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rdata_q <= '0;
    else if (read) begin
      unique case (raddr)
        RateOffset[AddrWidth-1:2]:     rdata_q <= 32'(rate_q);
        SeedOffset[AddrWidth-1:2]:     rdata_q <= state_q;
        BanksOffset[AddrWidth-1:2]:    rdata_q <= 32'(banks_q);
        AccessesOffset[AddrWidth-1:2]: rdata_q <= accesses_q;
        default:                       rdata_q <= '0;
      endcase
    end
  end

  logic unused;
  assign unused = ^{axil_req_i, wrate};

endmodule
