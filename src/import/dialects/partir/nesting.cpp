// SPDX-License-Identifier: Apache-2.0
// Loops open and close, and what they yield.
#include <utility>

#include <fmt/format.h>

#include "import/dialects/partir/forms.hpp"
#include "import/loop_parts.hpp"
#include "ops/loop_names.hpp"

namespace tw::import::partir_dialect {

using annotation::LoopDecl;
using annotation::LoopIdentity;
using annotation::LoopStep;
using annotation::LoopView;
using graph::kNone;

bool open_loop(Reader &r, LoopDecl loop, std::string_view range, const char *at, uint32_t &id) {
  auto &loops = r.loops.program.loops;
  loop.parent = r.loops.innermost;
  loop.region = r.loops.region;
  for (uint32_t outer = loop.parent; outer != kNone; outer = loops[outer].parent)
    if (loops[outer].axis == loop.axis)
      return r.s.fail("TW-421", at, fmt::format("the axis \"{}\" is nested in itself", loop.axis),
                      fmt::format("the loop around it is on line {}", loops[outer].pos.line));
  id = static_cast<uint32_t>(loops.size());
  loops.push_back(std::move(loop));
  r.loops.program.steps.push_back({LoopStep::Kind::open, id});
  r.loops.innermost = id;
  r.loops.ranges.emplace_back(range, id);
  return true;
}

void close_loop(Reader &r, uint32_t id) {
  r.loops.ranges.pop_back();
  r.loops.innermost = r.loops.program.loops[id].parent;
  r.loops.program.steps.push_back({LoopStep::Kind::close, id});
}

annotation::LoopAction action_for(const std::optional<LoopPart> &part) {
  if (!part)
    return {"any", 0};
  return part->kind == LoopPart::Kind::tile
             ? annotation::LoopAction{"tile", part->dim}
             : annotation::LoopAction{std::string(ops::reduction_word(part->reduction)), 0};
}

std::optional<LoopIdentity> yield_from(Reader &r, uint32_t id, graph::ValueId v, const char *definition) {
  LoopDecl &loop = r.loops.program.loops[id];
  const LoopView yielded{v, open_slices(r, definition)};
  loop.yields.push_back(yielded);
  if (v >= r.loops.first_value)
    return std::nullopt;
  const auto nested = r.loops.identities.find(definition);
  LoopIdentity identity = nested != r.loops.identities.end() ? nested->second : LoopIdentity{id, yielded};
  if (loop.parent != kNone)
    return identity;
  r.loops.state_identity(identity);
  return std::nullopt;
}

} // namespace tw::import::partir_dialect
