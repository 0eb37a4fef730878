// SPDX-License-Identifier: Apache-2.0
// Every operand of a member is another member or a read, and every read stands there once.
#include "runtime/members.hpp"

#include <algorithm>
#include <iterator>

namespace tw::runtime {

using spmd::Instr;
using spmd::ValueRef;

bool is_of_member(const Step &step, const FusedRead &read, const spmd::Program &program) {
  return !read.constant && read.is_identity() && read.dims.size() == program.type(read.value).rank() &&
         std::ranges::binary_search(step.instrs, program.values()[read.value].def);
}

void connect_members(Step &step, const spmd::Program &program, const Roles &roles) {
  constexpr uint32_t kMember = uint32_t{1} << 31; // what follows counts members
  step.reads.clear();
  step.args.clear();
  for (const uint32_t i : step.instrs) {
    const Instr &in = program.instrs()[i];
    std::vector<uint32_t> &args = step.args.emplace_back();
    for (const ValueRef v : program.operands(in)) {
      FusedRead read = roles.read_of(v, in.first_result);
      if (is_of_member(step, read, program)) {
        const auto at = std::ranges::lower_bound(step.instrs, program.values()[read.value].def);
        args.push_back(kMember | static_cast<uint32_t>(at - step.instrs.begin()));
        continue;
      }
      const auto at = std::ranges::find(step.reads, read);
      args.push_back(static_cast<uint32_t>(at - step.reads.begin()));
      if (at == step.reads.end())
        step.reads.push_back(std::move(read));
    }
  }
  for (std::vector<uint32_t> &args : step.args)
    for (uint32_t &a : args)
      if ((a & kMember) != 0)
        a = static_cast<uint32_t>(step.reads.size()) + (a & ~kMember);
}

std::set<ValueRef> roots_read(const Step &step, const Roles &roles) {
  std::set<ValueRef> roots;
  step.each_read([&](ValueRef v) { roots.insert(roles.view(v).root); });
  return roots;
}

std::vector<uint32_t> count_readers(const spmd::Program &program,
                                    std::initializer_list<std::span<const Step>> steps,
                                    std::span<const View> views) {
  std::vector<uint32_t> readers(views.size(), 0);
  for (const std::span<const Step> some : steps)
    for (const Step &step : some)
      step.each_read([&](ValueRef v) { ++readers[views[v].root]; });
  for (const spmd::Instr &in : program.instrs())
    if (in.kind == spmd::InstrKind::result)
      ++readers[views[program.operands(in)[0]].root];
  return readers;
}

std::vector<uint32_t> own_members(const Step &step) {
  std::vector<uint32_t> own;
  std::ranges::set_difference(step.instrs, step.again, std::back_inserter(own));
  return own;
}

} // namespace tw::runtime
