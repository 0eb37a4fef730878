// SPDX-License-Identifier: Apache-2.0
// Which result may be written over which argument: the program's own marks (tf.aliasing_output,
// jax.buffer_donor), read as JAX means them. What is marked with its result comes first; a donor without one
// takes the first result left that has its type and its tiles. Every result is in one pair at most, and has
// the tiles of its argument.
#include <algorithm>

#include "runtime/scheduling.hpp"

namespace tw::runtime {

using spmd::Instr;
using spmd::InstrKind;
using spmd::ValueRef;

void pair_donations(Scheduling &s) {
  if (!s.options.donate)
    return;
  const spmd::Program &program = s.program;
  const Layouts &layouts = s.layouts;
  constexpr int32_t kDonor = -2; // of Graph::alias_of_argument: donated, to no result in particular
  const graph::Graph &graph = program.graph();
  std::vector<ValueRef> made(graph.results().size(), graph::kNone); // by result that is free
  for (const Instr &in : program.instrs())
    if (in.kind == InstrKind::result && std::ranges::count(made, program.operands(in)[0]) == 0)
      made[in.index] = program.operands(in)[0];

  std::vector<Donation> &found = s.schedule.donations;
  const auto fits = [&](ValueRef given, ValueRef result) {
    return result != graph::kNone && program.type(given) == program.type(result) &&
           layouts.of(given) == layouts.of(result);
  };
  const auto take = [&](const Instr &argument, size_t result) {
    found.push_back({argument.index, static_cast<uint32_t>(result), argument.first_result, made[result]});
    made[result] = graph::kNone;
  };
  for (const bool named : {true, false})
    for (const Instr &in : program.instrs()) {
      if (in.kind != InstrKind::argument)
        continue;
      const int32_t alias = graph.alias_of_argument(in.index);
      if (named && alias >= 0 && fits(in.first_result, made[static_cast<size_t>(alias)]))
        take(in, static_cast<size_t>(alias));
      const auto first =
          std::ranges::find_if(made, [&](ValueRef result) { return fits(in.first_result, result); });
      if (!named && alias == kDonor && first != made.end())
        take(in, static_cast<size_t>(first - made.begin()));
    }
}

} // namespace tw::runtime
