// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Physical memory protection: the registers pmpcfg, pmpaddr and mseccfg, and what they say, decoded once for all ports
// of the core (tz_pmp). Privileged Architecture 20211203, 3.7.1; with `Smepmp` the extension of that name, 1.0.
//
//   CSR instruction ──> WARL rules, locks ──> registers ──> rows: where each lies, what it allows to which mode
//
// A row is a pair of registers: pmpaddr, and one byte of pmpcfg. The CSRs of all 16 rows exist; those of rows that are
// not built read zero and ignore writes. A write is in force from the next cycle on. The pipeline takes care that
// nothing that was judged by the old rows is used after it (tz_pmp_ports, `written_i`).
//
// Rows are decoded here and not at the ports. The registers do not change while an address is computed, so the decoding
// takes no time then: a port only masks and compares. The permissions are decoded for each mode, so that a port needs
// to know nothing of locks and mseccfg.
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
  output logic        exists_o,   // addr_i is a CSR of this module
  output logic [31:0] rdata_o,    // its value
  input  logic        write_i,    // a CSR instruction writes that CSR in this cycle
  input  logic [31:0] wdata_i,

  output pmp_t        pmp_o
);

  typedef struct packed {
    logic lock;
    logic r;
    logic w;
    logic x;
  } rule_t;  // in the order of Smepmp's truth table
  typedef struct packed {
    rule_t      rule;
    logic [1:0] mode;  // field A: OFF, TOR, NA4, NAPOT
  } cfg_t;

  // Permissions {x, w, r}.
  typedef logic [2:0] access_t;
  typedef struct packed {
    access_t machine;
    access_t user;
  } may_t;
  localparam access_t None = 3'b000, R = 3'b001, RW = 3'b011, X = 3'b100, RX = 3'b101, RWX = 3'b111;

  // Smepmp, section 2.1, truth table of item 3: what a row allows while mseccfg.MML is set, by its rule {l, r, w, x}.
  localparam may_t [15:0] Lockdown = '{
    4'b0000: '{machine: None, user: None},
    4'b0001: '{machine: None, user: X},
    4'b0010: '{machine: RW,   user: R},     // shared data
    4'b0011: '{machine: RW,   user: RW},    // shared data
    4'b0100: '{machine: None, user: R},
    4'b0101: '{machine: None, user: RX},
    4'b0110: '{machine: None, user: RW},
    4'b0111: '{machine: None, user: RWX},
    4'b1000: '{machine: None, user: None},
    4'b1001: '{machine: X,    user: None},
    4'b1010: '{machine: X,    user: X},     // shared code
    4'b1011: '{machine: RX,   user: X},     // shared code
    4'b1100: '{machine: R,    user: None},
    4'b1101: '{machine: RX,   user: None},
    4'b1110: '{machine: RW,   user: None},
    4'b1111: '{machine: R,    user: R}      // shared data
  };

  // GrainBits: the bits of pmpaddr that have no effect because of the grain. NapotBits: those that are ones with NAPOT.
  localparam logic [31:0] GrainBits = 32'((64'd1 << Grain) - 64'd1);
  localparam logic [31:0] NapotBits = GrainBits >> 1;

  cfg_t [Regions-1:0]        cfg_d, cfg_q;
  logic [Regions-1:0][31:0]  addr_d, addr_q;
  logic                      mml_d, mml_q, mmwp_d, mmwp_q, rlb_d, rlb_q;

  // ---------------------------------------------------------------- read
  logic is_cfg, is_addr, is_sec;
  logic [3:0] number;  // with is_addr: the number of the row
  assign is_cfg  = (addr_i[11:2] == CsrPmpcfg0[11:2]);
  assign is_addr = (addr_i[11:4] == CsrPmpaddr0[11:4]);
  assign is_sec  = Smepmp && (addr_i == CsrMseccfg);
  assign number  = addr_i[3:0];
  assign exists_o = is_cfg || is_addr || is_sec || (Smepmp && addr_i == CsrMseccfgh);

  // A read of pmpaddr shows ones (NA4, NAPOT) or zeros (OFF, TOR) in the bits without effect. The flip-flops keep what
  // was written there, and a later change of the mode shows it.
  logic [Regions-1:0][31:0] addr_read;
  for (genvar i = 0; i < Regions; i++) begin : gen_read
    assign addr_read[i] = cfg_q[i].mode[1] ? addr_q[i] | NapotBits : addr_q[i] & ~GrainBits;
  end

  always_comb begin
    rdata_o = '0;
    for (int unsigned i = 0; i < Regions; i++) begin
      if (is_cfg && addr_i[1:0] == 2'(i / 4)) begin
        rdata_o[8*(i%4)+:8] = pmpcfg_t'{l: cfg_q[i].rule.lock, a: cfg_q[i].mode, x: cfg_q[i].rule.x,
                                        w: cfg_q[i].rule.w, r: cfg_q[i].rule.r, default: '0};
      end
      if (is_addr && number == 4'(i)) rdata_o = addr_read[i];
    end
    if (is_sec) rdata_o = csr_mseccfg_t'{rlb: rlb_q, mmwp: mmwp_q, mml: mml_q, default: '0};
  end

  // ---------------------------------------------------------------- write
  // A locked row cannot be changed. If it is a TOR row, pmpaddr of the row before, where it begins, cannot be changed
  // either. mseccfg.RLB lifts both.
  logic [Regions-1:0] locked, fixed;
  logic               any_lock;
  always_comb begin
    any_lock = 1'b0;
    for (int unsigned i = 0; i < Regions; i++) begin
      any_lock  = any_lock || cfg_q[i].rule.lock;
      locked[i] = cfg_q[i].rule.lock && !rlb_q;
    end
    for (int unsigned i = 0; i < Regions; i++) begin
      fixed[i] = locked[i] || (i + 1 < Regions && locked[(i+1)%Regions] && cfg_q[(i+1)%Regions].mode == PmpcfgATor);
    end
  end

  // What is written, as rows of pmpcfg and as mseccfg.
  pmpcfg_t [3:0] written;
  csr_mseccfg_t  policy;
  logic          unused;
  assign written = wdata_i;
  assign policy  = csr_mseccfg_t'(wdata_i);
  assign unused  = ^{written, policy};

  always_comb begin
    cfg_d  = cfg_q;
    addr_d = addr_q;
    for (int unsigned i = 0; i < Regions; i++) begin
      cfg_t asked;
      asked = '{rule: '{lock: written[i%4].l, x: written[i%4].x, w: written[i%4].w, r: written[i%4].r},
                mode: written[i%4].a};
      if (!asked.rule.r && !mml_q) asked.rule.w = 1'b0;                         // reserved
      if (Grain > 0 && asked.mode == PmpcfgANa4) asked.mode = PmpcfgAOff;   // a region of 4 bytes is below the grain
      // Smepmp 2.1, 4.b: once MML is set, no rule can be added that lets machine mode execute.
      if (write_i && is_cfg && addr_i[1:0] == 2'(i / 4) && !locked[i] &&
          !(mml_q && !rlb_q && Lockdown[asked.rule].machine[2])) begin
        cfg_d[i] = asked;
      end
      if (write_i && is_addr && number == 4'(i) && !fixed[i]) addr_d[i] = wdata_i;
    end
  end

  // MML and MMWP stay set until reset. RLB cannot be set while a row is locked: else locks would protect nothing.
  always_comb begin
    {mml_d, mmwp_d, rlb_d} = {mml_q, mmwp_q, rlb_q};
    if (write_i && is_sec) begin
      mml_d  = mml_q || policy.mml;
      mmwp_d = mmwp_q || policy.mmwp;
      rlb_d  = policy.rlb && (rlb_q || !any_lock);
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
    logic unused_sec;
    assign unused_sec = ^{mml_d, mmwp_d, rlb_d};
  end

  // ---------------------------------------------------------------- what the rows say
  function automatic may_t may(rule_t c, logic mml);
    if (mml) return Lockdown[c];
    return '{machine: c.lock ? {c.x, c.w, c.r} : RWX, user: {c.x, c.w, c.r}};
  endfunction

  // NAPOT: the bits of a word's address that must agree with pmpaddr, those above its trailing ones and the zero that
  // ends them.
  function automatic logic [31:0] counting(logic [31:0] napot);
    logic [31:0] ones;
    ones = napot ^ (napot + 32'd1);
    return ~ones;
  endfunction

  always_comb begin
    pmp_o = '0;
    for (int unsigned i = 0; i < Regions; i++) begin
      logic [31:0] upper, care;
      may_t        gives;
      upper = addr_q[i] & ~GrainBits;
      care  = (cfg_q[i].mode == PmpcfgANa4) ? 32'hffff_ffff : counting(addr_q[i] | NapotBits);
      pmp_o.rows[i].tor     = (cfg_q[i].mode == PmpcfgATor);
      // pmpaddr has addresses of 34 bits, accesses have 32. A NAPOT region above 32 bits matches nothing.
      pmp_o.rows[i].block   = cfg_q[i].mode[1] && ((addr_q[i][31:30] & care[31:30]) == '0);
      pmp_o.rows[i].above   = (upper[31:30] != '0);
      pmp_o.rows[i].upper   = upper[29:0];
      pmp_o.rows[i].base    = addr_q[i][29:0];
      pmp_o.rows[i].care    = care[29:0];
      gives                 = may(cfg_q[i].rule, mml_q);
      pmp_o.rows[i].machine = gives.machine;
      pmp_o.rows[i].user    = gives.user;
    end
    pmp_o.machine_else = mmwp_q ? None : {!mml_q, 2'b11};
  end

endmodule
