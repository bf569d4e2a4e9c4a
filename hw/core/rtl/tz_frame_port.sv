// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq: the OBI port behind the pipeline. Three users share it, one access under way at a time (which with zero-wait
// memory is one a cycle):
//
//   load    a word of a frame is fetched, by emret or ahead of it
//   vector  the table entry of an offered interrupt is fetched before it is taken
//   drain   a word of a bank leaves for its frame
//
// Order: a load goes first (there is no drain during a load). Vector and drain take turns when both want the port. But
// while an interrupt may be waiting for the drain (`vector_last_i`), the drain goes before vector, which is only a
// guess. A word counts as stored when its request is granted: the frame port and the data port must reach a memory in
// the order of their grants.
//
// A load may be cancelled at any time. If its request is on the bus, it stays there until its grant, and the answer is
// dropped.
module tz_frame_port (
  input  logic clk_i,
  input  logic rst_ni,

  output obi_pkg::obi_req_t req_o,
  input  obi_pkg::obi_rsp_t rsp_i,

  input  logic        drain_valid_i,
  input  logic        drain_first_i,  // the word is the first one of a frame
  input  logic [31:2] drain_addr_i,
  input  logic        drain_user_i,   // as user mode's access, else machine mode's
  input  logic [31:0] drain_data_i,
  output logic        drain_left_o,
  output logic        drain_busy_o,   // the request of a drain is on the bus and cannot be withdrawn
  output logic        drain_fault_o,  // a word could not be stored, the first such word of its frame; at fault_addr_o

  input  logic        load_valid_i,
  input  logic [31:2] load_addr_i,
  input  logic        load_user_i,
  input  logic        load_cancel_i,  // the word that was asked for, or is under way, is no longer wanted
  output logic        load_grant_o,
  output logic        load_busy_o,    // the request is on the bus: load_valid_i must stay until the grant or a cancel
  output logic        load_done_o,    // a word is on data_o
  output logic        load_fault_o,

  input  logic        vector_valid_i, // once vector_busy_o is high, it must stay until the grant
  input  logic        vector_last_i,  // the drain goes before vector
  input  logic [31:2] vector_addr_i,
  input  logic        vector_user_i,
  output logic        vector_grant_o,
  output logic        vector_busy_o,  // the request is on the bus and cannot be withdrawn
  output logic        vector_done_o,
  output logic        vector_fault_o,

  output logic [31:0] data_o,
  output logic [31:2] fault_addr_o
);

  typedef enum logic [2:0] {
    UserNone,
    UserDrain,
    UserLoad,
    UserVector,
    UserGone    // a load that was cancelled while its request was on the bus or its answer to come
  } user_e;

  user_e       user, hold_d, hold_q, out_d, out_q;  // who has the port; who waits for a grant; who waits for an answer
  logic        turn_d, turn_q;      // the request that was granted last was vector's: the drain is next
  logic        fault_d, fault_q;    // a word of this frame could not be stored, and that was reported
  logic [31:2] addr_q;              // address of the last request
  logic        ready, grant;

  assign ready = (out_q == UserNone) || rsp_i.rvalid;

  user_e wanted;  // who gets the port if no request waits for its grant
  assign wanted = !ready ? UserNone
                : load_valid_i ? UserLoad
                : (vector_valid_i && !((turn_q || vector_last_i) && drain_valid_i)) ? UserVector
                : drain_valid_i ? UserDrain : UserNone;
  assign user   = (hold_q != UserNone) ? hold_q : wanted;

  logic [31:2] addr;
  logic        as_user, as_user_q;
  always_comb begin
    unique case (user)
      UserLoad:   {addr, as_user} = {load_addr_i, load_user_i};
      UserVector: {addr, as_user} = {vector_addr_i, vector_user_i};
      UserGone:   {addr, as_user} = {addr_q, as_user_q};
      default:    {addr, as_user} = {drain_addr_i, drain_user_i};
    endcase
  end

  assign req_o = '{
    prv:   as_user ? obi_pkg::PrvUser : obi_pkg::PrvMachine,
    mid:   '0,
    atop:  obi_pkg::AtopNone,
    req:   user != UserNone,
    we:    user == UserDrain,
    be:    4'hf,
    addr:  {addr, 2'b00},
    wdata: drain_data_i
  };

  user_e goes_on;  // `user`, with a load that is cancelled in this cycle turned into UserGone
  assign goes_on = (user == UserLoad && load_cancel_i) ? UserGone : user;
  assign grant   = req_o.req && rsp_i.gnt;
  assign hold_d  = grant ? UserNone : goes_on;
  assign turn_d = grant ? (user == UserVector) : turn_q;

  assign drain_left_o   = grant && (user == UserDrain);
  assign load_grant_o   = grant && (user == UserLoad);
  assign vector_grant_o = grant && (user == UserVector);
  assign drain_busy_o   = (hold_q == UserDrain);
  assign load_busy_o    = (hold_q == UserLoad);
  assign vector_busy_o  = (user == UserVector);

  always_comb begin
    out_d = out_q;
    if (rsp_i.rvalid) out_d = UserNone;
    else if (load_cancel_i && out_q == UserLoad) out_d = UserGone;
    if (grant) out_d = goes_on;
  end

  assign load_done_o    = rsp_i.rvalid && (out_q == UserLoad) && !rsp_i.err;
  assign load_fault_o   = rsp_i.rvalid && (out_q == UserLoad) && rsp_i.err;
  assign vector_done_o  = rsp_i.rvalid && (out_q == UserVector);
  assign vector_fault_o = rsp_i.err;
  assign drain_fault_o  = rsp_i.rvalid && (out_q == UserDrain) && rsp_i.err && !fault_q;
  assign data_o         = rsp_i.rdata;
  assign fault_addr_o   = addr_q;

  always_comb begin
    fault_d = fault_q || drain_fault_o;
    if (drain_left_o && drain_first_i) fault_d = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hold_q  <= UserNone;
      out_q   <= UserNone;
      turn_q  <= 1'b0;
      fault_q <= 1'b0;
    end else begin
      hold_q  <= hold_d;
      out_q   <= out_d;
      turn_q  <= turn_d;
      fault_q <= fault_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (req_o.req) {addr_q, as_user_q} <= {addr, as_user};
  end

  logic unused;
  assign unused = rsp_i.exokay;

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) !(rsp_i.rvalid && out_q == UserNone));
`endif

endmodule
