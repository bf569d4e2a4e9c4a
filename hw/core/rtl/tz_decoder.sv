// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Decodes one 32-bit instruction (tz_decompress has expanded it if it was compressed). Outputs: the control word of EX,
// the immediate, and what ID needs for operands and hazards. Combinational. An instruction of an extension that the
// configuration does not have is illegal. Whether a CSR exists and may be accessed is judged in EX, where the privilege
// level is certain.
module tz_decoder
  import isa_pkg::*;
  import tz_core_pkg::*;
#(
  parameter core_cfg_pkg::core_cfg_t Cfg = core_cfg_pkg::CoreDefault
) (
  input  logic [31:0] instr_i,
  input  logic        illegal_i,   // known to be illegal already (a reserved compressed encoding)
  output ctrl_t       ctrl_o,
  output logic [31:0] imm_o,       // operand B of the instructions without rs2
  output logic        rs1_used_o,  // the instruction reads rs1: ID must wait for it
  output logic        rs2_used_o
);

  localparam logic [6:0] OpcLoad   = 7'h03;
  localparam logic [6:0] OpcFence  = 7'h0F;
  localparam logic [6:0] OpcImm    = 7'h13;
  localparam logic [6:0] OpcAuipc  = 7'h17;
  localparam logic [6:0] OpcStore  = 7'h23;
  localparam logic [6:0] OpcAmo    = 7'h2F;
  localparam logic [6:0] OpcReg    = 7'h33;
  localparam logic [6:0] OpcLui    = 7'h37;
  localparam logic [6:0] OpcBranch = 7'h63;
  localparam logic [6:0] OpcJalr   = 7'h67;
  localparam logic [6:0] OpcJal    = 7'h6F;
  localparam logic [6:0] OpcSystem = 7'h73;

  logic [6:0] opcode, f7;
  logic [2:0] f3;
  logic [4:0] rd, rs2;
  assign opcode = instr_i[6:0];
  assign f3     = instr_i[14:12];
  assign f7     = instr_i[31:25];
  assign rd     = instr_i[11:7];
  assign rs2    = instr_i[24:20];

  kind_e      kind;
  alu_op_e    alu_op;
  result_e    result;
  logic [5:0] atop;
  logic       rd_write, illegal, user, debug;

  // Immediates (Unprivileged ISA, 2.3); tz_jump has those of jal and branches.
  always_comb begin
    unique case (opcode)
      OpcStore:         imm_o = {{21{instr_i[31]}}, instr_i[30:25], instr_i[11:7]};
      OpcLui, OpcAuipc: imm_o = {instr_i[31:12], 12'b0};
      OpcAmo:           imm_o = Cfg.ExtA ? '0 : {{21{instr_i[31]}}, instr_i[30:20]};
      default:          imm_o = {{21{instr_i[31]}}, instr_i[30:20]};
    endcase
  end

  always_comb begin
    kind       = KindAlu;
    alu_op     = AluAdd;
    result     = ResAlu;
    atop       = obi_pkg::AtopNone;
    rd_write   = 1'b0;
    illegal    = 1'b0;
    user       = 1'b0;
    debug      = 1'b0;
    rs1_used_o = 1'b0;
    rs2_used_o = 1'b0;

    unique case (opcode)
      OpcLui: begin
        rd_write = 1'b1;
      end

      OpcAuipc: begin
        rd_write = 1'b1;
      end

      OpcJal: begin
        kind     = KindJal;
        result   = ResLink;
        rd_write = 1'b1;
      end

      OpcJalr: begin
        kind       = KindJalr;
        result     = ResLink;
        rd_write   = 1'b1;
        rs1_used_o = 1'b1;
        illegal    = (f3 != 3'b000);
      end

      OpcBranch: begin
        kind       = KindBranch;
        rs1_used_o = 1'b1;
        rs2_used_o = 1'b1;
        illegal    = (f3[2:1] == 2'b01);
      end

      OpcLoad: begin
        kind       = KindLoad;
        rd_write   = 1'b1;
        rs1_used_o = 1'b1;
        illegal    = (f3 == 3'b011) || (f3[2:1] == 2'b11);
      end

      OpcStore: begin
        kind       = KindStore;
        rs1_used_o = 1'b1;
        rs2_used_o = 1'b1;
        illegal    = f3[2] || (f3[1:0] == 2'b11);
      end

      OpcImm: begin
        rd_write   = 1'b1;
        rs1_used_o = 1'b1;
        unique case (f3)
          3'b000: alu_op = AluAdd;
          3'b010: alu_op = AluSlt;
          3'b011: alu_op = AluSltu;
          3'b100: alu_op = AluXor;
          3'b110: alu_op = AluOr;
          3'b111: alu_op = AluAnd;
          3'b001: begin
            unique case (f7)
              7'b0000000: alu_op = AluSll;
              7'b0010100: begin alu_op = AluBset; illegal = !Cfg.ExtZbs; end
              7'b0100100: begin alu_op = AluBclr; illegal = !Cfg.ExtZbs; end
              7'b0110100: begin alu_op = AluBinv; illegal = !Cfg.ExtZbs; end
              7'b0110000: begin
                illegal = !Cfg.ExtZbb;
                unique case (rs2)
                  5'd0:    alu_op = AluClz;
                  5'd1:    alu_op = AluCtz;
                  5'd2:    alu_op = AluCpop;
                  5'd4:    alu_op = AluSextb;
                  5'd5:    alu_op = AluSexth;
                  default: illegal = 1'b1;
                endcase
              end
              default:    illegal = 1'b1;
            endcase
          end
          default: begin  // 3'b101
            unique case (f7)
              7'b0000000: alu_op = AluSrl;
              7'b0100000: alu_op = AluSra;
              7'b0100100: begin alu_op = AluBext; illegal = !Cfg.ExtZbs; end
              7'b0110000: begin alu_op = AluRor; illegal = !Cfg.ExtZbb; end
              7'b0010100: begin alu_op = AluOrcb; illegal = !Cfg.ExtZbb || (rs2 != 5'd7); end
              7'b0110100: begin alu_op = AluRev8; illegal = !Cfg.ExtZbb || (rs2 != 5'd24); end
              default:    illegal = 1'b1;
            endcase
          end
        endcase
      end

      OpcReg: begin
        rd_write   = 1'b1;
        rs1_used_o = 1'b1;
        rs2_used_o = 1'b1;
        if (f7 == 7'b0000001) begin
          illegal = !Cfg.ExtM;
          kind    = f3[2] ? KindDiv : KindAlu;
          result  = f3[2] ? ResDiv : ResMul;
        end else begin
          unique case ({f7, f3})
            {7'b0000000, 3'b000}: alu_op = AluAdd;
            {7'b0100000, 3'b000}: alu_op = AluSub;
            {7'b0000000, 3'b001}: alu_op = AluSll;
            {7'b0000000, 3'b010}: alu_op = AluSlt;
            {7'b0000000, 3'b011}: alu_op = AluSltu;
            {7'b0000000, 3'b100}: alu_op = AluXor;
            {7'b0000000, 3'b101}: alu_op = AluSrl;
            {7'b0100000, 3'b101}: alu_op = AluSra;
            {7'b0000000, 3'b110}: alu_op = AluOr;
            {7'b0000000, 3'b111}: alu_op = AluAnd;
            {7'b0010000, 3'b010}: begin alu_op = AluSh1add; illegal = !Cfg.ExtZba; end
            {7'b0010000, 3'b100}: begin alu_op = AluSh2add; illegal = !Cfg.ExtZba; end
            {7'b0010000, 3'b110}: begin alu_op = AluSh3add; illegal = !Cfg.ExtZba; end
            {7'b0100000, 3'b100}: begin alu_op = AluXnor; illegal = !Cfg.ExtZbb; end
            {7'b0100000, 3'b110}: begin alu_op = AluOrn; illegal = !Cfg.ExtZbb; end
            {7'b0100000, 3'b111}: begin alu_op = AluAndn; illegal = !Cfg.ExtZbb; end
            {7'b0000101, 3'b100}: begin alu_op = AluMin; illegal = !Cfg.ExtZbb; end
            {7'b0000101, 3'b101}: begin alu_op = AluMinu; illegal = !Cfg.ExtZbb; end
            {7'b0000101, 3'b110}: begin alu_op = AluMax; illegal = !Cfg.ExtZbb; end
            {7'b0000101, 3'b111}: begin alu_op = AluMaxu; illegal = !Cfg.ExtZbb; end
            {7'b0110000, 3'b001}: begin alu_op = AluRol; illegal = !Cfg.ExtZbb; end
            {7'b0110000, 3'b101}: begin alu_op = AluRor; illegal = !Cfg.ExtZbb; end
            {7'b0000100, 3'b100}: begin alu_op = AluZexth; illegal = !Cfg.ExtZbb || (rs2 != 5'd0); end
            {7'b0100100, 3'b001}: begin alu_op = AluBclr; illegal = !Cfg.ExtZbs; end
            {7'b0100100, 3'b101}: begin alu_op = AluBext; illegal = !Cfg.ExtZbs; end
            {7'b0110100, 3'b001}: begin alu_op = AluBinv; illegal = !Cfg.ExtZbs; end
            {7'b0010100, 3'b001}: begin alu_op = AluBset; illegal = !Cfg.ExtZbs; end
            default: illegal = 1'b1;
          endcase
        end
      end

      // Zalrsc, Zaamo. instr_i[26:25] (acquire, release) is ignored: all accesses are in order anyway (docs/core.md).
      OpcAmo: if (Cfg.ExtA) begin
        atop       = {1'b1, instr_i[31:27]};
        kind       = (atop == obi_pkg::AtopLr) ? KindLoad : KindStore;
        rd_write   = 1'b1;
        rs1_used_o = 1'b1;
        rs2_used_o = (atop != obi_pkg::AtopLr);
        illegal    = (f3 != 3'b010);
        unique case (atop)
          obi_pkg::AtopSc, obi_pkg::AtopSwap: ;
          obi_pkg::AtopLr: if (rs2 != 5'd0) illegal = 1'b1;
          default:         if (atop[1:0] != 2'b00) illegal = 1'b1;
        endcase
      end else begin
        illegal = 1'b1;
      end

      OpcFence: begin  // fence does nothing: accesses are in order, and one at a time
        if (f3 == 3'b001) kind = KindFenceI;
        illegal = (f3[2:1] != 2'b00);
      end

      OpcSystem: begin
        if (f3 == 3'b000) begin
          unique case (instr_i[31:7])
            {12'h000, 13'b0}: kind = KindEcall;
            {12'h001, 13'b0}: kind = KindEbreak;
            {12'h302, 13'b0}: kind = KindMret;
            {12'h7b2, 13'b0}: begin  // dret; tz_trap_select knows whether it is legal
              kind    = KindMret;
              debug   = Cfg.Debug;
              illegal = !Cfg.Debug;
            end
            {12'h105, 13'b0}: kind = KindWfi;
            InsnEmretMatch[31:7]: kind = KindEmret;  // tz_trap knows whether it is legal
            InsnUretMatch[31:7], InsnEuretMatch[31:7]: begin
              kind    = (instr_i[31:7] == InsnUretMatch[31:7]) ? KindMret : KindEmret;
              user    = Cfg.UserIrq;
              illegal = !Cfg.UserIrq;
            end
            default: begin
              illegal = !(Cfg.Uintr && (instr_i & InsnSenduipiMask) == InsnSenduipiMatch);
              if (!illegal) begin
                kind       = KindPost;  // tz_trap knows whether it is legal
                rs1_used_o = 1'b1;
              end
            end
          endcase
        end else begin
          kind       = KindCsr;
          result     = ResCsr;
          rd_write   = 1'b1;
          rs1_used_o = !f3[2];
          illegal    = (f3[1:0] == 2'b00);
        end
      end

      default: illegal = 1'b1;
    endcase

    if (illegal_i) illegal = 1'b1;
    if (Cfg.RV32E) begin
      if ((rd_write && rd[4]) || (rs1_used_o && instr_i[19]) || (rs2_used_o && rs2[4])) illegal = 1'b1;
    end
    if (illegal) begin
      kind   = KindIllegal;
      result = ResAlu;
      atop   = obi_pkg::AtopNone;
    end
  end

  assign ctrl_o = '{
    kind:   kind,
    alu_op: alu_op,
    result: result,
    atop:   atop,
    funct3: f3,
    user:   user && !illegal,
    debug:  debug && !illegal,
    rd_we:  rd_write && !illegal && (rd != 5'd0),
    rd:     rd
  };

endmodule
