// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// For Yosys (techmap), in proofs about netlists: a large memory becomes something outside. Registers hold what it is
// asked and told, so that it is compared; what it answers is anything.

(* techmap_celltype = "$memrd_v2" *)
module tz_memory_read (CLK, EN, ARST, SRST, ADDR, DATA);
  parameter MEMID = "";
  parameter ABITS = 1;
  parameter WIDTH = 1;
  parameter CLK_ENABLE = 0;
  parameter CLK_POLARITY = 1;
  parameter TRANSPARENCY_MASK = 0;
  parameter COLLISION_X_MASK = 0;
  parameter CE_OVER_SRST = 0;
  parameter ARST_VALUE = 0;
  parameter SRST_VALUE = 0;
  parameter INIT_VALUE = 0;
  input CLK, EN, ARST, SRST;
  input [ABITS-1:0] ADDR;
  output reg [WIDTH-1:0] DATA;
  wire _TECHMAP_FAIL_ = !CLK_ENABLE;
  wire [WIDTH-1:0] found;
  (* keep *) reg [ABITS:0] \_TECHMAP_REPLACE_.kept ;
  \$anyseq #(.WIDTH(WIDTH)) any (.Y(found));
  always @(posedge CLK) begin
    \_TECHMAP_REPLACE_.kept <= EN ? {1'b1, ADDR} : 0;
    if (EN) DATA <= found;
  end
endmodule

(* techmap_celltype = "$memwr_v2" *)
module tz_memory_write (CLK, EN, ADDR, DATA);
  parameter MEMID = "";
  parameter ABITS = 1;
  parameter WIDTH = 1;
  parameter CLK_ENABLE = 0;
  parameter CLK_POLARITY = 1;
  parameter PORTID = 0;
  parameter PRIORITY_MASK = 0;
  input CLK;
  input [WIDTH-1:0] EN, DATA;
  input [ABITS-1:0] ADDR;
  (* keep *) reg [ABITS+2*WIDTH-1:0] \_TECHMAP_REPLACE_.kept ;
  always @(posedge CLK) \_TECHMAP_REPLACE_.kept <= {|EN ? ADDR : {ABITS{1'b0}}, EN, DATA & EN};
endmodule
