// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The CLIC's registers and their bus port. Register map: regs/clic.rdl.
//
// Bus: granted at once, answered in the next cycle, never an error, any byte enables. A read shows the state in the
// cycle of its grant, a write changes it at the end of that cycle.
module tz_clic_regs
  import clic_reg_pkg::*;
#(
  parameter int unsigned NumSources  = 64,
  parameter int unsigned CtlBits     = 8,
  localparam int unsigned IndexWidth = (NumSources > 1) ? $clog2(NumSources) : 1
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
  output logic [NumSources-1:0]              edge_next_o,    // after this cycle
  output logic [NumSources-1:0]              negative_o,
  output logic [NumSources-1:0][CtlBits-1:0] ctl_o
);

  localparam int unsigned WordWidth = AddrWidth - 2;

  // Byte lanes inside a source's word
  localparam int unsigned LaneIp = int'(IrqIpOffset[1:0]);
  localparam int unsigned LaneIe = int'(IrqIeOffset[1:0]);
  localparam int unsigned LaneAttr = int'(IrqAttrOffset[1:0]);
  localparam int unsigned LaneCtl = int'(IrqCtlOffset[1:0]);

  logic [WordWidth-1:0]  word, offset;
  logic [IndexWidth-1:0] index;
  logic                  is_source, is_config, write;
  assign word      = req_i.addr[AddrWidth-1:2];
  assign offset    = word - IrqIpOffset[AddrWidth-1:2];
  assign index     = offset[IndexWidth-1:0];
  assign is_source = offset < WordWidth'(NumSources);  // sources from the top of the window up wrap to large offsets
  assign is_config = word == McliccfgOffset[AddrWidth-1:2];
  assign write     = req_i.req && req_i.we;

  assign write_config_o = write && is_config;
  assign write_source_o = write && is_source;
  assign write_id_o     = index;

  // Writes
  irq_ip_t   new_ip;
  irq_ie_t   new_ie;
  irq_attr_t new_attr;
  irq_ctl_t  new_ctl;
  mcliccfg_t new_config;
  assign new_ip     = req_i.wdata[8*LaneIp+:8];
  assign new_ie     = req_i.wdata[8*LaneIe+:8];
  assign new_attr   = req_i.wdata[8*LaneAttr+:8];
  assign new_ctl    = req_i.wdata[8*LaneCtl+:8];
  assign new_config = req_i.wdata;

  logic [NumSources-1:0] select, we_ie, we_attr, we_ctl;
  assign select     = NumSources'(write_source_o) << index;
  assign we_ie      = select & {NumSources{req_i.be[LaneIe]}};
  assign we_attr    = select & {NumSources{req_i.be[LaneAttr]}};
  assign we_ctl     = select & {NumSources{req_i.be[LaneCtl]}};
  assign ip_write_o = select & {NumSources{req_i.be[LaneIp]}};
  assign ip_wdata_o = new_ip.ip;

  logic [3:0]                         mnlbits_q;
  logic [NumSources-1:0]              ie_q, shv_q, edge_q, negative_q;
  logic [NumSources-1:0]              ie_d, shv_d, edge_d, negative_d;
  logic [NumSources-1:0][CtlBits-1:0] ctl_q;

  assign ie_d       = (ie_q & ~we_ie) | (we_ie & {NumSources{new_ie.ie}});
  assign shv_d      = (shv_q & ~we_attr) | (we_attr & {NumSources{new_attr.shv}});
  assign edge_d     = (edge_q & ~we_attr) | (we_attr & {NumSources{new_attr.trig[0]}});
  assign negative_d = (negative_q & ~we_attr) | (we_attr & {NumSources{new_attr.trig[1]}});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mnlbits_q  <= McliccfgReset.mnlbits;
      ie_q       <= {NumSources{IrqIeReset.ie}};
      shv_q      <= {NumSources{IrqAttrReset.shv}};
      edge_q     <= {NumSources{IrqAttrReset.trig[0]}};
      negative_q <= {NumSources{IrqAttrReset.trig[1]}};
      ctl_q      <= {NumSources{IrqCtlReset.ctl[7-:CtlBits]}};
    end else begin
      if (write_config_o && req_i.be[0]) mnlbits_q <= new_config.mnlbits[3] ? 4'd8 : new_config.mnlbits;
      ie_q       <= ie_d;
      shv_q      <= shv_d;
      edge_q     <= edge_d;
      negative_q <= negative_d;
      // No `if` inside the loop: tools that unroll it would nest 4096 of them.
      for (int unsigned i = 0; i < NumSources; i++) begin
        ctl_q[i] <= we_ctl[i] ? new_ctl.ctl[7-:CtlBits] : ctl_q[i];
      end
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
    attr.trig = {negative_q[index], edge_q[index]};
    attr.shv  = shv_q[index];

    source_word = '0;
    source_word[8*LaneIp+:8]   = {7'b0, ip_i[index]};
    source_word[8*LaneIe+:8]   = {7'b0, ie_q[index]};
    source_word[8*LaneAttr+:8] = attr;
    source_word[8*LaneCtl+:8]  = 8'({ctl_q[index], 8'hff} >> CtlBits);

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
  assign ie_o        = ie_q;
  assign shv_o       = shv_q;
  assign edge_o      = edge_q;
  assign edge_next_o = edge_d;
  assign negative_o  = negative_q;
  assign ctl_o       = ctl_q;

  logic unused;
  assign unused = ^{req_i.addr[31:AddrWidth], req_i.addr[1:0], new_ip, new_ie, new_attr, new_ctl, new_config};

endmodule
