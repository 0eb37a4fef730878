// SPDX-License-Identifier: Apache-2.0
// Calls of the host's code, found by target.
#include "kernels/custom_calls.hpp"

#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "kernels/lapack/calls.hpp"
#include "ops/attributes.hpp"
#include "ops/registry.hpp"

namespace tw::kernels {
namespace {

// The rule of one call: "" where nothing is said.
Result<std::string> rule_of(const CustomCall &call, const ops::OpView &op) {
  if (call.check)
    TW_TRY(call.check(op));
  if (!call.rule)
    return std::string();
  TW_ASSIGN(std::string text, call.rule(op));
  if (!text.empty())
    TW_TRY(ops::parse_opaque_rule(text, op));
  return text;
}

} // namespace

Status run_whole(const ops::OpDef &def, const KernelArgs &args, const CustomCalls *calls) {
  std::vector<Tile> tiles;
  std::vector<const void *> operands;
  std::vector<void *> results;
  for (const auto part : {args.operands, args.results})
    for (const Buffer &b : part)
      tiles.push_back({b.dtype,
                       {b.global.begin(), b.global.end()},
                       {b.offset.begin(), b.offset.end()},
                       {b.extent.begin(), b.extent.end()}});
  for (const Buffer &b : args.operands)
    operands.push_back(b.data);
  for (const Buffer &b : args.results)
    results.push_back(b.data);
  const std::span all(tiles);
  TW_ASSIGN(
      const auto kernel,
      bind({args.op, def, all.first(operands.size()), all.subspan(operands.size()), args.use_init}, calls));
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  const auto lines = [](int64_t bytes) { return static_cast<size_t>(aligned(bytes)) / sizeof(Line); };
  std::vector<Line> scratch(lines(kernel->scratch_bytes()) + 1), shared(lines(kernel->shared_bytes()) + 1);
  operands.push_back(shared.data());
  return run_serially(*kernel, operands, results, scratch.data());
}

const CustomCall *find_kernel(const CustomCalls *calls, const ops::OpDef &def, const ops::OpView &op) {
  if (const CustomCall *known = calls != nullptr ? calls->find(def, op) : nullptr; known && known->bind)
    return known;
  return is_custom_call(def) ? lapack::find_call(op) : nullptr;
}

bool is_custom_call(const ops::OpDef &def) { return (def.flags & ops::kOpaque) != 0; }

std::string called(const ops::OpDef &def, const ops::OpView &op) {
  if (!is_custom_call(def))
    return def.name;
  return fmt::format("{} @{}", def.name, op.string(ops::slot::custom_call::call_target_name));
}

Result<CustomCalls> CustomCalls::with(std::shared_ptr<const CustomCall> call) const {
  CustomCalls more = *this;
  const std::string &target = call->target;
  if (!more.by_target_.try_emplace(target, call).second)
    return fail(Code::invalid_argument, "TW-603",
                fmt::format("the custom_call @{} is there already", target));
  return more;
}

const CustomCall *CustomCalls::find(const ops::OpDef &def, const ops::OpView &op) const {
  if (!is_custom_call(def))
    return nullptr;
  const auto known = by_target_.find(op.string(ops::slot::custom_call::call_target_name));
  return known == by_target_.end() ? nullptr : known->second.get();
}

Result<std::vector<ops::OpaqueRule>> CustomCalls::check(const graph::Graph &graph) const {
  std::vector<ops::OpaqueRule> rules;
  for (graph::OpId id = 0; !by_target_.empty() && id < graph.ops().size(); ++id) {
    const ops::OpDef &def = ops::op_def(graph.op(id).code);
    if (!is_custom_call(def))
      continue;
    const ops::OpViewHolder holder(graph, id);
    const CustomCall *call = find(def, holder.view());
    if (!call)
      continue;
    auto rule = rule_of(*call, holder.view());
    if (!rule) {
      const graph::Location at = graph.location(id);
      rule.error().info().message = fmt::format("{}: {}", called(def, holder.view()), rule.error().message());
      return fail(std::move(rule.error()).at({std::string(graph.file()), at.line, at.column}));
    }
    if (!rule->empty())
      rules.push_back({call->target, std::move(*rule), id});
  }
  return rules;
}

} // namespace tw::kernels
