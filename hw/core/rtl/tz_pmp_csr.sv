// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Physical memory protection: the registers pmpcfg, pmpaddr and mseccfg, and what they say, decoded once for all ports of
// the core (tz_pmp). Privileged Architecture 20211203, 3.7.1; with `Smepmp` the extension of that name, 1.0.
//
//   CSR instruction ──> WARL rules, locks ──> registers ──> rows: where each lies, what it allows to which mode
//
// A row is a register pair: pmpaddr, and its byte of pmpcfg. The CSRs of all 16 rows exist; those of rows that are not
// built read zero and ignore what is written. A write holds from the next cycle on; that nothing judged by the old rows
// goes on being used is the pipeline's business (trapeze_core, `pmp_write`).
//
// Rows are decoded here, behind the registers, because these are still while an address is late: a port only masks and
// compares. The permissions come out of here as they hold for each mode, so that no port knows of locks or of mseccfg.
module tz_pmp_csr
  import isa_pkg::*;
  import tz_core_pkg::*;
#(
  parameter int unsigned Regions = 16,   // rows: 4, 8 or 16
  parameter int unsigned Grain   = 0,    // G of the specification: a region is 2^(G+2) bytes, or a multiple of it
  parameter bit          Smepmp  = 1'b0  // mseccfg
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [11:0] addr_i,     // CSR that the instruction in EX names
  output logic        exists_o,   // it is one of these ...
  output logic [31:0] rdata_o,    // ... and reads so
  input  logic        write_i,    // a CSR instruction writes it in this cycle
  input  logic [31:0] wdata_i,

  output pmp_t        pmp_o
);

  typedef struct packed {
    logic lock;
    logic x;
    logic w;
    logic r;
  } rule_t;
  typedef struct packed {
    rule_t      rule;
    logic [1:0] mode;  // A
  } cfg_t;

  localparam logic [1:0] ModeOff   = 2'd0;
  localparam logic [1:0] ModeTor   = 2'd1;
  localparam logic [1:0] ModeNa4   = 2'd2;

  // Bits of an address that a grain leaves without effect, and those that a NAPOT region cannot have as zeros.
  localparam logic [31:0] GrainBits = 32'((64'd1 << Grain) - 64'd1);
  localparam logic [31:0] NapotBits = GrainBits >> 1;

  cfg_t [Regions-1:0]        cfg_d, cfg_q;
  logic [Regions-1:0][31:0]  addr_d, addr_q;
  logic                      mml_d, mml_q, mmwp_d, mmwp_q, rlb_d, rlb_q;

  // ---------------------------------------------------------------- read
  logic is_cfg, is_addr, is_sec;
  logic [3:0] number;  // of the row, with is_addr
  assign is_cfg  = (addr_i[11:2] == CsrPmpcfg0[11:2]);
  assign is_addr = (addr_i[11:4] == CsrPmpaddr0[11:4]);
  assign is_sec  = Smepmp && (addr_i == CsrMseccfg);
  assign number  = addr_i[3:0];
  assign exists_o = is_cfg || is_addr || is_sec || (Smepmp && addr_i == CsrMseccfgh);

  // Ones and zeros that a mode shows where the grain leaves no choice; what is stored stays.
  logic [Regions-1:0][31:0] addr_read;
  for (genvar i = 0; i < Regions; i++) begin : gen_read
    assign addr_read[i] = cfg_q[i].mode[1] ? addr_q[i] | NapotBits : addr_q[i] & ~GrainBits;
  end

  always_comb begin
    rdata_o = '0;
    for (int unsigned i = 0; i < Regions; i++) begin
      if (is_cfg && addr_i[1:0] == 2'(i / 4)) begin
        rdata_o[8*(i%4)+:8] = {cfg_q[i].rule.lock, 2'b00, cfg_q[i].mode, cfg_q[i].rule.x, cfg_q[i].rule.w,
                               cfg_q[i].rule.r};
      end
      if (is_addr && number == 4'(i)) rdata_o = addr_read[i];
    end
    if (is_sec) rdata_o = {29'b0, rlb_q, mmwp_q, mml_q};
  end

  // ---------------------------------------------------------------- write
  // A row that is locked cannot be changed, nor can the address at which it begins (TOR), unless mseccfg.RLB says so.
  logic [Regions-1:0] locked, fixed;
  logic               any_lock;
  always_comb begin
    any_lock = 1'b0;
    for (int unsigned i = 0; i < Regions; i++) begin
      any_lock  = any_lock || cfg_q[i].rule.lock;
      locked[i] = cfg_q[i].rule.lock && !rlb_q;
    end
    for (int unsigned i = 0; i < Regions; i++) begin
      fixed[i] = locked[i] || (i + 1 < Regions && locked[(i+1)%Regions] && cfg_q[(i+1)%Regions].mode == ModeTor);
    end
  end

  // Smepmp 2.1, 4.b: no rule that lets machine mode execute is added once MML is set.
  function automatic logic machine_executes(rule_t c);
    return c.lock && ((!c.r && (c.w || c.x)) || (c.r && !c.w && c.x));
  endfunction

  always_comb begin
    cfg_d  = cfg_q;
    addr_d = addr_q;
    for (int unsigned i = 0; i < Regions; i++) begin
      int unsigned low;
      cfg_t        asked;
      low   = 8 * (i % 4);
      asked = '{rule: '{lock: wdata_i[low+7], x: wdata_i[low+2], w: wdata_i[low+1], r: wdata_i[low]},
                mode: wdata_i[low+3+:2]};
      if (!asked.rule.r && !mml_q) asked.rule.w = 1'b0;                         // reserved
      if (Grain > 0 && asked.mode == ModeNa4) asked.mode = ModeOff;   // a region of 4 bytes is below the grain
      if (write_i && is_cfg && addr_i[1:0] == 2'(i / 4) && !locked[i] &&
          !(mml_q && !rlb_q && machine_executes(asked.rule))) begin
        cfg_d[i] = asked;
      end
      if (write_i && is_addr && number == 4'(i) && !fixed[i]) addr_d[i] = wdata_i;
    end
  end

  // MML and MMWP stay until reset. RLB cannot be set where a row is locked, or nothing would be.
  always_comb begin
    {mml_d, mmwp_d, rlb_d} = {mml_q, mmwp_q, rlb_q};
    if (write_i && is_sec) begin
      mml_d  = mml_q || wdata_i[0];
      mmwp_d = mmwp_q || wdata_i[1];
      rlb_d  = wdata_i[2] && (rlb_q || !any_lock);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cfg_q  <= '0;
      addr_q <= '0;
    end else begin
      cfg_q  <= cfg_d;
      addr_q <= addr_d;
    end
  end
  if (Smepmp) begin : gen_sec
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {mml_q, mmwp_q, rlb_q} <= '0;
      else {mml_q, mmwp_q, rlb_q} <= {mml_d, mmwp_d, rlb_d};
    end
  end else begin : gen_no_sec
    assign {mml_q, mmwp_q, rlb_q} = '0;
    logic unused;
    assign unused = ^{mml_d, mmwp_d, rlb_d};
  end

  // ---------------------------------------------------------------- what the rows say
  // Permissions as {x, w, r}. With MML the four bits of a row are a code (Smepmp, table of section 2.1, 3): locked rows
  // are machine mode's and the others user mode's, but for those that both share.
  function automatic logic [2:0] machine_may(rule_t c, logic mml);
    if (!mml) return c.lock ? {c.x, c.w, c.r} : 3'b111;
    if (!c.r && c.w) return c.lock ? {1'b1, 1'b0, c.x} : 3'b011;  // shared: code, or data
    if (!c.lock) return 3'b000;
    return (c.r && c.w && c.x) ? 3'b001 : {c.x, c.w, c.r};        // (all four: data that both may read)
  endfunction
  function automatic logic [2:0] user_may(rule_t c, logic mml);
    if (!mml) return {c.x, c.w, c.r};
    if (!c.r && c.w) return c.lock ? 3'b100 : {1'b0, c.x, 1'b1};
    if (!c.lock) return {c.x, c.w, c.r};
    return (c.r && c.w && c.x) ? 3'b001 : 3'b000;
  endfunction

  // Bits of a word address that count in a block: those above its trailing ones and the zero behind them.
  function automatic logic [31:0] counting(logic [31:0] napot);
    logic [31:0] ones;
    ones = napot ^ (napot + 32'd1);
    return ~ones;
  endfunction

  always_comb begin
    pmp_o = '0;
    for (int unsigned i = 0; i < Regions; i++) begin
      logic [31:0] upper, care;
      upper = addr_q[i] & ~GrainBits;
      care  = (cfg_q[i].mode == ModeNa4) ? 32'hffff_ffff : counting(addr_q[i] | NapotBits);
      pmp_o.rows[i].tor     = (cfg_q[i].mode == ModeTor);
      // No access is above 32 bits of address: a block that lies there matches nothing.
      pmp_o.rows[i].block   = cfg_q[i].mode[1] && ((addr_q[i][31:30] & care[31:30]) == '0);
      pmp_o.rows[i].above   = (upper[31:30] != '0);
      pmp_o.rows[i].upper   = upper[29:0];
      pmp_o.rows[i].base    = addr_q[i][29:0];
      pmp_o.rows[i].care    = care[29:0];
      pmp_o.rows[i].machine = machine_may(cfg_q[i].rule, mml_q);
      pmp_o.rows[i].user    = user_may(cfg_q[i].rule, mml_q);
    end
    pmp_o.machine_else = mmwp_q ? 3'b000 : {!mml_q, 2'b11};
  end

endmodule
