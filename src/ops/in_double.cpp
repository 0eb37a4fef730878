// SPDX-License-Identifier: Apache-2.0
// Rebuilds a graph op by op with wider types.
#include "ops/in_double.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/builder.hpp"
#include "ops/folding.hpp"
#include "ops/placement.hpp"
#include "ops/registry.hpp"

namespace tw::ops {
namespace {

using graph::DType;
using graph::ValueId;

graph::TensorType widened(const graph::TensorType &type) { return {in_double(type.dtype), type.dims}; }

graph::OpCode convert_code() {
  static const graph::OpCode code = *find_op("stablehlo.convert");
  return code;
}

class Widener {
public:
  explicit Widener(const graph::Graph &graph)
      : graph_(graph), builder_(std::string(graph.module_name()), std::string(graph.file())),
        made_(graph.values().size(), graph::kNone) {}

  Result<std::shared_ptr<const graph::Graph>> run(std::span<const size_t> results) {
    for (size_t i = 0; i < graph_.arguments().size(); ++i) {
      const ValueId v = graph_.result(graph_.arguments()[i]);
      const auto id = add_argument(builder_, widened(graph_.type(v)), graph_.argument_name(i));
      made_[v] = builder_.graph().result(id);
    }
    TW_TRY(add_body(0));
    for (const size_t i : results)
      add_result(builder_, made_[graph_.operands(graph_.results()[i])[0]], graph_.result_name(i));
    return builder_.finish();
  }

private:
  Status add_body(graph::RegionId region) {
    for (const graph::OpId id : graph_.region(region).ops) {
      const OpDef &def = op_def(graph_.op(id).code);
      const bool boundary = region == 0 && is_signature(def);
      const bool expectation = (def.flags & kSideEffect) != 0 && def.num_results == 0;
      if (!boundary && !expectation)
        TW_TRY(add_op(id, def));
    }
    return {};
  }

  Status add_op(graph::OpId id, const OpDef &def) {
    const std::string_view name = def.name;
    const OpViewHolder holder(graph_, id);
    const OpView &op = holder.view();
    if (is_placement(def, op)) {
      made_[graph_.result(id)] = made_[graph_.operands(id)[0]];
      return {};
    }
    if (def.kind == OpKind::custom_call && op.integer(slot::custom_call::has_side_effect) != 0)
      return fail(Code::unimplemented, "TW-252",
                  fmt::format("{} @{} has side effects and runs once only", name,
                              op.string(slot::custom_call::call_target_name)));
    const bool rounds = name == "stablehlo.reduce_precision" ||
                        (name == "stablehlo.convert" && graph::is_float(op.operands[0]->dtype) &&
                         graph::is_float(op.results[0]->dtype));
    if (rounds) {
      made_[graph_.result(id)] = made_[graph_.operands(id)[0]];
      return {};
    }
    const bool own = (def.flags & kOwnTypes) != 0;
    std::vector<ValueId> operands;
    for (const ValueId v : graph_.operands(id)) {
      TW_ASSIGN(operands.emplace_back(), converted(made_[v], own ? graph_.type(v) : widened(graph_.type(v))));
    }
    TW_ASSIGN(const auto regions, add_regions(id));
    std::vector<graph::TypeId> types;
    for (const graph::TensorType *type : op.results)
      types.push_back(builder_.type(own ? *type : widened(*type)));
    TW_ASSIGN(const graph::OpId added,
              add(builder_, graph_.op(id).code, operands, attributes(id), types, 0, regions));
    for (uint32_t r = 0; r < graph_.op(id).num_results; ++r) {
      const ValueId v = graph_.result(id, r);
      TW_ASSIGN(made_[v], converted(builder_.graph().result(added, r), widened(graph_.type(v))));
    }
    return {};
  }

  Result<std::vector<graph::RegionId>> add_regions(graph::OpId id) {
    std::vector<graph::RegionId> regions;
    const graph::Op &op = graph_.op(id);
    for (uint32_t r = 0; r < op.num_regions; ++r) {
      const graph::Region &region = graph_.region(op.first_region + r);
      std::vector<graph::TypeId> types;
      for (const ValueId v : region.args)
        types.push_back(builder_.type(widened(graph_.type(v))));
      regions.push_back(builder_.open_region(types));
      for (size_t i = 0; i < region.args.size(); ++i)
        made_[region.args[i]] = builder_.graph().region(regions.back()).args[i];
      TW_TRY(add_body(op.first_region + r));
      std::vector<ValueId> yields;
      for (const ValueId v : region.yields)
        yields.push_back(made_[v]);
      builder_.close_region(std::move(yields));
    }
    return regions;
  }

  // As they are, but for literals, which become wider.
  graph::Attrs attributes(graph::OpId id) {
    graph::Attrs attrs = graph_.attrs(id);
    for (graph::AttrValue &attr : attrs)
      if (const auto *literal = std::get_if<graph::ConstantId>(&attr))
        attr = builder_.constant(widened_literal(graph_.constant(*literal)));
    return attrs;
  }

  graph::Constant widened_literal(graph::Constant literal) {
    const graph::TensorType &from = graph_.type_at(literal.type), to = widened(from);
    if (from.dtype != to.dtype) {
      const auto n =
          static_cast<int64_t>(literal.bytes->size() / graph::byte_size(from.dtype)); // 1 of a splat
      const graph::TensorType narrow{from.dtype, {n}}, wide{to.dtype, {n}};
      const graph::TensorType *operands[] = {&narrow}, *results[] = {&wide};
      const ArrayBytes bytes[] = {*literal.bytes};
      auto made = fold(op_def(convert_code()), {graph_, {}, operands, results, {}}, bytes);
      TW_ASSERT(made && *made); // every pair of types converts
      literal.bytes = std::make_shared<std::vector<std::byte>>(std::move(**made));
    }
    literal.type = builder_.type(to);
    return literal;
  }

  Result<ValueId> converted(ValueId v, const graph::TensorType &type) {
    if (builder_.type_of(v).dtype == type.dtype)
      return v;
    TW_ASSIGN(const graph::OpId id,
              add(builder_, convert_code(), std::array{v}, {}, std::array{builder_.type(type)}));
    return builder_.graph().result(id);
  }

  const graph::Graph &graph_;
  graph::GraphBuilder builder_;
  std::vector<ValueId> made_; // by value of the graph
};

} // namespace

DType in_double(DType dtype) {
  return graph::is_float(dtype) ? DType::f64 : graph::is_complex(dtype) ? DType::c128 : dtype;
}

Result<std::shared_ptr<const graph::Graph>> in_double(const graph::Graph &graph,
                                                      std::span<const size_t> results) {
  return Widener(graph).run(results);
}

} // namespace tw::ops
