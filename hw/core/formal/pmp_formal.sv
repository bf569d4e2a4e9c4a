// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof that memory protection decides as the specification says. The specification is written here in another form:
// byte by byte in the space of 34 bits, row by row, from the registers as software reads them.
//
//   CSR instructions ──> tz_pmp_csr ──> rows ──> tz_pmp ──> allowed?
//                            └─ registers ─────> specification: allowed?
//
// Registers have any value: there is no state that a proof would have to begin from.
module pmp_formal
  import isa_pkg::*;
  import tz_core_pkg::*;
#(
  parameter int unsigned Regions = 4,
  parameter bit          Smepmp  = 1'b1,
  parameter bit          Two     = 1'b1
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [11:0] csr_addr_i,
  input logic        csr_write_i,
  input logic [31:0] csr_wdata_i,

  input logic        user_i,
  input logic [2:0]  kind_i,   // {executes, writes, reads}
  input logic [31:0] addr_i,   // first byte
  input logic [2:0]  size_i    // bytes: 1, 2 or 4
);

  logic        exists;
  logic [31:0] rdata;
  pmp_t        pmp;
  tz_pmp_csr #(
    .Regions(Regions),
    .Grain  (0),
    .Smepmp (Smepmp)
  ) u_csr (
    .clk_i,
    .rst_ni,
    .addr_i  (csr_addr_i),
    .exists_o(exists),
    .rdata_o (rdata),
    .write_i (csr_write_i),
    .wdata_i (csr_wdata_i),
    .pmp_o   (pmp)
  );

  logic [1:0] prv;
  logic [2:0] size;
  logic       reaches, allowed;
  logic [31:0] last, next;
  assign prv     = user_i ? 2'b00 : 2'b11;
  assign size    = Two ? ((size_i == 3'd1 || size_i == 3'd2) ? size_i : 3'd4) : 3'd1;
  assign last    = addr_i + 32'(size) - 32'd1;
  assign next    = addr_i + 32'd4;
  assign reaches = Two && (last[31:2] != addr_i[31:2]);
  tz_pmp #(
    .Regions(Regions),
    .Two    (Two)
  ) u_pmp (
    .pmp_i      (pmp),
    .prv_i      (prv),
    .kind_i,
    .word_i     (addr_i[31:2]),
    .next_i     (reaches),
    .next_word_i(next[31:2]),
    .allowed_o  (allowed)
  );

  // ---------------------------------------------------------------- the specification
  // pmpcfg of a row as software reads it; a byte address of 34 bits.
  pmpcfg_t [Regions-1:0]    cfg;
  logic [Regions-1:0][33:0] low, high;   // first byte and last byte of a row
  logic [Regions-1:0]       some;        // the row has at least one byte
  for (genvar i = 0; i < Regions; i++) begin : gen_row
    logic [31:0] pa, below;
    logic [33:0] size_less_one;
    assign cfg[i] = '{l: u_csr.cfg_q[i].rule.lock, a: u_csr.cfg_q[i].mode, x: u_csr.cfg_q[i].rule.x,
                      w: u_csr.cfg_q[i].rule.w, r: u_csr.cfg_q[i].rule.r, default: '0};
    assign pa     = u_csr.addr_q[i];
    if (i == 0) begin : gen_first
      assign below = '0;
    end else begin : gen_other
      assign below = u_csr.addr_q[i-1];
    end
    // Table 3.11: yyyy...01...1 with n ones is a region of 2^(n+3) bytes.
    always_comb begin
      logic ones;
      size_less_one = 34'd7;
      ones          = 1'b1;
      for (int unsigned n = 0; n < 31; n++) begin
        ones = ones && pa[n];
        if (ones) size_less_one[n+3] = 1'b1;
      end
    end
    logic [33:0] base;
    assign base = {pa, 2'b00};
    always_comb begin
      unique case (cfg[i].a)
        PmpcfgATor: begin
          low[i]  = {below, 2'b00};
          high[i] = base - 34'd1;
          some[i] = below < pa;
        end
        PmpcfgANa4: begin
          low[i]  = base;
          high[i] = base + 34'd3;
          some[i] = 1'b1;
        end
        PmpcfgANapot: begin
          low[i]  = base & ~size_less_one;
          high[i] = (pa == '1) ? '1 : base | size_less_one;
          if (pa == '1) low[i] = '0;
          some[i] = 1'b1;
        end
        default: begin
          low[i]  = '0;
          high[i] = '0;
          some[i] = 1'b0;
        end
      endcase
    end
  end

  // Smepmp 2.1, truth table of MML = 1, line by line. The line's number is {L, R, W, X}; its value is what machine mode
  // and user mode may do, each as {x, w, r}.
  localparam logic [15:0][5:0] Lockdown = '{
    0: {3'b000, 3'b000},
    1: {3'b000, 3'b100},
    2: {3'b011, 3'b001},
    3: {3'b011, 3'b011},
    4: {3'b000, 3'b001},
    5: {3'b000, 3'b101},
    6: {3'b000, 3'b011},
    7: {3'b000, 3'b111},
    8: {3'b000, 3'b000},
    9: {3'b100, 3'b000},
    10: {3'b100, 3'b100},
    11: {3'b101, 3'b100},
    12: {3'b001, 3'b000},
    13: {3'b101, 3'b000},
    14: {3'b011, 3'b000},
    15: {3'b001, 3'b001}
  };

  // Whether a byte of the access is in a row. It is enough to look at the first byte and the last byte, except if the
  // access wraps around at address zero.
  function automatic logic holds(logic [33:0] from, logic [33:0] to, logic any, logic [31:0] byte_addr);
    return any && from <= {2'b00, byte_addr} && {2'b00, byte_addr} <= to;
  endfunction

  // The match of each row with the bytes, by the specification; and by the design, which must be equal (Any_A, All_A).
  // The decision is specified from the design's match, so that a solver need not see through both at once.
  logic [Regions-1:0] any, all;
  for (genvar i = 0; i < Regions; i++) begin : gen_says
    logic any_byte, all_bytes;
    always_comb begin
      any_byte  = 1'b0;
      all_bytes = 1'b1;
      for (int unsigned b = 0; b < 4; b++) begin
        if (b < 32'(size)) begin
          any_byte  = any_byte || holds(low[i], high[i], some[i], addr_i + b);
          all_bytes = all_bytes && holds(low[i], high[i], some[i], addr_i + b);
        end
      end
    end
    assign any[i] = u_pmp.hit[Regions+i];
    assign all[i] = u_pmp.here[i] && (!reaches || u_pmp.there[i]);
    Any_A: assert property (@(posedge clk_i) any[i] == any_byte);
    All_A: assert property (@(posedge clk_i) all[i] == all_bytes);
  end

  logic decided, right, mml, mmwp;
  assign mml  = Smepmp && u_csr.mml_q;
  assign mmwp = Smepmp && u_csr.mmwp_q;
  always_comb begin
    decided = 1'b0;
    right   = 1'b0;
    for (int unsigned i = 0; i < Regions; i++) begin
      logic [5:0] table_row;
      logic [2:0] may;
      table_row = Lockdown[{cfg[i].l, cfg[i].r, cfg[i].w, cfg[i].x}];
      if (mml) may = user_i ? table_row[2:0] : table_row[5:3];
      else     may = (user_i || cfg[i].l) ? {cfg[i].x, cfg[i].w, cfg[i].r} : 3'b111;
      if (!decided && any[i]) begin
        decided = 1'b1;
        right   = all[i] && (kind_i & ~may) == '0;
      end
    end
    if (!decided) right = !user_i && !mmwp && !(mml && kind_i[2]);
  end

  // Kinds of access that exist: a fetch, a load, a store, an AMO.
  logic a_kind;
  assign a_kind = kind_i inside {3'b100, 3'b001, 3'b010, 3'b011};
  Decision_A: assert property (@(posedge clk_i) !a_kind || allowed == right);
  Allowed_C: cover property (@(posedge clk_i) a_kind && allowed && decided);
  Refused_C: cover property (@(posedge clk_i) a_kind && !allowed && decided);

  logic unused;
  assign unused = ^{exists, rdata};

endmodule
