// SPDX-License-Identifier: Apache-2.0
// Adds checked ops to a graph: attributes against the schema, operand counts, inferred against stated result
// types.
#include "ops/builder.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/registry.hpp"

namespace tw::ops {
namespace {

using graph::TensorType;

constexpr size_t kMaxResults = UINT16_MAX; // as graph::Op counts them

const char *kind_name(AttrKind kind) {
  switch (kind) {
  case AttrKind::integer: return "an integer";
  case AttrKind::real: return "a real number";
  case AttrKind::string: return "a string";
  case AttrKind::ints: return "a list of integers";
  case AttrKind::constant: return "an array literal";
  case AttrKind::boolean: return "a boolean";
  }
  return "?";
}

bool has_kind(const graph::AttrValue &value, AttrKind kind) {
  switch (kind) {
  case AttrKind::integer: return std::holds_alternative<int64_t>(value);
  case AttrKind::real: return std::holds_alternative<double>(value);
  case AttrKind::string: return std::holds_alternative<std::string>(value);
  case AttrKind::ints: return std::holds_alternative<std::vector<int64_t>>(value);
  case AttrKind::constant: return std::holds_alternative<graph::ConstantId>(value);
  case AttrKind::boolean: {
    const int64_t *b = std::get_if<int64_t>(&value);
    return b && (*b == 0 || *b == 1);
  }
  }
  return false;
}

Status check_slots(const OpDef &def, const graph::Attrs &attrs) {
  if (attrs.size() > def.attrs.size())
    return fail(
        Code::invalid_argument, "TW-241",
        fmt::format("{}: {} attribute values for {} attributes", def.name, attrs.size(), def.attrs.size()));
  for (size_t i = 0; i < def.attrs.size(); ++i) {
    const AttrSpec &spec = def.attrs[i];
    if (i >= attrs.size() || attrs[i].index() == 0) {
      if (spec.required)
        return fail(Code::invalid_argument, "TW-242",
                    fmt::format("{}: attribute `{}` is missing: {}", def.name, spec.name, spec.doc));
    } else if (!has_kind(attrs[i], spec.kind)) {
      return fail(Code::invalid_argument, "TW-243",
                  fmt::format("{}: attribute `{}` must be {}: {}", def.name, spec.name, kind_name(spec.kind),
                              spec.doc));
    }
  }
  return {};
}

Status check_counts(const OpDef &def, size_t operands, size_t regions) {
  if (operands < static_cast<size_t>(def.min_operands) ||
      (def.max_operands >= 0 && operands > static_cast<size_t>(def.max_operands))) {
    const std::string expected = def.max_operands < 0 ? fmt::format("at least {}", def.min_operands)
                                 : def.max_operands == def.min_operands
                                     ? fmt::format("{}", def.min_operands)
                                     : fmt::format("{} to {}", def.min_operands, def.max_operands);
    return fail(Code::invalid_argument, "TW-244",
                fmt::format("{}: takes {} operands, has {}", def.name, expected, operands));
  }
  if (def.num_regions >= 0 && regions != static_cast<size_t>(def.num_regions))
    return fail(Code::invalid_argument, "TW-244",
                fmt::format("{}: takes {} regions, has {}", def.name, def.num_regions, regions));
  return {};
}

Error name_op(Error error, const OpDef &def) {
  error.info().message = fmt::format("{}: {}", def.name, error.message());
  return error;
}

// Runs infer and check; the answer is empty where the stated types hold.
Result<std::vector<TensorType>> result_types(const OpDef &def, const OpView &op) {
  for (const TensorType *stated : op.results)
    if (auto status = graph::check_size(*stated); !status)
      return fail(name_op(std::move(status.error()), def));
  auto inferred = def.infer(op);
  if (!inferred)
    return fail(name_op(std::move(inferred.error()), def));
  if (op.results.empty()) {
    for (const TensorType &type : *inferred)
      if (auto status = graph::check_size(type); !status)
        return fail(name_op(std::move(status.error()), def));
    return inferred;
  }
  if (def.check) {
    if (auto status = def.check(op); !status)
      return fail(name_op(std::move(status.error()), def));
    return std::vector<TensorType>();
  }
  if (op.results.size() != inferred->size())
    return fail(
        Code::invalid_argument, "TW-246",
        fmt::format("{}: gives {} results, {} are stated", def.name, inferred->size(), op.results.size()));
  for (size_t i = 0; i < inferred->size(); ++i)
    if (!((*inferred)[i] == *op.results[i]))
      return fail(Code::invalid_argument, "TW-246",
                  fmt::format("{}: result {} is {}, but {} is stated", def.name, i,
                              graph::to_short_text((*inferred)[i]), graph::to_short_text(*op.results[i])));
  return std::vector<TensorType>();
}

} // namespace

Result<graph::Attrs> check_attrs(const OpDef &def, std::span<const NamedAttr> attrs) {
  graph::Attrs slots(def.attrs.size());
  for (const auto &[name, value] : attrs) {
    const auto at = std::find_if(def.attrs.begin(), def.attrs.end(),
                                 [&, n = name](const AttrSpec &s) { return n == s.name; });
    if (at == def.attrs.end()) {
      std::vector<std::string_view> known;
      for (const AttrSpec &spec : def.attrs)
        known.push_back(spec.name);
      return fail(
          Code::invalid_argument, "TW-241",
          fmt::format("{}: no attribute `{}`; it has {}", def.name, name,
                      known.empty() ? std::string("none") : fmt::format("{}", fmt::join(known, ", "))));
    }
    graph::AttrValue &slot = slots[static_cast<size_t>(at - def.attrs.begin())];
    if (slot.index() != 0)
      return fail(Code::invalid_argument, "TW-241",
                  fmt::format("{}: attribute `{}` occurs twice", def.name, name));
    slot = value;
  }
  TW_TRY(check_slots(def, slots));
  return slots;
}

Result<std::vector<graph::TypeId>> infer_types(graph::GraphBuilder &b, graph::OpCode code,
                                               std::span<const graph::TypeId> operands,
                                               const graph::Attrs &attrs,
                                               std::span<const graph::TypeId> stated,
                                               std::span<const graph::RegionId> regions) {
  const OpDef &def = op_def(code);
  TW_TRY(check_counts(def, operands.size(), regions.size()));
  TW_TRY(check_slots(def, attrs));

  std::vector<const TensorType *> types(operands.size() + stated.size());
  for (size_t i = 0; i < operands.size(); ++i)
    types[i] = &b.graph().type_at(operands[i]);
  for (size_t i = 0; i < stated.size(); ++i)
    types[operands.size() + i] = &b.graph().type_at(stated[i]);
  const std::span<const TensorType *const> all(types);
  const OpView view{b.graph(), attrs, all.first(operands.size()), all.subspan(operands.size()), regions};
  TW_ASSIGN(const std::vector<TensorType> inferred, result_types(def, view));

  std::vector<graph::TypeId> results(stated.begin(), stated.end());
  for (const TensorType &t : inferred)
    results.push_back(b.type(t));
  return results;
}

Result<graph::OpId> add(graph::GraphBuilder &b, graph::OpCode code, std::span<const graph::ValueId> operands,
                        graph::Attrs attrs, std::span<const graph::TypeId> stated, graph::LocId loc,
                        std::span<const graph::RegionId> regions) {
  attrs.resize(std::max(attrs.size(), op_def(code).attrs.size()));
  std::vector<graph::TypeId> types(operands.size());
  for (size_t i = 0; i < operands.size(); ++i)
    types[i] = b.graph().value(operands[i]).type;
  TW_ASSIGN(const auto results, infer_types(b, code, types, attrs, stated, regions));
  if (results.size() > kMaxResults)
    return fail(Code::invalid_argument, "TW-244",
                fmt::format("{}: {} results, at most {}", op_def(code).name, results.size(), kMaxResults));
  const graph::AttrsId attrs_id = b.attrs(std::move(attrs));
  return b.add_op({code, operands, results, attrs_id, loc, regions});
}

namespace {

graph::Attrs signature_attrs(std::string_view memory_kind) {
  return memory_kind.empty() ? graph::Attrs() : graph::Attrs{std::string(memory_kind)};
}

} // namespace

graph::OpId add_argument(graph::GraphBuilder &b, const TensorType &type, std::string_view name,
                         graph::LocId loc, int32_t alias, std::string_view memory_kind) {
  static const graph::OpCode code = code_of(OpKind::argument);
  return b.add_argument(code, b.type(type), b.attrs(signature_attrs(memory_kind)),
                        name.empty() ? graph::kNone : b.name(name), loc, alias);
}

graph::OpId add_result(graph::GraphBuilder &b, graph::ValueId value, std::string_view name, graph::LocId loc,
                       std::string_view memory_kind) {
  static const graph::OpCode code = code_of(OpKind::result);
  return b.add_result(code, value, b.attrs(signature_attrs(memory_kind)),
                      name.empty() ? graph::kNone : b.name(name), loc);
}

Status verify(const graph::Graph &graph) {
  TW_TRY(graph::verify_structure(graph));
  for (graph::OpId id = 0; id < graph.ops().size(); ++id) {
    const OpDef &def = op_def(graph.op(id).code);
    const OpViewHolder holder(graph, id);
    const OpView &op = holder.view();
    auto status = check_counts(def, op.operands.size(), op.regions.size());
    if (status)
      status = check_slots(def, op.attrs);
    if (status)
      if (auto types = result_types(def, op); !types)
        status = fail(std::move(types.error()));
    if (!status) {
      const graph::Location at = graph.location(id);
      return fail(std::move(status.error()).at({std::string(graph.file()), at.line, at.column}));
    }
  }
  return {};
}

} // namespace tw::ops
