// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Properties of tz_clic, proven for all time by k-induction: any wires, any bus traffic, any claims of a valid offer.
//
// The rules are written against a second description of the controller's state, which is made here from the ports
// alone: from the wires, the bus writes and the claims. "Lemma" properties say that the design's registers agree with
// it; they are what makes the others inductive, and are proven with them.
//
// A property of all sources is stated for one source, the rival, which is chosen freely in each cycle (`rival_i`). So a
// property compares the offer with one source instead of with all.
module clic_formal #(
  parameter int unsigned NumSources   = 8,
  parameter int unsigned CtlBits      = 8,
  parameter bit          TreePipeline = 0
) (
  input logic                  clk_i,
  input obi_pkg::obi_req_t     req_i,
  input logic [NumSources-1:0] irq_i,
  input logic [11:0]           rival_i,
  input irq_pkg::clic_claim_t  claim_i
);

  localparam logic [7:0] AbsentCtl = 8'(16'h00ff >> CtlBits);  // ctl bits that are not implemented; they read as ones

  // The first cycle is a reset, all others are not.
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  obi_pkg::obi_rsp_t    rsp;
  irq_pkg::clic_offer_t offer;

  tz_clic #(
    .NumSources  (NumSources),
    .CtlBits     (CtlBits),
    .TreePipeline(TreePipeline)
  ) u_dut (
    .clk_i,
    .rst_ni (rst_n),
    .req_i,
    .rsp_o  (rsp),
    .irq_i,
    .pulse_i('0),
    .offer_o(offer),
    .claim_i
  );

  // Assumptions: only a valid offer is claimed; the bus has addresses of words only.
  ClaimOffered_M: assume property (@(posedge clk_i) !claim_i.valid || offer.valid);
  AddrAligned_M: assume property (@(posedge clk_i) req_i.addr[1:0] == 2'b00);

  // ------------------------------------------------------------------ state, from the ports
  logic [NumSources-1:0] wire_q, owed_q, enabled_q, vectored_q, edge_q, negative_q;
  logic [NumSources-1:0][7:0] ctl_q;
  logic [3:0]            bits_q;      // mnlbits
  logic [NumSources-1:0] written_q;   // sources written in the cycle before
  logic [NumSources-1:0] fresh;       // sources written so recently that the search has not seen the write
  logic [NumSources-1:0] doubted_q;   // sources written in the cycle before in such a way that their wire decides
                                      // whether they are pending
  logic                  read_q;      // a read was granted in the cycle before
  logic                  stalled_q;   // an access was refused in the cycle before
  logic [NumSources-1:0] claimed_q;   // sources claimed with clear in the cycle before
  logic [NumSources-1:0] spent_q;     // sources claimed as an edge and not pending anew

  // What the search for the winner saw in the cycle before. A source is seen if it was enabled then and is pending now,
  // without the effects of a write or a claim of that cycle. ctl is that of the cycle before.
  logic [NumSources-1:0]      seen_q;
  logic [NumSources-1:0][7:0] seen_ctl_q;

  logic clearing, writing;
  assign clearing = claim_i.valid && claim_i.clear;
  assign writing  = req_i.req && req_i.we && rsp.gnt;

  for (genvar i = 0; i < int'(NumSources); i++) begin : gen_source
    logic here, arrives, edge_d;
    assign here    = writing && req_i.addr[14:0] == 15'(16'h1000 + 4 * i);
    assign arrives = edge_q[i] && (negative_q[i] ? wire_q[i] && !irq_i[i] : !wire_q[i] && irq_i[i]);
    assign edge_d  = (here && req_i.be[2]) ? req_i.wdata[17] : edge_q[i];

    always_ff @(posedge clk_i) begin
      wire_q[i] <= irq_i[i];
      if (!rst_n) begin
        {owed_q[i], enabled_q[i], vectored_q[i], edge_q[i], negative_q[i]} <= '0;
        {claimed_q[i], spent_q[i], written_q[i], doubted_q[i], seen_q[i]} <= '0;
        ctl_q[i]      <= AbsentCtl;
        seen_ctl_q[i] <= AbsentCtl;
      end else begin
        written_q[i]  <= here;
        doubted_q[i]  <= here && edge_q[i] && (!edge_d || (arrives && req_i.be[0] && !req_i.wdata[0]));
        seen_q[i]     <= enabled_q[i] && (edge_q[i] ? owed_q[i] || arrives : irq_i[i] != negative_q[i]);
        seen_ctl_q[i] <= ctl_q[i];
        // An edge is owed to the software until its claim, or until software takes it back.
        if (!edge_d) owed_q[i] <= 1'b0;
        else if (arrives) owed_q[i] <= 1'b1;
        else if (here && req_i.be[0]) owed_q[i] <= req_i.wdata[0];
        else if (clearing && offer.id == 12'(i)) owed_q[i] <= 1'b0;
        claimed_q[i] <= clearing && offer.id == 12'(i);
        if (arrives || here) spent_q[i] <= 1'b0;
        else if (clearing && offer.id == 12'(i)) spent_q[i] <= edge_q[i];
        if (here && req_i.be[1]) enabled_q[i] <= req_i.wdata[8];
        if (here && req_i.be[2]) vectored_q[i] <= req_i.wdata[16];
        edge_q[i] <= edge_d;
        if (here && req_i.be[2]) negative_q[i] <= req_i.wdata[18];
        if (here && req_i.be[3]) ctl_q[i] <= req_i.wdata[31:24] | AbsentCtl;
      end
    end
  end

  logic [NumSources-1:0] pending;  // sources pending in this cycle
  assign pending = (edge_q & owed_q) | (~edge_q & (wire_q ^ negative_q));

  // Data that a read of the address on the bus returns: mcliccfg; clicintip, clicintie, clicintattr and clicintctl of a
  // source in machine mode; zero elsewhere. Byte enables do not matter, so that a load of any size finds its bytes.
  logic [31:0] found, found_q;
  logic        answer_q;          // an access was granted in the cycle before
  always_comb begin
    found = '0;
    if (req_i.addr[14:0] == '0) found = {28'b0, bits_q};
    for (int unsigned i = 0; i < NumSources; i++) begin
      if (req_i.addr[14:0] == 15'(32'h1000 + 4 * i)) begin
        found = {ctl_q[i], 2'b11, 3'b0, negative_q[i], edge_q[i], vectored_q[i], 7'b0, enabled_q[i], 7'b0, pending[i]};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    found_q <= found;
    if (!rst_n) begin
      bits_q <= '0;
      {read_q, stalled_q, answer_q} <= '0;
    end else begin
      if (writing && req_i.addr[14:0] == '0 && req_i.be[0]) bits_q <= req_i.wdata[3] ? 4'd8 : req_i.wdata[3:0];
      read_q    <= req_i.req && !req_i.we && rsp.gnt;
      answer_q  <= req_i.req && rsp.gnt;
      stalled_q <= req_i.req && !rsp.gnt;
    end
  end

  // ------------------------------------------------------------------ the rules
  // The offer is the winner of what the search saw in the cycle before, with the pipelined tree in the cycle before
  // that. Two kinds of sources take part in the search although they have changed since. An edge that was claimed just
  // before takes part and is not offered; a source that it beats is not offered in this cycle either. A source that was
  // just written takes part with its old state, and is offered with its new one.
  logic [NumSources-1:0]      able, able_then;
  logic [NumSources-1:0][7:0] ctl_then;
  assign able = pending & enabled_q;
  if (TreePipeline) begin : gen_before
    logic [NumSources-1:0]      before_q, fresh_q;
    logic [NumSources-1:0][7:0] before_ctl_q;
    always_ff @(posedge clk_i) begin
      before_q     <= rst_n ? seen_q : '0;
      before_ctl_q <= seen_ctl_q;
      fresh_q      <= rst_n ? written_q : '0;
    end
    assign able_then = before_q;
    assign ctl_then  = before_ctl_q;
    assign fresh     = written_q | fresh_q;
  end else begin : gen_now
    assign able_then = seen_q;
    assign ctl_then  = seen_ctl_q;
    assign fresh     = written_q;
  end

  function automatic logic [7:0] level_of(logic [7:0] ctl, logic [3:0] bits);
    level_of = 8'hff;
    for (int unsigned b = 0; b < 8; b++) begin
      if (b < 32'(bits)) level_of[7-b] = ctl[7-b];
    end
  endfunction

  // Whether the first of two sources is preferred.
  function automatic logic beats(logic [7:0] ctl, int unsigned i, logic [7:0] other_ctl, int unsigned j);
    beats = ctl > other_ctl || (ctl == other_ctl && i > j);
  endfunction

  // For the offered source and for the rival: the source as a bit; its ctl now; its ctl as the search saw it.
  logic [NumSources-1:0] offered, rival;
  logic [7:0]            offered_ctl, offered_then, rival_ctl, rival_then;
  always_comb begin
    {offered_ctl, offered_then, rival_ctl, rival_then} = '0;
    for (int unsigned i = 0; i < NumSources; i++) begin
      offered[i] = offer.id == 12'(i);
      rival[i]   = rival_i == 12'(i);
      if (offered[i]) {offered_ctl, offered_then} = {ctl_q[i], ctl_then[i]};
      if (rival[i]) {rival_ctl, rival_then} = {ctl_q[i], ctl_then[i]};
    end
  end

  // The rival was the winner when the search looked: it was seen, and no other source that was seen is preferred.
  logic best;
  // The rival was seen and cannot be offered now.
  logic ended;
  always_comb begin
    best = |(rival & able_then);
    for (int unsigned j = 0; j < NumSources; j++) begin
      if (able_then[j] && beats(ctl_then[j], j, rival_then, 32'(rival_i))) best = 1'b0;
    end
    ended = !(|(rival & able & seen_q & ~doubted_q)) || level_of(rival_ctl, bits_q) == '0;
  end

  // The offer is the maximum by the rules among the sources that the search saw. It is also the maximum among those
  // that are pending and enabled now, except for sources just written and, with the pipelined tree, a source that has
  // just come.
  OfferIsMaximum_A: assert property (@(posedge clk_i) disable iff (!rst_n) !offer.valid ||
    (|(offered & able_then) &&
     !(|(rival & able_then) && beats(rival_then, 32'(rival_i), offered_then, 32'(offer.id)))));
  OfferIsMaximumNow_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !offer.valid || |(fresh & (offered | rival)) || !(|(rival & able & (TreePipeline ? able_then : '1))) ||
    !beats(rival_ctl, 32'(rival_i), offered_ctl, 32'(offer.id)));
  // So no pending and enabled source has a level above the offered one, and none has the same level and priority with a
  // higher id.
  OfferIsHighest_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !offer.valid || |(fresh & (offered | rival)) || !(|(rival & able & (TreePipeline ? able_then : '1))) ||
    level_of(rival_ctl, bits_q) < offer.level ||
    (level_of(rival_ctl, bits_q) == offer.level &&
     (rival_ctl < offered_ctl || (rival_ctl == offered_ctl && rival_i <= offer.id))));
  OfferHasItsLevel_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !offer.valid || offer.level == level_of(offered_ctl, bits_q));
  OfferHasItsVector_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !offer.valid || offer.shv == |(vectored_q & offered));
  // A source that is masked, withdrawn or claimed is not offered.
  OfferIsAble_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !offer.valid || (|(able & offered) && |(able_then & offered)));
  LevelZeroNever_A: assert property (@(posedge clk_i) disable iff (!rst_n) !offer.valid || offer.level != '0);
  // A source claimed with clear is not offered in the next cycle. In every other case the maximum is offered at once,
  // in every cycle, whatever is written and claimed. So a claim does not delay a more important source: only an event
  // that ends this very interrupt keeps it from being offered.
  NotTwiceRunning_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !offer.valid || !(|(claimed_q & offered)));
  OfferedAtOnce_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !best || offer.valid || ended || |(rival & claimed_q));
  // When a read is answered, the offer takes all earlier writes into account. No access waits for more than one cycle;
  // without the pipeline none waits.
  ReadIsBehind_A: assert property (@(posedge clk_i) disable iff (!rst_n) !read_q || (rsp.rvalid && fresh == '0));
  // Each access is answered in the cycle behind its grant, and at no other time. A read returns the bits that were
  // written, as far as they are implemented, and what is pending, in the state of the cycle of its grant.
  Answers_A: assert property (@(posedge clk_i) disable iff (!rst_n) rsp.rvalid == answer_q && !rsp.err);
  ReadFinds_A: assert property (@(posedge clk_i) disable iff (!rst_n) !read_q || rsp.rdata == found_q);
  if (TreePipeline) begin : gen_waits
    AccessIsGranted_A: assert property (@(posedge clk_i) disable iff (!rst_n) !stalled_q || rsp.gnt);
  end else begin : gen_waits_not
    AccessIsGranted_A: assert property (@(posedge clk_i) disable iff (!rst_n) !stalled_q);
  end
  // A claimed edge is not offered again unless it is pending anew.
  SpentNever_A: assert property (@(posedge clk_i) disable iff (!rst_n) !offer.valid || !(|(spent_q & offered)));
  // An edge is claimed exactly once: a claim of an edge-triggered source is owed to software, and pays the debt. What
  // is owed stays pending until then.
  ClaimIsOwed_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !clearing || |(offered & (owed_q | ~edge_q)));

  // Covers: all of these cases occur.
  EdgeInClaim_C: cover property (@(posedge clk_i)
    rst_n && clearing && gen_source[2].arrives && offer.id == 12'd2 && owed_q[2]);
  Replaced_C: cover property (@(posedge clk_i)
    rst_n && offer.valid && offer.id == 12'd1 && offer.level == 8'd63 && &enabled_q[3:1] && pending[3]);
  Overtakes_C: cover property (@(posedge clk_i) rst_n && claimed_q[2] && offer.valid && offer.id == 12'd4);
  SparedByWrite_C: cover property (@(posedge clk_i) rst_n && written_q[2] && offer.valid && offer.id == 12'd4);
  Behind_C: cover property (@(posedge clk_i) rst_n && written_q[6] && able[6] && offer.valid && offer.id == 12'd4);
  OfferedWhileWritten_C: cover property (@(posedge clk_i)
    rst_n && written_q[2] && offer.valid && offer.id == 12'd2 && ctl_q[2] != seen_ctl_q[2]);
  ClaimRacesMask_C: cover property (@(posedge clk_i)
    rst_n && clearing && offer.id == 12'd5 && gen_source[5].here && req_i.be[1] && !req_i.wdata[8]);

  // ------------------------------------------------------------------ the design's registers agree
  OwedIsPending_A: assert property (@(posedge clk_i) disable iff (!rst_n) (u_dut.ip & edge_q) == owed_q);
  LemmaPending_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    u_dut.ip == pending && u_dut.u_gateway.irq_q == wire_q && (u_dut.u_gateway.pending_q & edge_q) == owed_q);
  LemmaConfig_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    u_dut.ie == enabled_q && u_dut.is_edge == edge_q && u_dut.negative == negative_q && u_dut.u_regs.mnlbits_q == bits_q
    && bits_q <= 4'd8);
  LemmaSpent_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    (spent_q & ~edge_q) == '0 && (spent_q & owed_q) == '0);
  // Registers without a reset count only after the first write of their pair. Nothing of the pair is enabled before
  // that.
  logic [NumSources-1:0] used;
  for (genvar i = 0; i < int'(NumSources); i++) begin : gen_used
    assign used[i] = u_dut.u_regs.gen_block[i/16].u_block.written_q[i%16/2];
  end
  LemmaUsed_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    (~used & (enabled_q | vectored_q)) == '0 && ((u_dut.shv ^ vectored_q) & used) == '0);
  for (genvar j = 0; j < int'(NumSources) / 2; j++) begin : gen_lemma_pair
    LemmaPair_A: assert property (@(posedge clk_i) disable iff (!rst_n)
      !used[2*j] || u_dut.odd_first[j] == (ctl_q[2*j+1] >= ctl_q[2*j]));
  end
  if (TreePipeline) begin : gen_lemma_pipeline
    LemmaWritten_A: assert property (@(posedge clk_i) disable iff (!rst_n)
      written_q == NumSources'(u_dut.gen_now.write_q) << u_dut.gen_now.id_q);
  end
  for (genvar i = 0; i < int'(NumSources); i++) begin : gen_lemma
    LemmaCtl_A: assert property (@(posedge clk_i) disable iff (!rst_n)
      (used[i] ? u_dut.ctl[i] : '0) == ctl_q[i][7-:CtlBits] && (ctl_q[i] & AbsentCtl) == AbsentCtl);
    LemmaOwed_A: assert property (@(posedge clk_i) disable iff (!rst_n) !owed_q[i] || edge_q[i]);
  end

endmodule
