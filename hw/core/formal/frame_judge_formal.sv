// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof that tz_frame_judge answers for a frame as tz_pmp does for each of its words.
//
//   word_q: any word, the same in all cycles ──> tz_pmp (user mode, stores) ──> allowed
//   sp_i: any value in each cycle ──> tz_frame_judge ──> judged, refused
//
// - If a frame is not refused, each word of it is allowed (Allowed_A). If it is refused, one is not: the first word
//   (First_A), or the first word behind the range that the frame begins in (Wall_A), or the frame reaches across
//   address 0 (Low_A). tz_pmp itself is held against the specification by pmp_formal.
// - A search ends: it goes on by one row in each cycle (Goes_A), and notes its range Regions + 2 cycles behind the cycle
//   in which it was found to be needed, at the latest (InTime_A).
//
// Addresses of words have `Bits` bits here, the upper ones are zero: solvers take three times as long for each bit more.
// Random programs in lockstep have addresses of all widths.
module frame_judge_formal
  import tz_core_pkg::*;
#(
  parameter int unsigned Regions = 4,
  parameter int unsigned Words   = 18,
  parameter int unsigned Below   = 20,
  parameter int unsigned Bits    = 8,
  parameter bit          Lemma   = 1'b0
) (
  input logic        clk_i,
  input logic        rst_ni,
  input pmp_t        pmp_i,
  input logic        written_i,
  input logic        user_i,
  input logic [31:2] sp_i
);

  verdict_t verdict;
  tz_frame_judge #(
    .Regions(Regions),
    .Words  (Words),
    .Below  (Below)
  ) u_judge (
    .clk_i,
    .rst_ni,
    .pmp_i,
    .written_i,
    .user_i,
    .sp_i,
    .verdict_o(verdict)
  );

  // ---------------------------------------------------------------- the specification, for one word
  logic [29:0] word_q;
  always_ff @(posedge clk_i) word_q <= word_q;
  logic allowed_by_pmp;
  tz_pmp #(
    .Regions(Regions),
    .Two    (1'b0)
  ) u_pmp (
    .pmp_i,
    .prv_i      (isa_pkg::PrivU),
    .kind_i     (3'b010),
    .word_i     (word_q),
    .next_i     (1'b0),
    .next_word_i('0),
    .allowed_o  (allowed_by_pmp)
  );
  // Rows as ranges of words, the form that the judge computes with: that both forms match the same words is proven by
  // itself (Lemma = 1), and then taken for granted, because solvers do not see it among everything else.
  logic [30:0]        word, base;
  logic [Regions-1:0] here, ranges;
  logic               some;
  logic [3:0]         match;  // with `some`: the lowest row that matches word_q
  assign here = u_pmp.here;
  for (genvar i = 0; i < int'(Regions); i++) begin : gen_range
    pmp_row_t    row;
    logic [30:0] upper, rises, ends;
    assign row   = pmp_i.rows[i];
    assign upper = row.above ? 31'h4000_0000 : {1'b0, row.upper};
    assign ends  = row.tor ? upper : {1'b0, row.base | ~row.care} + 31'd1;
    if (i == 0) begin : gen_first
      assign rises = row.tor ? '0 : {1'b0, row.base & row.care};
    end else begin : gen_other
      assign rises = row.tor ? gen_range[i-1].upper : {1'b0, row.base & row.care};
    end
    assign ranges[i] = (row.tor || row.block) && rises <= word && word < ends;
  end
  always_comb begin
    match = '0;
    some  = 1'b0;
    for (int i = int'(Regions) - 1; i >= 0; i--) begin
      if (here[i]) begin
        match = 4'(i);
        some  = 1'b1;
      end
    end
  end
  logic allowed;
  assign allowed = some && pmp_i.rows[match].user[1];
  if (Lemma) begin : gen_lemma
    Matches_A: assert property (@(posedge clk_i) !rst_ni || here == ranges);
    Decides_A: assert property (@(posedge clk_i) !rst_ni || allowed == allowed_by_pmp);
  end else begin : gen_proof
    Matches_K: assume property (@(posedge clk_i) here == ranges);
  end
  assign word = {1'b0, word_q};
  assign base = {1'b0, sp_i} - 31'(Below);

  // ---------------------------------------------------------------- the surroundings
  // A reset at first; rows that change only behind a write, and are as tz_pmp_csr decodes them.
  logic        started_q, written_q;
  logic [31:2] sp_q;
  pmp_t        pmp_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    written_q <= written_i;
    pmp_q     <= pmp_i;
    sp_q      <= sp_i;
  end
  Reset_K: assume property (@(posedge clk_i) rst_ni == started_q);
  Rows_M: assume property (@(posedge clk_i) !started_q || written_q || pmp_i == pmp_q);
  logic [15:0] decoded, narrow;
  for (genvar i = 0; i < 16; i++) begin : gen_row
    pmp_row_t row;
    assign row        = pmp_i.rows[i];
    assign decoded[i] = !(row.tor && row.block) && (~row.care & (~row.care + 30'd1)) == '0;
    assign narrow[i]  = (i < int'(Regions)) ? row.upper[29:Bits] == '0 && row.base[29:Bits] == '0 &&
                                              row.care[29:Bits] == '1
                                            : row == '0;
  end
  Decoded_M: assume property (@(posedge clk_i) decoded == '1);
  Narrow_K: assume property (@(posedge clk_i) narrow == '1 && sp_i[31:Bits+2] == '0 && word_q[29:Bits] == '0);

  // ---------------------------------------------------------------- what follows
  logic [30:0] first, fit, top;
  assign first = u_judge.first_q - 31'(Below);
  assign top   = u_judge.top_q - 31'(Below);
  assign fit   = u_judge.fit_q - 31'(Below - Words);

  logic low, framed;
  assign low    = sp_i < 30'(Below);
  assign framed = !low && word >= base && word < base + 31'(Words);
  Low_A: assert property (@(posedge clk_i) !rst_ni || !low || (verdict.judged && verdict.refused));
  Allowed_A: assert property (@(posedge clk_i) !rst_ni || !verdict.judged || verdict.refused || !framed || allowed);
  First_A: assert property (@(posedge clk_i)
    !rst_ni || !verdict.judged || !verdict.refused || low || u_judge.ok_q || word != base || !allowed);
  Wall_A: assert property (@(posedge clk_i)
    !rst_ni || !verdict.judged || !verdict.refused || low || !u_judge.ok_q ||
    (top > base && top < base + 31'(Words) && (word != top || !allowed)));
  Refused_C: cover property (@(posedge clk_i) rst_ni && verdict.judged && verdict.refused && !low && u_judge.ok_q);
  Across_C: cover property (@(posedge clk_i)
    rst_ni && verdict.judged && !verdict.refused && u_judge.row_q == 4'd2 && $past(u_judge.beyond_q));

  // The range.
  logic in_range;
  assign in_range = u_judge.valid_q && word >= first && word < top;
  Bounds_A: assert property (@(posedge clk_i)
    !rst_ni || !u_judge.valid_q || (first < top && top <= 31'h4000_0000 && fit == top));
  Range_A: assert property (@(posedge clk_i) !rst_ni || !in_range || allowed == u_judge.ok_q);
  Behind_A: assert property (@(posedge clk_i)
    !rst_ni || !u_judge.valid_q || !u_judge.wall_q || (u_judge.ok_q && (word != top || !allowed)));

  // The search: the rows looked at do not match, neither the point nor a word between from_q and to_q.
  logic look, note, between, point_is;
  logic [30:0] point, expected_before;
  assign look     = u_judge.state_q == 2'd1;
  assign note     = u_judge.state_q == 2'd2;
  assign point    = {1'b0, u_judge.point_q};
  assign between  = word >= u_judge.from_q && word < u_judge.to_q;
  assign point_is = word == point;
  assign expected_before = (u_judge.row_q == '0) ? '0 : pmp_i.rows[u_judge.row_q - 4'd1].above ? 31'h4000_0000 :
                           {1'b0, pmp_i.rows[u_judge.row_q - 4'd1].upper};
  State_A: assert property (@(posedge clk_i) !rst_ni || u_judge.state_q != 2'd3);
  Row_A: assert property (@(posedge clk_i)
    !rst_ni || !look || ({1'b0, u_judge.row_q} < 5'(Regions) && u_judge.before_q == expected_before));
  Around_A: assert property (@(posedge clk_i)
    !rst_ni || !(look || note) ||
    (u_judge.from_q <= point && point < u_judge.to_q && u_judge.to_q <= 31'h4000_0000));
  Unmatched_A: assert property (@(posedge clk_i)
    !rst_ni || !look || !(between || point_is) || !some || match >= u_judge.row_q);
  Found_A: assert property (@(posedge clk_i) !rst_ni || !note || !between || allowed == u_judge.may_q);
  Beyond_A: assert property (@(posedge clk_i)
    !rst_ni || !(look || note) || !u_judge.beyond_q ||
    (u_judge.valid_q && u_judge.ok_q && point == top && !u_judge.wall_q));
  Missed_A: assert property (@(posedge clk_i)
    !rst_ni || !u_judge.missed_q ||
    (u_judge.state_q == 2'd0 && u_judge.sp_q >= 30'(Below) &&
     (!u_judge.beyond_q || (u_judge.valid_q && u_judge.ok_q && !u_judge.wall_q && top < 31'h4000_0000))));
  Goes_A: assert property (@(posedge clk_i)
    !rst_ni || !look || !$past(look) || !$past(rst_ni) || u_judge.row_q == $past(u_judge.row_q) + 4'd1);
  logic [4:0] age_q;  // cycles since the search began
  always_ff @(posedge clk_i) age_q <= u_judge.missed_q ? 5'd1 : age_q + 5'd1;
  Age_A: assert property (@(posedge clk_i) !rst_ni || !look || age_q == 5'(u_judge.row_q) + 5'd1);
  InTime_A: assert property (@(posedge clk_i) !rst_ni || !note || (age_q >= 5'd2 && age_q <= 5'(Regions + 1)));
  SpKept_A: assert property (@(posedge clk_i) !started_q || u_judge.sp_q == sp_q);

endmodule
