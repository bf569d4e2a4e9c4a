// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The CLIC's registers and their bus port. Register map: regs/clic.rdl. With `UserIrq` the address bit above the window
// chooses user mode's view: sources of machine mode read zero and ignore writes there, modes cannot be written, and the
// configuration is unlbits alone.
//
// Bus: granted at once, answered in the next cycle, never an error, any byte enables. A read shows the state in the
// cycle of its grant, a write changes it at the end of that cycle. With `WritesAlone` nothing is granted in the cycle after
// a write.
//
// The sources stand in blocks (`tz_clic_block`), and within a block in pairs. A write reads the pair, replaces the bytes
// that it enables and writes all of it.
module tz_clic_regs
  import clic_reg_pkg::*;
#(
  parameter int unsigned NumSources  = 64,
  parameter int unsigned CtlBits     = 8,
  parameter bit          UserIrq     = 0,   // sources may be user mode's
  parameter bit          WritesAlone = 0,   // nothing is granted in the cycle after a write
  localparam int unsigned IndexWidth = (NumSources > 1) ? $clog2(NumSources) : 1,
  localparam int unsigned NumPairs   = (NumSources + 1) / 2
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,

  input  obi_pkg::obi_req_t                  req_i,
  output obi_pkg::obi_rsp_t                  rsp_o,

  input  logic [NumSources-1:0]              ip_i,           // for reads
  output logic [NumSources-1:0]              ip_write_o,     // software writes ip
  output logic                               ip_wdata_o,

  output logic                               write_source_o, // a write to a source is granted in this cycle
  output logic [IndexWidth-1:0]              write_id_o,     // that source
  output logic                               write_keeps_o,  // if it was pending and enabled, the write leaves it so
  output logic                               write_shv_o,    // shv, mode bit and ctl as the write leaves them
  output logic                               write_user_o,
  output logic [CtlBits-1:0]                 write_ctl_o,
  output logic [3:0]                         mnlbits_next_o, // mnlbits of the next cycle, 0 to 8
  output logic [3:0]                         unlbits_next_o, // unlbits of the next cycle, 0 to 8
  output logic                               modes_o,        // nmbits: 1: user_o counts; 0: all are machine mode's
  output logic                               modes_next_o,   // nmbits of the next cycle
  output logic [NumSources-1:0]              user_o,         // the source is user mode's: mode bit as software wrote it
  output logic [NumSources-1:0]              ie_o,
  output logic [NumSources-1:0]              shv_o,
  output logic [NumSources-1:0]              edge_o,
  output logic [NumSources-1:0]              negative_o,
  output logic [NumSources-1:0][CtlBits-1:0] ctl_o,
  output logic [NumPairs-1:0]                odd_first_o     // if both are pending and enabled, 2j+1 goes before 2j
);

  // 16 sources in a block: its eight pairs are what two levels of gates multiplex, so that few words are left to
  // combine outside the blocks.
  localparam int unsigned BlockBits = 4;
  localparam int unsigned BlockSources = 1 << BlockBits;
  localparam int unsigned BlockPairs = BlockSources / 2;
  localparam int unsigned NumBlocks = (NumSources + BlockSources - 1) / BlockSources;
  localparam int unsigned WordWidth = AddrWidth - 2;

  // Byte lanes inside a source's word
  localparam int unsigned LaneIp = int'(IrqIpOffset[1:0]);
  localparam int unsigned LaneIe = int'(IrqIeOffset[1:0]);
  localparam int unsigned LaneAttr = int'(IrqAttrOffset[1:0]);
  localparam int unsigned LaneCtl = int'(IrqCtlOffset[1:0]);

  if ({IrqIeReset.ie, IrqAttrReset.trig, IrqAttrReset.shv, IrqCtlReset.ctl} != '0) begin : gen_bad_reset
    $error("tz_clic_regs: sources are reset to zeros");
  end

  // What software configures of a source
  typedef struct packed {
    logic               ie;
    logic               shv;
    logic               is_edge;
    logic               negative;
    logic               user;
    logic [CtlBits-1:0] ctl;
  } source_t;

  logic [WordWidth-1:0]  word, offset;
  logic [IndexWidth-1:0] index;
  logic                  is_source, is_config, gnt, write, write_config, odd, view;
  assign word      = req_i.addr[AddrWidth-1:2];
  assign offset    = word - IrqIpOffset[AddrWidth-1:2];
  assign index     = offset[IndexWidth-1:0];
  assign view      = UserIrq && req_i.addr[AddrWidth];
  assign odd       = (NumSources > 1) && index[0];
  assign is_source = offset < WordWidth'(NumSources);  // words below the first source wrap to large offsets
  assign is_config = word == McliccfgOffset[AddrWidth-1:2];
  assign write     = req_i.req && req_i.we && gnt;

  if (WritesAlone) begin : gen_alone
    logic write_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        write_q <= 1'b0;
      end else begin
        write_q <= write;
      end
    end
    assign gnt = !write_q;
  end else begin : gen_at_once
    assign gnt = 1'b1;
  end

  assign write_config   = write && is_config;
  assign write_source_o = write && is_source;
  assign write_id_o     = index;

  // The pair that the address names: its block, and its place in the block
  source_t [NumSources-1:0]     state;
  source_t [NumBlocks-1:0][1:0] block_pair;
  logic [NumBlocks-1:0][1:0]    block_ip_pair;
  logic [NumBlocks-1:0]         block_enable;
  logic [BlockPairs-1:0]        pair_select;
  source_t [1:0]                pair, pair_d;
  logic [1:0]                   ip_pair, write_ip_pair;
  logic [1:0]                   odd_first_d;
  logic [NumPairs-1:0][1:0]     odd_first;
  logic                         user, modes_d, modes_q;
  logic [3:0]                   be;  // bytes of the source's word that are written
  assign block_enable = NumBlocks'(req_i.req) << (index >> BlockBits);
  assign pair_select  = BlockPairs'(1) << (BlockBits'(index) >> 1);

  for (genvar b = 0; b < int'(NumBlocks); b++) begin : gen_block
    localparam int unsigned First = b * BlockSources;
    localparam int unsigned Number = (NumSources - First < BlockSources) ? NumSources - First : BlockSources;
    tz_clic_block #(
      .NumSources(Number),
      .CtlBits   (CtlBits),
      .UserIrq   (UserIrq),
      .source_t  (source_t)
    ) u_block (
      .clk_i,
      .rst_ni,
      .enable_i   (block_enable[b]),
      .select_i   (pair_select[(Number+1)/2-1:0]),
      .pair_o     (block_pair[b]),
      .ip_pair_o  (block_ip_pair[b]),
      .write_i    (write_source_o),
      .pair_i     (pair_d),
      .odd_first_i(odd_first_d),
      .write_ip_i (write_ip_pair),
      .ip_i       (ip_i[First+:Number]),
      .write_ip_o (ip_write_o[First+:Number]),
      .source_o   (state[First+:Number]),
      .odd_first_o(odd_first[First/2+:(Number+1)/2])
    );
  end

  always_comb begin
    pair    = '0;
    ip_pair = '0;
    for (int unsigned b = 0; b < NumBlocks; b++) begin
      pair    |= block_pair[b];
      ip_pair |= block_ip_pair[b];
    end
    for (int unsigned i = 0; i < NumSources; i++) begin
      ie_o[i]       = state[i].ie;
      shv_o[i]      = state[i].shv;
      edge_o[i]     = state[i].is_edge;
      negative_o[i] = state[i].negative;
      ctl_o[i]      = state[i].ctl;
      user_o[i]     = state[i].user;
    end
    for (int unsigned j = 0; j < NumPairs; j++) odd_first_o[j] = odd_first[j][UserIrq && modes_q];
  end

  // Writes
  irq_ip_t   new_ip;
  irq_ie_t   new_ie;
  irq_attr_t new_attr;
  irq_ctl_t  new_ctl;
  mcliccfg_t new_config;
  source_t   source, source_d;
  assign new_ip     = req_i.wdata[8*LaneIp+:8];
  assign new_ie     = req_i.wdata[8*LaneIe+:8];
  assign new_attr   = req_i.wdata[8*LaneAttr+:8];
  assign new_ctl    = req_i.wdata[8*LaneCtl+:8];
  assign new_config = req_i.wdata;
  assign source     = pair[odd];
  assign user       = modes_q && source.user;
  assign be         = req_i.be & {4{!view || user}};

  always_comb begin
    source_d = source;
    if (be[LaneIe]) source_d.ie = new_ie.ie;
    if (be[LaneAttr]) begin
      if (UserIrq && !view) source_d.user = !new_attr.mode[1];
      source_d.shv      = new_attr.shv;
      source_d.is_edge  = new_attr.trig[0];
      source_d.negative = new_attr.trig[1];
    end
    if (be[LaneCtl]) source_d.ctl = new_ctl.ctl[7-:CtlBits];
    pair_d      = odd ? {source_d, pair[0]} : {pair[1], source_d};
    odd_first_d = {{!pair_d[1].user, pair_d[1].ctl} >= {!pair_d[0].user, pair_d[0].ctl},
                   pair_d[1].ctl >= pair_d[0].ctl};
  end

  assign write_ip_pair = 2'(write_source_o && be[LaneIp]) << odd;
  assign ip_wdata_o    = new_ip.ip;

  // stays: a source that is pending stays so after the write.
  // - edge-triggered before and after: unless the write clears ip;
  // - turns edge-triggered: if the write sets ip;
  // - level-triggered before and after: if the polarity stays, since the wire does;
  // - turns level-triggered: counts as not pending for a cycle, because the wire is not looked at here.
  logic stays;
  always_comb begin
    unique case ({source.is_edge, source_d.is_edge})
      2'b11:   stays = !be[LaneIp] || new_ip.ip;
      2'b01:   stays = be[LaneIp] && new_ip.ip;
      2'b00:   stays = source_d.negative == source.negative;
      default: stays = 1'b0;
    endcase
  end
  assign write_keeps_o = source_d.ie && stays;
  assign write_shv_o   = source_d.shv;
  assign write_user_o  = source_d.user;
  assign write_ctl_o   = source_d.ctl;

  logic [3:0] mnlbits_d, mnlbits_q;
  always_comb begin
    mnlbits_d = mnlbits_q;
    if (write_config && !view && req_i.be[0]) mnlbits_d = new_config.mnlbits[3] ? 4'd8 : new_config.mnlbits;
  end
  assign mnlbits_next_o = mnlbits_d;

  logic [3:0] unlbits_d, unlbits_q;
  if (UserIrq) begin : gen_user
    always_comb begin
      unlbits_d = unlbits_q;
      modes_d   = modes_q;
      if (write_config && req_i.be[3]) unlbits_d = new_config.unlbits[3] ? 4'd8 : new_config.unlbits;
      if (write_config && !view && req_i.be[0]) modes_d = new_config.nmbits[0];
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        unlbits_q <= McliccfgReset.unlbits;
        modes_q   <= McliccfgReset.nmbits[0];
      end else begin
        unlbits_q <= unlbits_d;
        modes_q   <= modes_d;
      end
    end
  end else begin : gen_no_user
    assign {unlbits_d, unlbits_q, modes_d, modes_q} = '0;
  end
  assign unlbits_next_o = unlbits_d;
  assign modes_o        = modes_q;
  assign modes_next_o   = modes_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mnlbits_q <= McliccfgReset.mnlbits;
    end else begin
      mnlbits_q <= mnlbits_d;
    end
  end

  // Reads
  irq_attr_t   attr;
  mcliccfg_t   config_word;
  logic [31:0] source_word, rdata_d, rdata_q;
  logic        rvalid_q;

  always_comb begin
    attr      = '0;
    attr.mode = user ? '0 : IrqAttrReset.mode;
    attr.trig = {source.negative, source.is_edge};
    attr.shv  = source.shv;

    source_word = '0;
    source_word[8*LaneIp+:8]   = {7'b0, ip_pair[odd]};
    source_word[8*LaneIe+:8]   = {7'b0, source.ie};
    source_word[8*LaneAttr+:8] = attr;
    source_word[8*LaneCtl+:8]  = 8'({source.ctl, 8'hff} >> CtlBits);

    config_word         = '0;
    config_word.unlbits = unlbits_q;
    if (!view) begin
      config_word.nmbits  = {1'b0, modes_q};
      config_word.mnlbits = mnlbits_q;
    end

    rdata_d = '0;
    if (is_source && (!view || user)) rdata_d = source_word;
    if (is_config) rdata_d = config_word;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rvalid_q <= 1'b0;
      rdata_q  <= '0;
    end else begin
      rvalid_q <= req_i.req && gnt;
      if (req_i.req) rdata_q <= rdata_d;
    end
  end

  assign rsp_o = '{exokay: 1'b0, gnt: gnt, rvalid: rvalid_q, err: 1'b0, rdata: rdata_q};

  logic unused;
  assign unused = ^{req_i.prv, req_i.mid, req_i.atop, req_i.addr[31:AddrWidth], req_i.addr[1:0], pair_select};
  logic unused_reserved;
  assign unused_reserved = ^{new_ip, new_ie, new_attr, new_ctl, new_config};

endmodule
