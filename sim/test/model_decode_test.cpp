// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's decoder: every encoding of the opcode fields is compared with the disassembler, which was written
// separately; and one encoding of each operation is given by hand.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "kernel/disasm.h"
#include "kernel/error.h"
#include "model/isa/decode.h"

namespace trapeze::model {
namespace {

constexpr Params kAtomic = parse_params("rv32imac_zba_zbb_zbs");
constexpr Params kFull = parse_params("rv32imc_zba_zbb_zbs_zicsr_zifencei");
constexpr Params kEmbedded = parse_params("rv32emc_zba_zbb_zbs");
constexpr Params kBase = parse_params("rv32i");
constexpr Params kFloat = parse_params("rv64imafdc");

std::string text_of(std::uint32_t word, const Params& params) {
  return disassemble(word, 0x80000000, {params.xlen});
}

bool unknown(std::uint32_t word, const Params& params) {
  const std::string text = text_of(word, params);
  return text.find(".4byte") != std::string::npos || text.find(".2byte") != std::string::npos || word == 0;
}

/** Whether the operation belongs to F or D. */
bool is_float_opcode(std::uint32_t word) {
  const std::uint32_t opcode = word & 0x7fU;
  return opcode == 0x07 || opcode == 0x27 || opcode == 0x53 || (opcode & 0x73U) == 0x43;
}

TEST(ModelParams, UnderstandsIsaStrings) {
  EXPECT_TRUE(kFull.valid && kFull.m && kFull.c && kFull.zba && kFull.zbb && kFull.zbs && !kFull.embedded);
  EXPECT_TRUE(kEmbedded.valid && kEmbedded.embedded);
  EXPECT_EQ(kEmbedded.registers(), 16U);
  EXPECT_TRUE(kBase.valid && !kBase.m && !kBase.c);
  const Params wide = parse_params("rv64imac_zba");
  EXPECT_TRUE(wide.valid && wide.xlen == 64 && wide.a && kFull.xlen == 32 && !kFull.a);
  for (const char* text :
       {"", "rv32", "rv64", "rv64e", "rv128i", "rv32g", "rv32imf", "rv32id", "rv32i_zfoo", "rv32i_"}) {
    EXPECT_FALSE(parse_params(text).valid) << text;
  }
}

TEST(ModelDecoder, AgreesWithTheDisassemblerOnEveryCompressedWord) {
  for (std::uint32_t half = 0; half < 0x10000; ++half) {
    if ((half & 3U) == 3U) continue;
    for (const Params& params : {kFull, kFloat}) {
      const Decoded decoded = decode(half | 0xabcd0000U, params);
      ASSERT_EQ(decoded.op == Operation::illegal, unknown(half, params)) << hex(half) << " " << text_of(half, params);
      ASSERT_EQ(decoded.size, 2);
      ASSERT_EQ(decoded.insn, half);
    }
    ASSERT_EQ(decode(half, kBase).op, Operation::illegal) << "without C " << hex(half);
  }
}

constexpr Params kWide = parse_params("rv64imac_zba_zbb_zbs");
constexpr Params kBlocks = parse_params("rv64imac_zicbom");

TEST(ModelDecoder, AgreesWithTheDisassemblerOnEveryFullWord) {
  // All opcodes, funct3, funct7 and rs2; two settings of rd and rs1. Privileged instructions have examples below: the
  // disassembler knows more of them than the platform has.
  for (std::uint32_t fields = 0; fields < (1U << 20); ++fields) {
    const std::uint32_t word = 3U | ((fields & 0x1fU) << 2) | (((fields >> 5) & 7U) << 12) | ((fields >> 8) << 20);
    for (const std::uint32_t registers : {0U, (5U << 7) | (9U << 15)}) {
      const std::uint32_t insn = word | registers;
      // Reserved fields of fences are to be ignored; the disassembler has no text for such words.
      if ((insn & 0x7fU) == 0x0f && unknown(insn, kAtomic)) continue;
      if ((insn & 0x707fU) == 0x73) continue;
      const bool is_float = is_float_opcode(insn);
      // A rounding mode where nothing is rounded, which the disassembler does not know, or one that is reserved.
      const std::uint32_t exact = insn & 0xfff0007fU;
      if (exact == 0x42000053 || exact == 0xd2000053 || exact == 0xd2100053) continue;
      if (is_float && text_of(insn, kFloat).find(",unknown") != std::string::npos) {
        ASSERT_EQ(decode(insn, kFloat).op, Operation::illegal) << hex(insn);
        continue;
      }
      const bool is_block = (insn & 0x707fU) == 0x200f;
      for (const Params& integer : {kAtomic, kWide}) {
        const Params& params = is_float ? kFloat : is_block ? kBlocks : integer;
        const Decoded decoded = decode(insn, params);
        ASSERT_EQ(decoded.op == Operation::illegal, unknown(insn, params)) << hex(insn) << " " << text_of(insn, params);
        ASSERT_EQ(decoded.size, 4);
        if (is_float || is_block) break;
      }
    }
  }
}

/** Encodings of GNU as with the operands a0, a1, a2. */
const std::map<std::uint32_t, Operation> kAtomicWords = {
    {0x1005a52f, Operation::lr_w},      {0x18c5a52f, Operation::sc_w},      {0x08c5a52f, Operation::amoswap_w},
    {0x00c5a52f, Operation::amoadd_w},  {0x20c5a52f, Operation::amoxor_w},  {0x60c5a52f, Operation::amoand_w},
    {0x40c5a52f, Operation::amoor_w},   {0x80c5a52f, Operation::amomin_w},  {0xa0c5a52f, Operation::amomax_w},
    {0xc0c5a52f, Operation::amominu_w}, {0xe0c5a52f, Operation::amomaxu_w},
};
const std::map<std::uint32_t, Operation> kWideWords = {
    {0x0085b503, Operation::ld},        {0x0085e503, Operation::lwu},       {0x00a5b423, Operation::sd},
    {0x0055851b, Operation::addiw},     {0x0035951b, Operation::slliw},     {0x0035d51b, Operation::srliw},
    {0x4035d51b, Operation::sraiw},     {0x00c5853b, Operation::addw},      {0x40c5853b, Operation::subw},
    {0x00c5953b, Operation::sllw},      {0x00c5d53b, Operation::srlw},      {0x40c5d53b, Operation::sraw},
    {0x02c5853b, Operation::mulw},      {0x02c5c53b, Operation::divw},      {0x02c5d53b, Operation::divuw},
    {0x02c5e53b, Operation::remw},      {0x02c5f53b, Operation::remuw},     {0x08c5853b, Operation::adduw},
    {0x20c5a53b, Operation::sh1adduw},  {0x20c5c53b, Operation::sh2adduw},  {0x20c5e53b, Operation::sh3adduw},
    {0x0a15951b, Operation::slliuw},    {0x6005951b, Operation::clzw},      {0x6015951b, Operation::ctzw},
    {0x6025951b, Operation::cpopw},     {0x60c5953b, Operation::rolw},      {0x60c5d53b, Operation::rorw},
    {0x6035d51b, Operation::roriw},     {0x1005b52f, Operation::lr_d},      {0x18c5b52f, Operation::sc_d},
    {0x08c5b52f, Operation::amoswap_d}, {0x00c5b52f, Operation::amoadd_d},  {0x20c5b52f, Operation::amoxor_d},
    {0x60c5b52f, Operation::amoand_d},  {0x40c5b52f, Operation::amoor_d},   {0x80c5b52f, Operation::amomin_d},
    {0xa0c5b52f, Operation::amomax_d},  {0xc0c5b52f, Operation::amominu_d}, {0xe0c5b52f, Operation::amomaxu_d},
    {0x02159513, Operation::slli},      {0x43f5d513, Operation::srai},      {0x6285d513, Operation::rori},
    {0x2b259513, Operation::bseti},     {0x0805c53b, Operation::zexth},     {0x6b85d513, Operation::rev8},
};

/** Encodings of GNU as with the operands fa0, fa1, fa2, fa3. */
const std::map<std::uint32_t, Operation> kFloatWords = {
    {0x0085a507, Operation::flw},       {0x0085b507, Operation::fld},       {0x00a5a427, Operation::fsw},
    {0x00a5b427, Operation::fsd},       {0xf0058553, Operation::fmv_w_x},   {0xd005f553, Operation::fcvt_s_w},
    {0xd015f553, Operation::fcvt_s_wu}, {0xd025f553, Operation::fcvt_s_l},  {0xd035f553, Operation::fcvt_s_lu},
    {0xf2058553, Operation::fmv_d_x},   {0xd2058553, Operation::fcvt_d_w},  {0xd2158553, Operation::fcvt_d_wu},
    {0xd225f553, Operation::fcvt_d_l},  {0xd235f553, Operation::fcvt_d_lu}, {0xe0058553, Operation::fmv_x_w},
    {0xc005f553, Operation::fcvt_w_s},  {0xc015f553, Operation::fcvt_wu_s}, {0xc025f553, Operation::fcvt_l_s},
    {0xc035f553, Operation::fcvt_lu_s}, {0xa0c5a553, Operation::feq_s},     {0xa0c59553, Operation::flt_s},
    {0xa0c58553, Operation::fle_s},     {0xe0059553, Operation::fclass_s},  {0xe2058553, Operation::fmv_x_d},
    {0xc205f553, Operation::fcvt_w_d},  {0xc215f553, Operation::fcvt_wu_d}, {0xc225f553, Operation::fcvt_l_d},
    {0xc235f553, Operation::fcvt_lu_d}, {0xa2c5a553, Operation::feq_d},     {0xa2c59553, Operation::flt_d},
    {0xa2c58553, Operation::fle_d},     {0xe2059553, Operation::fclass_d},  {0x00c5f553, Operation::fadd_s},
    {0x08c5f553, Operation::fsub_s},    {0x10c5f553, Operation::fmul_s},    {0x18c5f553, Operation::fdiv_s},
    {0x5805f553, Operation::fsqrt_s},   {0x20c58553, Operation::fsgnj_s},   {0x20c59553, Operation::fsgnjn_s},
    {0x20c5a553, Operation::fsgnjx_s},  {0x28c58553, Operation::fmin_s},    {0x28c59553, Operation::fmax_s},
    {0x68c5f543, Operation::fmadd_s},   {0x68c5f547, Operation::fmsub_s},   {0x68c5f54b, Operation::fnmsub_s},
    {0x68c5f54f, Operation::fnmadd_s},  {0x4015f553, Operation::fcvt_s_d},  {0x02c5f553, Operation::fadd_d},
    {0x0ac5f553, Operation::fsub_d},    {0x12c5f553, Operation::fmul_d},    {0x1ac5f553, Operation::fdiv_d},
    {0x5a05f553, Operation::fsqrt_d},   {0x22c58553, Operation::fsgnj_d},   {0x22c59553, Operation::fsgnjn_d},
    {0x22c5a553, Operation::fsgnjx_d},  {0x2ac58553, Operation::fmin_d},    {0x2ac59553, Operation::fmax_d},
    {0x6ac5f543, Operation::fmadd_d},   {0x6ac5f547, Operation::fmsub_d},   {0x6ac5f54b, Operation::fnmsub_d},
    {0x6ac5f54f, Operation::fnmadd_d},  {0x42058553, Operation::fcvt_d_s},
};

TEST(ModelDecoder, KnowsEachOperation) {
  const std::map<std::uint32_t, Operation> words = {
      {0x123452b7, Operation::li},          {0x12345297, Operation::li},      {0x008000ef, Operation::jal},
      {0x00008067, Operation::jalr},        {0x00b50463, Operation::beq},     {0x00b51463, Operation::bne},
      {0x00b54463, Operation::blt},         {0x00b55463, Operation::bge},     {0x00b56463, Operation::bltu},
      {0x00b57463, Operation::bgeu},        {0x00058503, Operation::lb},      {0x00059503, Operation::lh},
      {0x0005a503, Operation::lw},          {0x0005c503, Operation::lbu},     {0x0005d503, Operation::lhu},
      {0x00a58023, Operation::sb},          {0x00a59023, Operation::sh},      {0x00a5a023, Operation::sw},
      {0x00158513, Operation::addi},        {0x0015a513, Operation::slti},    {0x0015b513, Operation::sltiu},
      {0x0015c513, Operation::xori},        {0x0015e513, Operation::ori},     {0x0015f513, Operation::andi},
      {0x00159513, Operation::slli},        {0x0015d513, Operation::srli},    {0x4015d513, Operation::srai},
      {0x00c58533, Operation::add},         {0x40c58533, Operation::sub},     {0x00c59533, Operation::sll},
      {0x00c5a533, Operation::slt},         {0x00c5b533, Operation::sltu},    {0x00c5c533, Operation::xor_},
      {0x00c5d533, Operation::srl},         {0x40c5d533, Operation::sra},     {0x00c5e533, Operation::or_},
      {0x00c5f533, Operation::and_},        {0x02c58533, Operation::mul},     {0x02c59533, Operation::mulh},
      {0x02c5a533, Operation::mulhsu},      {0x02c5b533, Operation::mulhu},   {0x02c5c533, Operation::div},
      {0x02c5d533, Operation::divu},        {0x02c5e533, Operation::rem},     {0x02c5f533, Operation::remu},
      {0x20c5a533, Operation::sh1add},      {0x20c5c533, Operation::sh2add},  {0x20c5e533, Operation::sh3add},
      {0x40c5f533, Operation::andn},        {0x40c5e533, Operation::orn},     {0x40c5c533, Operation::xnor},
      {0x60059513, Operation::clz},         {0x60159513, Operation::ctz},     {0x60259513, Operation::cpop},
      {0x0ac5e533, Operation::max},         {0x0ac5f533, Operation::maxu},    {0x0ac5c533, Operation::min},
      {0x0ac5d533, Operation::minu},        {0x60459513, Operation::sextb},   {0x60559513, Operation::sexth},
      {0x0805c533, Operation::zexth},       {0x60c59533, Operation::rol},     {0x60c5d533, Operation::ror},
      {0x6035d513, Operation::rori},        {0x2875d513, Operation::orcb},    {0x6985d513, Operation::rev8},
      {0x48c59533, Operation::bclr},        {0x48359513, Operation::bclri},   {0x48c5d533, Operation::bext},
      {0x4835d513, Operation::bexti},       {0x68c59533, Operation::binv},    {0x68359513, Operation::binvi},
      {0x28c59533, Operation::bset},        {0x28359513, Operation::bseti},   {0x0000000f, Operation::nop},
      {0x0000100f, Operation::fence_i},     {0x34051573, Operation::csr},     {0x00000073, Operation::ecall},
      {0x00100073, Operation::ebreak},      {0x30200073, Operation::mret},    {0x10500073, Operation::wfi},
      {0x00502013, Operation::slti_marker}, {0x10200073, Operation::illegal}, {0x12000073, Operation::illegal},
      {0x30200173, Operation::illegal},     {0x70200073, Operation::illegal}, {0x7b200073, Operation::illegal},
      {0x00200073, Operation::illegal},     {0x0000c073, Operation::illegal}, {0xffffffff, Operation::illegal},
      {0x00000000, Operation::illegal},
  };
  std::set<Operation> seen;
  for (const auto& [word, op] : words) {
    EXPECT_EQ(decode(word, kFull).op, op) << hex(word) << " " << disassemble(word, 0, {32});
    seen.insert(op);
  }
  EXPECT_EQ(decode(kEmret, kFull).op, Operation::illegal);
  seen.insert(decode(kEmret, kFull.with_clic(true).with_fast(true)).op);
  constexpr Params kPrivileged = kFull.with_supervisor(true);
  const std::map<std::uint32_t, Operation> supervisor = {
      {0x10200073, Operation::sret},    {0x12000073, Operation::sfence_vma}, {0x12c58073, Operation::sfence_vma},
      {0x12000173, Operation::illegal}, {0x16000073, Operation::illegal},    {0x00200073, Operation::illegal},
  };
  for (const auto& [word, op] : supervisor) {
    EXPECT_EQ(decode(word, kPrivileged).op, op) << hex(word);
    EXPECT_EQ(decode(word, kFull).op, Operation::illegal) << "without S mode " << hex(word);
    seen.insert(op);
  }
  for (const auto& [word, op] : {std::pair{kUret, Operation::uret}, {kEuret, Operation::euret}}) {
    EXPECT_EQ(decode(word, kFull.with_clic(true).with_fast(true)).op, Operation::illegal);
    EXPECT_EQ(decode(word, kFull.with_clic(true).with_fast(true).with_user_interrupts(true)).op, op);
    seen.insert(op);
  }
  constexpr Params kPosts = kAtomic.with_clic(true).with_user_interrupts(true).with_uintr(true);
  EXPECT_EQ(decode(0x8e0f8073, kPosts.with_uintr(false)).op, Operation::illegal);
  EXPECT_EQ(decode(0x8e0f80f3, kPosts).op, Operation::illegal);
  EXPECT_EQ(decode(0x8e1f8073, kPosts).op, Operation::illegal);
  EXPECT_EQ(decode(0x8e0f8073, kPosts).rs1, 31);
  seen.insert(decode(0x8e0f8073, kPosts).op);
  for (const auto& [word, op] : kAtomicWords) {
    EXPECT_EQ(decode(word, kAtomic).op, op) << hex(word);
    EXPECT_EQ(decode(word, kFull).op, Operation::illegal) << "without A " << hex(word);
    seen.insert(op);
  }
  for (const auto& [word, op] : kWideWords) {
    EXPECT_EQ(decode(word, kWide).op, op) << hex(word);
    EXPECT_EQ(decode(word, kAtomic).op, Operation::illegal) << "on RV32 " << hex(word);
    seen.insert(op);
  }
  for (const auto& [word, op] : kFloatWords) {
    EXPECT_EQ(decode(word, kFloat).op, op) << hex(word);
    EXPECT_EQ(decode(word, kWide).op, Operation::illegal) << "without F and D " << hex(word);
    seen.insert(op);
  }
  const std::map<std::uint32_t, Operation> blocks = {
      {0x000fa00f, Operation::cbo_inval}, {0x001fa00f, Operation::cbo_clean}, {0x002fa00f, Operation::cbo_flush},
      {0x004fa00f, Operation::illegal},   {0x003fa00f, Operation::illegal},   {0x002fa08f, Operation::illegal},
  };
  for (const auto& [word, op] : blocks) {
    EXPECT_EQ(decode(word, kBlocks).op, op) << hex(word);
    EXPECT_EQ(decode(word, kWide).op, Operation::illegal) << "without Zicbom " << hex(word);
    seen.insert(op);
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(Operation::fetch_fault)) << "an operation has no example";
}

TEST(ModelDecoder, Immediates) {
  EXPECT_EQ(decode(0x80000537, kFull).imm, static_cast<std::int32_t>(0x80000000U));
  EXPECT_TRUE(decode(0x80000517, kFull).relative);
  EXPECT_EQ(decode(0xfff50513, kFull).imm, -1);
  EXPECT_EQ(decode(0xfe000ee3, kFull).imm, -4);         // beq x0, x0, .-4
  EXPECT_EQ(decode(0x7e000fe3, kFull).imm, 0xffe);      // the furthest branch
  EXPECT_EQ(decode(0x800000ef, kFull).imm, -0x100000);  // the furthest jump back
  EXPECT_EQ(decode(0x7ffff0ef, kFull).imm, 0xffffe);
  EXPECT_EQ(decode(0x80a5a023, kFull).imm, -2048);
  EXPECT_EQ(decode(0x01f59513, kFull).imm, 31);
  EXPECT_EQ(decode(0xfff51573, kFull).imm, 0xfff);  // CSR numbers are not signed
}

TEST(ModelDecoder, EmbeddedBaseHasSixteenRegisters) {
  for (const std::uint32_t word : {0x00058833U /* rd x16 */, 0x00080533U /* rs1 x16 */, 0x01050533U /* rs2 x16 */,
                                   0x000f8067U, 0x01f52023U, 0x00080063U, 0x34081073U}) {
    EXPECT_EQ(decode(word, kEmbedded).op, Operation::illegal) << hex(word);
    EXPECT_NE(decode(word, kFull).op, Operation::illegal) << hex(word);
  }
  EXPECT_EQ(decode(0x340fd073, kEmbedded).op, Operation::csr) << "an immediate is no register";
  EXPECT_EQ(decode(0x4801, kEmbedded).op, Operation::illegal) << "c.li a6, 0";
  EXPECT_EQ(decode(0x4501, kEmbedded).op, Operation::addi) << "c.li a0, 0";
}

TEST(ModelDecoder, LeavesOutWhatTheHartHasNot) {
  for (const std::uint32_t word :
       {0x02c58533U, 0x20c5a533U, 0x40c5f533U, 0x60059513U, 0x6985d513U, 0x48c59533U, 0x28359513U, 0x0805c533U}) {
    EXPECT_EQ(decode(word, kBase).op, Operation::illegal) << hex(word);
    EXPECT_NE(decode(word, kFull).op, Operation::illegal) << hex(word);
  }
}

}  // namespace
}  // namespace trapeze::model
