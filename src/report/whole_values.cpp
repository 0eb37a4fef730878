// SPDX-License-Identifier: Apache-2.0
// What is replicated is said, with the rule, action or neighbour that stopped it.
#include "report/whole_values.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/figures.hpp"
#include "graph/shown_name.hpp"
#include "partition/explain.hpp"
#include "report/describe.hpp"

namespace tw::report {

using sharding::AxisId;
using sharding::Sharding;
using spmd::ValueRef;

namespace {

constexpr double kLarge = 0.01;  // of the memory
constexpr size_t kAsked = 24;    // values of which it is found out what stopped them: each looks at the plan
constexpr size_t kSentences = 6; // that are said

// Whether some dimension has as many elements as it would have tiles.
bool could_be_tiled(const spmd::Program &program, ValueRef v, AxisId axis) {
  const Sharding &sharding = program.sharding(program.values()[v].sharding);
  const auto &dims = program.type(v).dims;
  for (size_t d = 0; d < dims.size(); ++d)
    if (dims[d] >= num_tiles(sharding.dims[d], program.mesh()) * program.mesh().size(axis))
      return true;
  return false;
}

std::string reason(const Subject &subject, ValueRef v, AxisId axis) {
  const partition::Plan &plan = *subject.plan;
  const partition::NodeId node = plan.flow().maker(subject.program->values()[v].origin).node;
  if (node == graph::kNone)
    return "";
  if (plan.entry(node, axis) != nullptr)
    return "it is tiled where it is made, and put together for its users";
  const std::vector<std::string> lines = partition::what_stopped(plan, node, axis);
  return lines.empty() ? "no action reaches here" : lines.front();
}

// Of the largest tile.
int64_t tile_bytes(const spmd::Program &program, ValueRef v) {
  const graph::TensorType &type = program.type(v);
  const Sharding &sharding = program.sharding(program.values()[v].sharding);
  return graph::TensorType{type.dtype, sharding::largest_tile(sharding, {}, type.dims, program.mesh())}
      .bytes();
}

struct Group {
  AxisId axis;
  std::string reason, largest; // the name of that value
  int64_t bytes = 0, most = 0;
  size_t count = 0;
};

} // namespace

std::vector<std::string> whole_values(const Subject &subject, const cost::Estimate &estimate) {
  if (subject.plan == nullptr)
    return {};
  const spmd::Program &program = *subject.program;
  std::set<ValueRef> seen;
  std::vector<std::pair<int64_t, ValueRef>> large;
  const auto consider = [&](ValueRef v) {
    const int64_t bytes = tile_bytes(program, v);
    if (program.values()[v].origin != graph::kNone &&
        static_cast<double>(bytes) > kLarge * estimate.cap_bytes && seen.insert(v).second)
      large.emplace_back(bytes, v);
  };
  for (const spmd::Instr &in : program.instrs())
    if (in.kind == spmd::InstrKind::argument)
      consider(in.first_result);
  for (const cost::HeldValue &held : estimate.held)
    consider(held.value);
  std::ranges::stable_sort(large, std::greater<>(), [](const auto &entry) { return entry.first; });

  std::vector<Group> groups;
  size_t asked = 0, left = 0;
  for (const auto &[bytes, v] : large)
    for (AxisId axis = 0; axis < program.mesh().num_axes(); ++axis) {
      if (program.mesh().size(axis) == 1 || program.mesh().is_loop(axis) ||
          program.sharding(program.values()[v].sharding).uses(axis) || !could_be_tiled(program, v, axis))
        continue;
      if (++asked > kAsked) {
        ++left;
        continue;
      }
      const std::string why = reason(subject, v, axis);
      if (why.empty())
        continue;
      auto group =
          std::ranges::find_if(groups, [&](const Group &g) { return g.axis == axis && g.reason == why; });
      if (group == groups.end())
        group = groups.insert(
            group,
            Group{axis, why, graph::shown_name(program.graph(), program.values()[v].origin), 0, bytes, 0});
      group->bytes += bytes;
      ++group->count;
    }
  std::vector<std::string> sentences;
  for (const Group &g : groups) {
    if (sentences.size() == kSentences) {
      left += g.count;
      continue;
    }
    sentences.push_back(fmt::format(
        "{} ({}{}) {} whole on every device of axis '{}': {}", g.largest, bytes_text(g.most),
        g.count > 1 ? fmt::format("; with {} more, {}", g.count - 1, bytes_text(g.bytes)) : std::string(),
        g.count > 1 ? "are" : "is", program.mesh().axis(g.axis).name, g.reason));
  }
  if (left > 0)
    sentences.push_back(fmt::format("over 1 % of the memory and whole on an axis are {} more", left));
  return sentences;
}

} // namespace tw::report
