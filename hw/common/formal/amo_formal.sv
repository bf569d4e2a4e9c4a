// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof for tz_amo in front of a bank, with two harts, for all time: its initiators see a memory that executes the
// accesses one after the other, each as a whole, in the order of their grants.
//
// One word is watched, chosen freely (`watched_q`). `shadow_q` is the value that this word has by the specification: it
// changes as a whole with each grant. `reserved_q` says for each hart, by the specification, whether it has a
// reservation of the word. The bank refuses grants freely (`gnt_i`) and answers in the cycle after a grant. A read of
// another word returns any value (`other_i`).
module amo_formal (
  input logic              clk_i,
  input obi_pkg::obi_req_t req_i,
  input logic              gnt_i,
  input logic [31:0]       other_i,
  input logic [1:0]        elsewhere_i
);
  import obi_pkg::*;

  // The first cycle is a reset, all others are not.
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  obi_req_t   bank_req;
  obi_rsp_t   rsp, bank_rsp;
  logic [1:0] here;

  tz_amo #(
    .NumHarts(2)
  ) u_dut (
    .clk_i,
    .rst_ni     (rst_n),
    .req_i,
    .rsp_o      (rsp),
    .bank_req_o (bank_req),
    .bank_rsp_i (bank_rsp),
    .here_o     (here),
    .elsewhere_i
  );

  // ---------------------------------------------------------------- the bank
  logic [31:2] watched_q;        // keeps the value that it has in the first cycle, which is free
  logic [31:0] word_q, rdata_q;  // the watched word in the bank; the bank's answer to the last read of it
  logic        read_q, rvalid_q; // the answer is of the watched word; the bank answers in this cycle
  logic        bank_hit, bank_accept;
  assign bank_hit    = (bank_req.addr[31:2] == watched_q);
  assign bank_accept = rst_n && bank_req.req && gnt_i;
  assign bank_rsp    = '{exokay: 1'b0, gnt: gnt_i, rvalid: rvalid_q, err: 1'b0, rdata: read_q ? rdata_q : other_i};
  always_ff @(posedge clk_i) begin
    watched_q <= watched_q;
    rvalid_q  <= bank_accept;
    read_q    <= bank_accept && !bank_req.we && bank_hit;
    rdata_q   <= word_q;
    if (bank_accept && bank_req.we && bank_hit) begin
      for (int i = 0; i < 4; i++) if (bank_req.be[i]) word_q[8*i+:8] <= bank_req.wdata[8*i+:8];
    end
  end

  // ---------------------------------------------------------------- the initiators' part
  function automatic logic computes(logic [5:0] atop);
    return atop inside {AtopSwap, AtopAdd, AtopXor, AtopOr, AtopAnd, AtopMin, AtopMax, AtopMinu, AtopMaxu};
  endfunction
  logic     accept, hit, lr, sc, amo;
  logic     waits_q;
  obi_req_t req_q;
  assign accept = rst_n && req_i.req && rsp.gnt;
  assign hit    = (req_i.addr[31:2] == watched_q);
  assign lr     = (req_i.atop == AtopLr);
  assign sc     = (req_i.atop == AtopSc);
  assign amo    = computes(req_i.atop);
  always_ff @(posedge clk_i) begin
    req_q   <= req_i;
    waits_q <= rst_n && req_i.req && !rsp.gnt;
  end
  ReqStable_M: assume property (@(posedge clk_i) disable iff (!rst_n) !waits_q || req_i == req_q);
  AtopKnown_M: assume property (@(posedge clk_i) disable iff (!rst_n)
    lr || sc || amo || req_i.atop == AtopNone);
  KnownHart_M: assume property (@(posedge clk_i) disable iff (!rst_n) req_i.mid.hart < 4'd2);
  AtopWord_M: assume property (@(posedge clk_i) disable iff (!rst_n)
    !(lr || sc || amo) || (req_i.be == 4'b1111 && (lr ? !req_i.we : sc || req_i.we)));
  // A hart makes one atomic operation at a time. Its fetches and its frame port may access other banks meanwhile.
  OnePlace_M: assume property (@(posedge clk_i) disable iff (!rst_n)
    !(req_i.req && req_i.atop != AtopNone && elsewhere_i[req_i.mid.hart[0]]));

  // ---------------------------------------------------------------- the watched word, by the specification
  function automatic logic [31:0] computed(logic [5:0] atop, logic [31:0] a, logic [31:0] b);
    case (atop)
      AtopSwap: return b;
      AtopAdd:  return a + b;
      AtopXor:  return a ^ b;
      AtopOr:   return a | b;
      AtopAnd:  return a & b;
      AtopMin:  return ($signed(a) < $signed(b)) ? a : b;
      AtopMax:  return ($signed(a) > $signed(b)) ? a : b;
      AtopMinu: return (a < b) ? a : b;
      default:  return (a > b) ? a : b;
    endcase
  endfunction

  logic [31:0] shadow_d, shadow_q;
  logic [1:0]  reserved_d, reserved_q;
  logic        hart, writes;
  assign hart   = req_i.mid.hart[0];
  assign writes = accept && hit && (sc ? (reserved_q[hart] && req_i.we) : req_i.we);
  always_comb begin
    shadow_d = shadow_q;
    if (writes && amo) shadow_d = computed(req_i.atop, shadow_q, req_i.wdata);
    else if (writes) for (int i = 0; i < 4; i++) if (req_i.be[i]) shadow_d[8*i+:8] = req_i.wdata[8*i+:8];
    reserved_d = writes ? '0 : reserved_q;
    if (accept && (lr || sc)) reserved_d[hart] = lr && hit;
    reserved_d &= ~elsewhere_i;
  end

  // The answer to the last access, by the specification.
  logic        answer_q, data_q, exokay_q, sc_q;
  logic [31:0] old_q;
  always_ff @(posedge clk_i) begin
    shadow_q   <= rst_n ? shadow_d : word_q;
    reserved_q <= rst_n ? reserved_d : '0;
    answer_q   <= accept;
    data_q     <= accept && hit && (!req_i.we || amo) && !sc;
    sc_q       <= accept && hit && sc;
    exokay_q   <= reserved_q[hart] && req_i.we;
    old_q      <= shadow_q;
  end

  Answered_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    rsp.rvalid == answer_q && !(rsp.rvalid && rsp.err));
  Data_A: assert property (@(posedge clk_i) disable iff (!rst_n) !data_q || rsp.rdata == old_q);
  StoreConditional_A: assert property (@(posedge clk_i) disable iff (!rst_n) !sc_q || rsp.exokay == exokay_q);

  // ---------------------------------------------------------------- the bank is held, and no longer than needed
  logic        open_q;          // an AMO was granted and the bank has not taken its write yet
  logic [31:2] open_addr_q;
  always_ff @(posedge clk_i) begin
    open_q <= rst_n && ((accept && amo) || (open_q && !gnt_i));
    if (accept) open_addr_q <= req_i.addr[31:2];
  end
  obi_req_t plain;              // the request without its atomic operation
  always_comb begin
    plain      = req_i;
    plain.atop = AtopNone;
    plain.we   = bank_req.we;   // so that the properties below compare only the other fields
  end
  Held_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !open_q || (!rsp.gnt && bank_req.req && bank_req.we && bank_req.be == 4'b1111 &&
                bank_req.addr[31:2] == open_addr_q));
  Passes_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    open_q || (rsp.gnt == gnt_i && bank_req == plain && (req_i.atop != AtopNone || bank_req.we == req_i.we)));

  logic     bank_waits_q, own_waits_q;  // the bank has refused a request; it has refused the write of an AMO
  obi_req_t bank_req_q;
  always_ff @(posedge clk_i) begin
    bank_req_q   <= bank_req;
    bank_waits_q <= rst_n && bank_req.req && !gnt_i;
    own_waits_q  <= rst_n && open_q && !gnt_i;
  end
  Stable_A: assert property (@(posedge clk_i) disable iff (!rst_n) !bank_waits_q || bank_req == bank_req_q);

  Lemma_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    u_dut.state_q != 2'd3 && open_q == (u_dut.state_q != '0) &&
    (!open_q || (open_addr_q == u_dut.amo_q.addr[31:2] && u_dut.amo_q.we && u_dut.amo_q.be == 4'b1111)) &&
    reserved_q[0] == (u_dut.reserved_q[0] && u_dut.gen_hart[0].addr_q == watched_q) &&
    reserved_q[1] == (u_dut.reserved_q[1] && u_dut.gen_hart[1].addr_q == watched_q) &&
    (u_dut.state_q != 2'd1 || (rvalid_q && answer_q && !u_dut.own_q &&
                                         read_q == (open_addr_q == watched_q))) &&
    u_dut.own_q == ((rvalid_q && !answer_q) || own_waits_q) &&
    (rvalid_q || !answer_q) && (!read_q || rvalid_q) && (!data_q || (read_q && old_q == rdata_q)) &&
    (!(open_q && open_addr_q == watched_q) ? (shadow_q == word_q) :
     (u_dut.state_q == 2'd1) ?
       (rdata_q == word_q && shadow_q == computed(u_dut.amo_q.atop, word_q, u_dut.amo_q.wdata) &&
        computes(u_dut.amo_q.atop)) :
       (shadow_q == u_dut.amo_q.wdata)));

  // ---------------------------------------------------------------- covers: these cases occur
  Refused_C: cover property (@(posedge clk_i) disable iff (!rst_n) open_q && u_dut.state_q == 2'd2 && gnt_i);
  Success_C: cover property (@(posedge clk_i) disable iff (!rst_n) sc_q && rsp.exokay);
  Lost_C: cover property (@(posedge clk_i) disable iff (!rst_n)
    writes && reserved_q == 2'b11 && hart && amo);
  Failure_C: cover property (@(posedge clk_i) disable iff (!rst_n) sc_q && !rsp.exokay);

endmodule
