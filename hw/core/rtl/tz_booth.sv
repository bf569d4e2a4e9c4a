// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Multiplier written out, for standard cells: radix-4 Booth digits (A. D. Booth, 1951; O. L. MacSorley, 1961), a tree
// of carry-save adders (C. S. Wallace, 1964), one carry-propagate adder. Combinational.
module tz_booth #(
  parameter int unsigned Width = 32  // of the factors: even, 4 or more
) (
  input  logic               a_signed_i,
  input  logic               b_signed_i,
  input  logic [Width-1:0]   a_i,
  input  logic [Width-1:0]   b_i,
  output logic [2*Width-1:0] product_o
);

  localparam int unsigned Digits = Width / 2;
  localparam int unsigned Out = 2 * Width;

  // ---------------------------------------------------------------- one row a digit
  // Each digit of b is -2, -1, 0, 1 or 2, and makes one row: digit times a, two columns further left than the row
  // before.
  // - A negative row is in one's complement. The 1 that two's complement adds stands in the next row, two
  //   columns right of that row's own bits, where that row is empty.
  // - A row is not sign-extended. It has its sign bit inverted, and a 1 to the left of that. The top end of the first
  //   row makes up for what all these ones add.
  // - The last row is needed only for an unsigned b whose top bit is set.
  logic                     a_top;
  logic [Width+1:0]         a;
  logic [Width:0]           b;
  logic [Digits:0][Out-1:0] row;
  assign a_top = a_signed_i & a_i[Width-1];
  assign a     = {a_top, a_top, a_i};
  assign b     = {b_i, 1'b0};
  for (genvar i = 0; i < int'(Digits); i++) begin : gen_digit
    logic one, two, negative;
    logic [Width+1:0] digit;
    assign one      = b[2*i+1] ^ b[2*i];
    assign two      = (b[2*i+2] ^ b[2*i+1]) & ~one;
    assign negative = b[2*i+2];
    assign digit    = ((a & {(Width + 2) {one}}) | ({a[Width:0], 1'b0} & {(Width + 2) {two}})) ^
                      {(Width + 2) {negative}};
    always_comb begin
      row[i] = '0;
      row[i][2*i+:Width+1] = digit[Width:0];
      if (i == 0) begin
        row[i][Width+1+:3] = {~digit[Width+1], digit[Width+1], digit[Width+1]};
      end else begin
        row[i][2*i+Width+1] = ~digit[Width+1];
        if (i < int'(Digits) - 1) row[i][2*i+Width+2] = 1'b1;
        row[i][2*i-2] = b[2*i];
      end
    end
  end
  always_comb begin
    row[Digits] = {a_i & {Width{b_i[Width-1] & ~b_signed_i}}, {Width{1'b0}}};
    row[Digits][Width-2] = b[Width];
  end

  // ---------------------------------------------------------------- three rows become two, level by level
  function automatic int unsigned rows_at(int unsigned level);
    rows_at = Digits + 1;
    for (int unsigned l = 0; l < level; l++) rows_at -= rows_at / 3;
  endfunction
  // The first column in which a row can have a one. Rows are kept in the order of this column.
  function automatic int unsigned first_column(int unsigned level, int unsigned index);
    int unsigned i, triples;
    i = index;
    for (int unsigned l = level; l > 0; l--) begin
      triples = rows_at(l - 1) / 3;
      i       = (i < 2 * triples) ? 3 * (i / 2) + i % 2 : i + triples;
    end
    return (i == 0) ? 0 : 2 * i - 2;
  endfunction
  function automatic int unsigned levels();
    levels = 0;
    while (rows_at(levels) > 2) levels++;
  endfunction
  localparam int unsigned Levels = levels();

  logic [Levels:0][Digits:0][Out-1:0] tree;
  assign tree[0] = row;
  for (genvar l = 0; l < int'(Levels); l++) begin : gen_level
    localparam int unsigned Triples = rows_at(l) / 3;
    localparam int unsigned Rest = rows_at(l) % 3;
    for (genvar i = 0; i < int'(Triples); i++) begin : gen_triple
      localparam int unsigned Low = first_column(l, 3 * i + 2);  // two rows below it: they stay as they are
      logic [Out-1:Low] p, q, r, pq;
      logic [Out-2:Low] carry;
      assign p     = tree[l][3*i][Out-1:Low];
      assign q     = tree[l][3*i+1][Out-1:Low];
      assign r     = tree[l][3*i+2][Out-1:Low];
      assign pq    = p ^ q;
      assign carry = (p[Out-2:Low] & q[Out-2:Low]) | (pq[Out-2:Low] & r[Out-2:Low]);
      always_comb begin
        tree[l+1][2*i]              = tree[l][3*i];
        tree[l+1][2*i+1]            = tree[l][3*i+1];
        tree[l+1][2*i][Out-1:Low]   = pq ^ r;
        tree[l+1][2*i+1][Out-1:Low] = {carry, 1'b0};
      end
    end
    for (genvar i = 0; i < int'(Rest); i++) begin : gen_rest
      assign tree[l+1][2*Triples+i] = tree[l][3*Triples+i];
    end
    for (genvar i = 2 * Triples + Rest; i <= int'(Digits); i++) begin : gen_none
      assign tree[l+1][i] = '0;
    end
  end

  assign product_o = tree[Levels][0] + tree[Levels][1];

endmodule
