// SPDX-License-Identifier: Apache-2.0
// Instructions are equal that do the same to equal values and give the same tiles on every device. In which
// order they stand does not matter.
#include "emit/shard/same_program.hpp"

#include <map>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tw::emit::shard {

using graph::kNone;
using graph::OpId;
using spmd::InstrKind;
using spmd::ValueRef;

namespace {

// Numbers for what instructions do and make; those of two programs that are the same have one number.
class Numbers {
public:
  uint32_t of(const std::string &what) {
    return numbers_.try_emplace(what, static_cast<uint32_t>(numbers_.size())).first->second;
  }

private:
  std::map<std::string, uint32_t> numbers_;
};

class Walk {
public:
  // `name`: by op of this program's graph, a number that both programs have for it.
  Walk(const spmd::Program &program, const std::vector<OpId> &name, Numbers &numbers)
      : program_(program), name_(name), numbers_(numbers), made_(program.values().size(), kNone) {
    for (const spmd::Instr &instr : program.instrs())
      visit(instr);
  }
  const std::map<uint32_t, int64_t> &counts() const { return counts_; }

private:
  void visit(const spmd::Instr &instr) {
    const bool passes = (instr.kind == InstrKind::compute && name_[instr.op] == kNone) ||
                        (instr.kind == InstrKind::collective && instr.num_operands == 1 &&
                         program_.collectives()[instr.index].summary.bytes_received_max == 0);
    if (passes) {
      made_[instr.first_result] = made_[program_.operands(instr)[0]];
      return;
    }
    const std::string what = name_of(instr);
    std::string read, made;
    for (const ValueRef v : program_.operands(instr))
      read += fmt::format(" {}{}", made_[v], layout(v));
    for (uint32_t i = 0; i < instr.num_results; ++i)
      made += layout(instr.first_result + i);
    ++counts_[numbers_.of(fmt::format("{}({}) {}", what, read, made))];
    // What a region takes may be what it gives in the end: its values have names of their own.
    const std::string &maker = instr.kind == InstrKind::region ? what : what + read;
    for (uint32_t i = 0; i < instr.num_results; ++i)
      made_[instr.first_result + i] =
          numbers_.of(fmt::format("{} of {} {}", i, maker, layout(instr.first_result + i)));
  }

  std::string name_of(const spmd::Instr &instr) const {
    const auto kind = static_cast<int>(instr.kind);
    if (instr.kind == InstrKind::collective) {
      const redistribute::Summary &summary = program_.collectives()[instr.index].summary;
      return fmt::format("{} {}", redistribute::name(summary.kind), static_cast<int>(summary.reduction));
    }
    if (instr.kind == InstrKind::argument || instr.kind == InstrKind::result)
      return fmt::format("{} {}", kind, instr.index);
    std::string who_begins; // with the initial values
    if (instr.kind == InstrKind::compute && !instr.reduce_axes.empty())
      for (sharding::Position p; p < program_.mesh().num_positions(); ++p)
        who_begins += program_.uses_init(instr, p) ? '1' : '0';
    return fmt::format("{} {} {} {}", kind, instr.op == kNone ? kNone : name_[instr.op], instr.index,
                       who_begins);
  }

  // The tiles of all devices; what is empty lies nowhere.
  std::string layout(ValueRef v) const {
    const sharding::Sharding &s = program_.sharding(program_.values()[v].sharding);
    int64_t parts = 1;
    for (const sharding::Partial &partial : s.partial)
      parts *= program_.mesh().size(partial.axis);
    std::string text = fmt::format(":{}", parts);
    for (sharding::Position p; p < program_.mesh().num_positions(); ++p) {
      const sharding::Box box = program_.box(v, p);
      text +=
          box.empty() ? ";" : fmt::format(";{}+{}", fmt::join(box.offset, ","), fmt::join(box.extent, ","));
    }
    return text;
  }

  const spmd::Program &program_;
  const std::vector<OpId> &name_;
  Numbers &numbers_;
  std::vector<uint32_t> made_; // by value
  std::map<uint32_t, int64_t> counts_;
};

} // namespace

bool is_same_program(const spmd::Program &program, const spmd::Program &other,
                     const std::vector<OpId> &same_op) {
  std::vector<OpId> ours(same_op.size(), kNone), theirs(other.graph().ops().size(), kNone);
  for (OpId op = 0; op < same_op.size(); ++op)
    if (same_op[op] != kNone)
      ours[op] = theirs[same_op[op]] = op;
  Numbers numbers;
  return Walk(program, ours, numbers).counts() == Walk(other, theirs, numbers).counts();
}

} // namespace tw::emit::shard
