// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The CLIC's registers and their bus port. Register map: regs/clic.rdl.
//
// Bus: granted at once, answered in the next cycle, never an error, any byte enables. A read shows the state in the
// cycle of its grant, a write changes it at the end of that cycle.
//
// Area decides the form, since there may be thousands of sources. They stand in pairs. A write reads the pair, replaces
// the bytes that it enables and writes all of it: one write enable a pair, and no multiplexer in front of a flip-flop.
// With it goes one bit that says which of the two has the larger ctl, so that the search for the winner, which has to
// know in every cycle what only a write can change, begins without comparators. Nobody asks for ctl and shv of a source
// that is not enabled, so they are not reset; a pair that was never written reads as if they were.
module tz_clic_regs
  import clic_reg_pkg::*;
#(
  parameter int unsigned NumSources  = 64,
  parameter int unsigned CtlBits     = 8,
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

  output logic                               write_config_o, // a write to mcliccfg is granted
  output logic                               write_source_o, // a write to a source is granted,
  output logic [IndexWidth-1:0]              write_id_o,     // to this one
  output logic [3:0]                         mnlbits_o,      // 0 to 8
  output logic [NumSources-1:0]              ie_o,
  output logic [NumSources-1:0]              shv_o,
  output logic [NumSources-1:0]              edge_o,
  output logic [NumSources-1:0]              negative_o,
  output logic [NumSources-1:0][CtlBits-1:0] ctl_o,
  output logic [NumPairs-1:0]                odd_first_o     // ctl of source 2j+1 is not less than that of 2j
);

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
    logic [CtlBits-1:0] ctl;
  } source_t;

  logic [WordWidth-1:0]  word, offset;
  logic [IndexWidth-1:0] index;
  logic                  is_source, is_config, write, odd;
  assign word      = req_i.addr[AddrWidth-1:2];
  assign offset    = word - IrqIpOffset[AddrWidth-1:2];
  assign index     = offset[IndexWidth-1:0];
  assign odd       = (NumSources > 1) && index[0];
  assign is_source = offset < WordWidth'(NumSources);  // sources from the top of the window up wrap to large offsets
  assign is_config = word == McliccfgOffset[AddrWidth-1:2];
  assign write     = req_i.req && req_i.we;

  assign write_config_o = write && is_config;
  assign write_source_o = write && is_source;
  assign write_id_o     = index;

  // By pairs; of an odd number of sources the last one's partner is constant
  localparam logic [NumPairs-1:0][1:0] Exists = (2 * NumPairs)'({NumSources{1'b1}});
  logic [NumPairs-1:0][1:0]              ip, ie_q, shv_q, edge_q, negative_q;
  logic [NumPairs-1:0][1:0][CtlBits-1:0] ctl_q;
  logic [NumPairs-1:0]                   written_q, odd_first_q;
  assign ip = (2 * NumPairs)'(ip_i);

  // The pair of the address
  logic [NumPairs-1:0] select;
  source_t [1:0]       pair, pair_d;
  logic [1:0]          ip_pair;
  assign select = NumPairs'(1) << (index >> 1);

  always_comb begin
    pair    = '0;
    ip_pair = '0;
    if (req_i.req) begin
      for (int unsigned j = 0; j < NumPairs; j++) begin
        ip_pair |= ip[j] & {2{select[j]}};
        for (int unsigned k = 0; k < 2; k++) begin
          pair[k].ie       |= ie_q[j][k] && select[j];
          pair[k].shv      |= shv_q[j][k] && select[j] && written_q[j];
          pair[k].is_edge  |= edge_q[j][k] && select[j];
          pair[k].negative |= negative_q[j][k] && select[j];
          pair[k].ctl      |= ctl_q[j][k] & {CtlBits{select[j] && written_q[j]}};
        end
      end
    end
  end

  // Writes
  irq_ip_t   new_ip;
  irq_ie_t   new_ie;
  irq_attr_t new_attr;
  irq_ctl_t  new_ctl;
  mcliccfg_t new_config;
  source_t   source, source_d;
  logic      odd_first_d;
  assign new_ip     = req_i.wdata[8*LaneIp+:8];
  assign new_ie     = req_i.wdata[8*LaneIe+:8];
  assign new_attr   = req_i.wdata[8*LaneAttr+:8];
  assign new_ctl    = req_i.wdata[8*LaneCtl+:8];
  assign new_config = req_i.wdata;
  assign source     = pair[odd];

  always_comb begin
    source_d = source;
    if (req_i.be[LaneIe]) source_d.ie = new_ie.ie;
    if (req_i.be[LaneAttr]) begin
      source_d.shv      = new_attr.shv;
      source_d.is_edge  = new_attr.trig[0];
      source_d.negative = new_attr.trig[1];
    end
    if (req_i.be[LaneCtl]) source_d.ctl = new_ctl.ctl[7-:CtlBits];
    pair_d      = odd ? {source_d, pair[0]} : {pair[1], source_d};
    odd_first_d = pair_d[1].ctl >= pair_d[0].ctl;
  end

  logic [NumPairs-1:0]      write_pair;
  logic [NumPairs-1:0][1:0] write_ip;
  logic [1:0]               write_ip_pair;
  assign write_pair    = select & {NumPairs{write_source_o}};
  assign write_ip_pair = 2'(write_source_o && req_i.be[LaneIp]) << odd;
  always_comb begin
    for (int unsigned j = 0; j < NumPairs; j++) write_ip[j] = write_ip_pair & {2{select[j]}};
  end
  assign ip_write_o = NumSources'(write_ip);
  assign ip_wdata_o = new_ip.ip;

  // No `if` inside the loops: tools that unroll them would nest 2048 of them.
  logic [3:0] mnlbits_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mnlbits_q  <= McliccfgReset.mnlbits;
      ie_q       <= '0;
      edge_q     <= '0;
      negative_q <= '0;
      written_q  <= '0;
    end else begin
      if (write_config_o && req_i.be[0]) mnlbits_q <= new_config.mnlbits[3] ? 4'd8 : new_config.mnlbits;
      for (int unsigned j = 0; j < NumPairs; j++) begin
        ie_q[j]       <= Exists[j] & (write_pair[j] ? {pair_d[1].ie, pair_d[0].ie} : ie_q[j]);
        edge_q[j]     <= Exists[j] & (write_pair[j] ? {pair_d[1].is_edge, pair_d[0].is_edge} : edge_q[j]);
        negative_q[j] <= Exists[j] & (write_pair[j] ? {pair_d[1].negative, pair_d[0].negative} : negative_q[j]);
        written_q[j]  <= write_pair[j] ? 1'b1 : written_q[j];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned j = 0; j < NumPairs; j++) begin
      shv_q[j]       <= Exists[j] & (write_pair[j] ? {pair_d[1].shv, pair_d[0].shv} : shv_q[j]);
      ctl_q[j][0]    <= write_pair[j] ? pair_d[0].ctl : ctl_q[j][0];
      ctl_q[j][1]    <= {CtlBits{Exists[j][1]}} & (write_pair[j] ? pair_d[1].ctl : ctl_q[j][1]);
      odd_first_q[j] <= write_pair[j] ? odd_first_d : odd_first_q[j];
    end
  end

  // Reads
  irq_attr_t   attr;
  mcliccfg_t   config_word;
  logic [31:0] source_word, rdata_d, rdata_q;
  logic        rvalid_q;

  always_comb begin
    attr      = '0;
    attr.mode = IrqAttrReset.mode;
    attr.trig = {source.negative, source.is_edge};
    attr.shv  = source.shv;

    source_word = '0;
    source_word[8*LaneIp+:8]   = {7'b0, ip_pair[odd]};
    source_word[8*LaneIe+:8]   = {7'b0, source.ie};
    source_word[8*LaneAttr+:8] = attr;
    source_word[8*LaneCtl+:8]  = 8'({source.ctl, 8'hff} >> CtlBits);

    config_word         = '0;
    config_word.mnlbits = mnlbits_q;

    rdata_d = '0;
    if (is_source) rdata_d = source_word;
    if (is_config) rdata_d = config_word;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rvalid_q <= 1'b0;
      rdata_q  <= '0;
    end else begin
      rvalid_q <= req_i.req;
      if (req_i.req) rdata_q <= rdata_d;
    end
  end

  assign rsp_o       = '{gnt: 1'b1, rvalid: rvalid_q, err: 1'b0, rdata: rdata_q};
  assign mnlbits_o   = mnlbits_q;
  assign odd_first_o = odd_first_q;
  assign ie_o        = NumSources'(ie_q);
  assign shv_o       = NumSources'(shv_q);
  assign edge_o      = NumSources'(edge_q);
  assign negative_o  = NumSources'(negative_q);
  assign ctl_o       = (NumSources * CtlBits)'(ctl_q);

  logic unused;
  assign unused = ^{req_i.addr[31:AddrWidth], req_i.addr[1:0], write_ip};
  logic unused_reserved;
  assign unused_reserved = ^{new_ip, new_ie, new_attr, new_ctl, new_config};

endmodule
