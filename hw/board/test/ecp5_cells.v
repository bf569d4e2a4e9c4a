// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Cells of the ECP5 that are more than logic, as far as a design here uses them: for the simulation of a placed design
// (verify.dev.placed_netlist, which refuses what is not modelled, such as registers in a multiplier).

// Block of RAM, two ports of one clock. It begins with the file that has the name of the instance, `.hex`. The contents are
// 1024 words of 18 bits; the narrower ports have no parity bits, so bit n of
// theirs is bit n mod 8 of 9.
module DP16KD (
  input  wire CLKA, CEA, OCEA, WEA, RSTA, CSA2, CSA1, CSA0,
  input  wire CLKB, CEB, OCEB, WEB, RSTB, CSB2, CSB1, CSB0,
  input  wire DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
    DIA3, DIA2, DIA1, DIA0,
  input  wire ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
  output wire DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4,
    DOA3, DOA2, DOA1, DOA0,
  input  wire DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
    DIB3, DIB2, DIB1, DIB0,
  input  wire ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
  output wire DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
    DOB3, DOB2, DOB1, DOB0
);
  parameter DATA_WIDTH_A = 18;
  parameter DATA_WIDTH_B = 18;
  parameter WRITEMODE_A = "NORMAL";
  parameter WRITEMODE_B = "NORMAL";

  reg [17:0] words[0:1023];
  reg [17:0] outa, outb;

  reg [8*256-1:0] name;
  initial begin
    $sformat(name, "%m.hex");
    $readmemh(name, words);
    outa = 18'b0;
    outb = 18'b0;
  end

  // The bits of a word that a port of a width has at an address, and the place of its lowest bit.
  function [17:0] mask(input integer width);
    mask = (width == 18) ? 18'h3ffff : (width == 9) ? 18'h1ff : (width == 4) ? 18'hf : (width == 2) ? 18'h3 : 18'h1;
  endfunction
  function [4:0] place(input integer width, input [13:0] address);
    place = (width == 18) ? 5'd0
          : (address[3] ? 5'd9 : 5'd0) + ((width == 9) ? 5'd0
            : (width == 4) ? {2'b0, address[2], 2'b0} : (width == 2) ? {2'b0, address[2:1], 1'b0} : {2'b0, address[2:0]});
  endfunction

  wire [13:0] ada = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  wire [17:0] dia = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
    DIA3, DIA2, DIA1, DIA0};
  wire [17:0] wra = (DATA_WIDTH_A == 18) ? {{9{ada[1]}}, {9{ada[0]}}} : mask(DATA_WIDTH_A);
  wire [4:0] ata = place(DATA_WIDTH_A, ada);
  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4,
    DOA3, DOA2, DOA1, DOA0} = outa;
  wire [13:0] adb = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  wire [17:0] dib = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
    DIB3, DIB2, DIB1, DIB0};
  wire [17:0] wrb = (DATA_WIDTH_B == 18) ? {{9{adb[1]}}, {9{adb[0]}}} : mask(DATA_WIDTH_B);
  wire [4:0] atb = place(DATA_WIDTH_B, adb);
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
    DOB3, DOB2, DOB1, DOB0} = outb;

  wire ona = CEA && {CSA2, CSA1, CSA0} == 3'b000;
  wire cleara = RSTA === 1'b1;
  wire onb = CEB && {CSB2, CSB1, CSB0} == 3'b000;
  wire clearb = RSTB === 1'b1;

  // One process: what a port reads is what was there before the clock, and both may write bits of one word.
  always @(posedge CLKA) begin
    if (ona && (!WEA || WRITEMODE_A == "READBEFOREWRITE"))
      outa <= (words[ada[13:4]] >> ata) & mask(DATA_WIDTH_A);
    if (ona && WEA && WRITEMODE_A == "WRITETHROUGH") outa <= dia & mask(DATA_WIDTH_A);
    if (cleara) outa <= 18'b0;
    if (onb && (!WEB || WRITEMODE_B == "READBEFOREWRITE"))
      outb <= (words[adb[13:4]] >> atb) & mask(DATA_WIDTH_B);
    if (onb && WEB && WRITEMODE_B == "WRITETHROUGH") outb <= dib & mask(DATA_WIDTH_B);
    if (clearb) outb <= 18'b0;
    if (ona && WEA)
      words[ada[13:4]] = (words[ada[13:4]] & ~(wra << ata)) | ((dia & wra) << ata);
    if (onb && WEB)
      words[adb[13:4]] = (words[adb[13:4]] & ~(wrb << atb)) | ((dib & wrb) << atb);
  end
endmodule

// Multiplier without registers.
module MULT18X18D (
  input  wire SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
  input  wire CLK0, CLK1, CLK2, CLK3, CE0, CE1, CE2, CE3, RST0, RST1, RST2, RST3,
  input  wire A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0,
  input  wire B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0,
  input  wire C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0,
  output wire P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17,
    P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
);

  wire [17:0] a = {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire [17:0] b = {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  wire signed [35:0] left = {{18{SIGNEDA && a[17]}}, a};
  wire signed [35:0] right = {{18{SIGNEDB && b[17]}}, b};
  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17,
    P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = left * right;
endmodule
