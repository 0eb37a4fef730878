// SPDX-License-Identifier: Apache-2.0
// A sharding of the dialect has no word for parts that add up, nor for tiles that overlap or leave gaps: what
// is read or made so is not stated, and then depends on what a reader finds elsewhere.
#include "emit/shard/refusals.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emit/shard/words.hpp"
#include "partition/conflicts.hpp"

namespace tw::emit::shard {

using graph::kNone;
using graph::ValueId;
using partition::NodeId;
using partition::Plan;

namespace {

// ": it reads %3 as [{b}:spans=[..]], tiles that overlap or leave gaps"
std::string unsaid(const Plan &plan, const Reads &reads, NodeId n) {
  const graph::Graph &graph = plan.graph();
  const auto read = plan.reads(n);
  for (uint32_t i = 0; i < read.size(); ++i)
    if (const sharding::Sharding wanted = plan.operand_sharding(n, i);
        !sharding_text(wanted, graph.type(read[i]), plan.mesh()))
      return fmt::format(
          ": it reads {} as [{}], {}", graph.value_name(read[i]), sharding::to_text(wanted, plan.mesh()),
          is_in_parts(wanted, plan.mesh()) ? "parts that add up" : "tiles that overlap or leave gaps");
  for (uint32_t i = 0; i < plan.num_made(n); ++i)
    if (const ValueId v = plan.made(n, i); reads.is_in_parts(v))
      return fmt::format(": {} is made in parts that add up", graph.value_name(v));
  return ": what it reads and makes does not decide this";
}

// An annotated value that the plan would leave in parts.
std::string parts_note(const Plan &plan, const Reads &reads, const Statements &said) {
  for (const auto &[v, text] : said.made)
    if (reads.is_in_parts(v) && plan.pin_of(v) == kNone)
      return fmt::format(": {} is in parts that add up, and an annotated value has them added",
                         plan.graph().value_name(v));
  return {};
}

} // namespace

Error cannot_say(const Plan &plan, const Reads &reads, const ReadBack &read,
                 const std::vector<bool> &differs) {
  const auto n = static_cast<NodeId>(std::ranges::find(differs, true) - differs.begin());
  return Error(Code::unimplemented, "TW-730",
               fmt::format("no annotations of values give this plan: {} runs {} here, and {} where all that "
                           "it reads and makes is annotated{}; emit stablehlo+sdy or loops, or tile what it "
                           "reads by an action",
                           partition::node_text(plan, n), loops_text(plan, n), read.loops_text_of(n),
                           unsaid(plan, reads, n)));
}

Result<std::string> other_moves_comment(const Plan &plan, const Reads &reads, const ReadBack &read,
                                        const spmd::Program &program, const Statements &said) {
  TW_ASSIGN(const std::string move, read.other_move(program));
  return fmt::format("// A reader's program moves other than the plan's own, {}{}.\n", move,
                     parts_note(plan, reads, said));
}

} // namespace tw::emit::shard
