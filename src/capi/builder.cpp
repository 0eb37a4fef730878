// SPDX-License-Identifier: Apache-2.0
// tw_graph.h: building a graph call by call, with sticky errors.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "graph/limits.hpp"
#include "ops/builder.hpp"
#include "ops/call_attributes.hpp"
#include "ops/einsum.hpp"
#include "ops/element.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"
#include "partition/names.hpp"

using namespace tw;
using namespace tw::capi;
using graph::ValueId;
using ops::OpKind;

struct tw_builder {
  explicit tw_builder(const char *name) : graph(name, "") {}
  graph::GraphBuilder graph;
  std::shared_ptr<const kernels::CustomCalls> custom_calls;
  std::unordered_map<std::string, size_t> argument_names, result_names;
  std::optional<Error> error; // the first one; sticky
  bool finished = false;
};

namespace {

// Runs one step unless an earlier one failed; keeps the first error.
template <class Step> tw_value_t step(tw_builder_t *b, Step &&body) noexcept {
  if (!b || b->error)
    return TW_NO_VALUE;
  try {
    Result<ValueId> value = body();
    if (value)
      return *value;
    b->error.emplace(std::move(value.error()));
  } catch (const std::exception &e) {
    guard_value(0, [&] { return b->error.emplace(Code::resource_exhausted, "TW-701", e.what()), 0; });
  }
  return TW_NO_VALUE;
}

Status check_values(const tw_builder_t *b, const tw_value_t *values, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (values[i] >= b->graph.graph().values().size())
      return fail(Code::invalid_argument, "TW-707", fmt::format("operand {} is no value of this builder", i));
  return {};
}

// Takes a name by which the next argument or result can be told from those before: a number and another's
// `stem`N are none.
Status take_name(std::unordered_map<std::string, size_t> &taken, std::string_view what, std::string_view stem,
                 std::string_view name, size_t index) {
  const std::string_view bare = name.substr(name.starts_with('%'));
  if (bare.empty())
    return {}; // it is called by its place
  const bool numbered = bare.starts_with(stem) && partition::parse_index(bare.substr(stem.size()));
  if (partition::parse_index(bare) || (numbered && bare != fmt::format("{}{}", stem, index)))
    return fail(Code::invalid_argument, "TW-707",
                fmt::format("{} {} cannot be called \"{}\": {}", what, index, name,
                            numbered ? "that is the name of another place" : "numbers stand for places"));
  const auto [first, is_new] = taken.emplace(bare, index);
  return is_new ? Status()
                : fail(Code::invalid_argument, "TW-707",
                       fmt::format("{}s {} and {} are both called \"{}\"", what, first->second, index, name));
}

Result<graph::OpCode> op_code(const char *name) {
  TW_TRY(require(name, "op"));
  return ops::need_op(name, "TW-708");
}

// What callers add by name is an op of the body without regions.
Result<graph::OpCode> plain_op(const char *name) {
  TW_ASSIGN(const auto code, op_code(name));
  const ops::OpDef &def = ops::op_def(code);
  if (ops::is_signature(def))
    return fail(
        Code::invalid_argument, "TW-724",
        fmt::format("{} is the program's signature: tw_builder_argument and tw_builder_result make it",
                    def.name));
  if (def.num_regions != 0)
    return fail(Code::invalid_argument, "TW-724",
                fmt::format("{} owns regions, which no attribute gives: {}", def.name,
                            def.kind == OpKind::reduce ? "tw_builder_reduce makes it" : "import it as text"));
  return code;
}

Result<ValueId> add(tw_builder_t *b, graph::OpCode code, std::span<const ValueId> operands,
                    std::span<const ops::NamedAttr> attrs, std::optional<graph::TensorType> stated = {},
                    std::span<const graph::RegionId> regions = {}) {
  TW_TRY(check_values(b, operands.data(), operands.size()));
  TW_ASSIGN(auto slots, ops::check_attrs(ops::op_def(code), attrs));
  std::vector<graph::TypeId> stated_ids;
  if (stated)
    stated_ids.push_back(b->graph.type(*stated));
  TW_ASSIGN(const auto id, ops::add(b->graph, code, operands, std::move(slots), stated_ids, 0, regions));
  return b->graph.graph().op(id).num_results ? b->graph.graph().result(id) : TW_NO_VALUE;
}

Result<graph::AttrValue> attr_value(const tw_attr_t *attrs, size_t i) {
  const tw_attr_t &attr = attrs[i];
  if (!attr.name)
    return fail(Code::invalid_argument, "TW-702", fmt::format("attrs[{}].name is NULL", i));
  TW_TRY(check_reserved(attr.reserved, "attrs", i));
  switch (attr.kind) {
  case TW_ATTR_INTEGER:
  case TW_ATTR_BOOLEAN: return graph::AttrValue(attr.integer);
  case TW_ATTR_REAL: return graph::AttrValue(attr.real);
  case TW_ATTR_STRING:
    if (!attr.string)
      return fail(Code::invalid_argument, "TW-702", fmt::format("attrs[{}].string is NULL", i));
    return graph::AttrValue(std::string(attr.string));
  case TW_ATTR_INTS:
    if (attr.num_ints && !attr.ints)
      return fail(Code::invalid_argument, "TW-702", fmt::format("attrs[{}].ints is NULL", i));
    return graph::AttrValue(std::vector<int64_t>(attr.ints, attr.ints + attr.num_ints));
  default:
    return fail(Code::invalid_argument, "TW-709",
                fmt::format("attribute \"{}\": {} is no attribute kind", attr.name, attr.kind));
  }
}

// A call's own attributes by their names, all others as the text of a dictionary.
Result<graph::Attrs> call_slots(const ops::OpDef &def, const char *target, std::span<const tw_attr_t> attrs) {
  static constexpr ops::AttrKind kinds[] = {ops::AttrKind::integer, ops::AttrKind::real,
                                            ops::AttrKind::string, ops::AttrKind::ints};
  std::vector<ops::NamedAttr> own = {{"call_target_name", std::string(target)}};
  std::vector<ops::CallAttribute> others;
  for (size_t i = 0; i < attrs.size(); ++i) {
    TW_ASSIGN(auto value, attr_value(attrs.data(), i));
    const tw_attr_t &attr = attrs[i];
    const std::string_view name = attr.name;
    if (name == "has_side_effect" || name == "api_version" ||
        (name == "backend_config" && attr.kind == TW_ATTR_STRING))
      own.emplace_back(name, std::move(value));
    else
      others.push_back({attr.name, attr.kind == TW_ATTR_BOOLEAN ? ops::AttrKind::boolean : kinds[attr.kind],
                        std::move(value)});
  }
  if (!others.empty())
    own.emplace_back("attributes", ops::attributes_text(others));
  return ops::check_attrs(def, own);
}

// A list of numbers, one for each of some dimensions.
Result<std::vector<int64_t>> ints(const int64_t *p, size_t n, const char *argument) {
  if (n > graph::kMaxRank)
    return fail(
        Code::invalid_argument, "TW-222",
        fmt::format("'{}' has {} numbers: an array has at most {} dimensions", argument, n, graph::kMaxRank));
  if (n)
    TW_TRY(require(p, argument));
  return std::vector<int64_t>(p, p + n);
}

// What "result_dims" and "result_dtype" say of a result.
Status state(graph::TensorType &type, std::string_view name, const graph::AttrValue &value) {
  const auto *dims = std::get_if<std::vector<int64_t>>(&value);
  const auto *dtype = std::get_if<int64_t>(&value);
  if (name == "result_dims" ? !dims : !dtype)
    return fail(Code::invalid_argument, "TW-243",
                fmt::format("attribute \"{}\" must be {}", name,
                            name == "result_dims" ? "a list of integers" : "an integer, a TW_ dtype"));
  if (dims)
    type.dims = *dims;
  else
    type.dtype =
        static_cast<graph::DType>(std::clamp<int64_t>(*dtype, 0, static_cast<int64_t>(graph::DType::count_)));
  return {};
}

Result<ValueId> constant(tw_builder_t *b, const graph::TensorType &type, std::vector<std::byte> bytes,
                         bool splat) {
  const auto id = b->graph.constant(
      {b->graph.type(type), splat, std::make_shared<const std::vector<std::byte>>(std::move(bytes))});
  const ops::NamedAttr attr{"value", id};
  return add(b, ops::code_of(OpKind::constant), {}, {&attr, 1}, type);
}

Result<ValueId> broadcast(tw_builder_t *b, ValueId x, graph::Shape dims, std::vector<int64_t> map) {
  TW_TRY(check_values(b, &x, 1));
  const ops::NamedAttr attr{"broadcast_dimensions", std::move(map)};
  return add(b, ops::code_of(OpKind::broadcast), {&x, 1}, {&attr, 1},
             graph::TensorType{b->graph.type_of(x).dtype, std::move(dims)});
}

} // namespace

tw_status_t tw_builder_create(const char *name, tw_builder_t **out_builder) {
  return guard([&]() -> Status {
    TW_TRY(require(name, "name"));
    TW_TRY(require(out_builder, "out_builder"));
    *out_builder = new tw_builder(name);
    return {};
  });
}
void tw_builder_release(tw_builder_t *builder) { delete builder; }

tw_value_t tw_builder_argument(tw_builder_t *b, const char *name, tw_dtype_t dtype, const int64_t *dims,
                               size_t ndims) {
  return step(b, [&]() -> Result<ValueId> {
    TW_TRY(require(name, "name"));
    TW_TRY(take_name(b->argument_names, "argument", "arg", name, b->graph.graph().arguments().size()));
    TW_ASSIGN(auto type, checked_type(dtype, dims, ndims));
    return b->graph.graph().result(ops::add_argument(b->graph, type, name));
  });
}

tw_value_t tw_builder_constant(tw_builder_t *b, tw_dtype_t dtype, const int64_t *dims, size_t ndims,
                               const void *data) {
  return step(b, [&]() -> Result<ValueId> {
    TW_ASSIGN(auto type, checked_type(dtype, dims, ndims));
    if (type.bytes())
      TW_TRY(require(data, "data"));
    const auto *bytes = static_cast<const std::byte *>(data);
    return constant(b, type, {bytes, bytes + type.bytes()}, false);
  });
}

tw_value_t tw_builder_splat(tw_builder_t *b, tw_dtype_t dtype, const int64_t *dims, size_t ndims,
                            double value) {
  return step(b, [&]() -> Result<ValueId> {
    TW_ASSIGN(auto type, checked_type(dtype, dims, ndims));
    return constant(b, type, ops::element_bytes(type.dtype, value), true);
  });
}

tw_value_t tw_builder_add(tw_builder_t *b, const char *op, const tw_value_t *operands, size_t num_operands,
                          const tw_attr_t *attrs, size_t num_attrs, tw_value_t *out_results,
                          size_t max_results) {
  return step(b, [&]() -> Result<ValueId> {
    TW_ASSIGN(const auto code, plain_op(op));
    if (num_operands)
      TW_TRY(require(operands, "operands"));
    if (num_attrs)
      TW_TRY(require(attrs, "attrs"));
    if (max_results)
      TW_TRY(require(out_results, "out_results"));
    TW_TRY(check_values(b, operands, num_operands));
    std::vector<ops::NamedAttr> named;
    std::optional<graph::TensorType> stated;
    for (size_t i = 0; i < num_attrs; ++i) {
      TW_ASSIGN(auto value, attr_value(attrs, i));
      const std::string_view name = attrs[i].name;
      if (name != "result_dims" && name != "result_dtype") {
        named.emplace_back(name, std::move(value));
        continue;
      }
      if (!stated)
        stated = num_operands ? b->graph.type_of(operands[0]) : graph::TensorType{graph::DType::f32, {}};
      TW_TRY(state(*stated, name, value));
    }
    if (stated)
      TW_TRY(checked_type(static_cast<tw_dtype_t>(stated->dtype), stated->dims.data(), stated->rank()));
    TW_ASSIGN(const auto first, add(b, code, {operands, num_operands}, named, std::move(stated)));
    const size_t num_results = first == TW_NO_VALUE ? 0 : b->graph.graph().values().size() - first;
    for (size_t i = 0; i < std::min(num_results, max_results); ++i)
      out_results[i] = first + static_cast<ValueId>(i);
    return first;
  });
}

tw_value_t tw_builder_unary(tw_builder_t *b, const char *op, tw_value_t x) {
  return step(b, [&]() -> Result<ValueId> {
    TW_ASSIGN(const auto code, plain_op(op));
    return add(b, code, {&x, 1}, {});
  });
}

tw_value_t tw_builder_binary(tw_builder_t *b, const char *op, tw_value_t x, tw_value_t y) {
  return step(b, [&]() -> Result<ValueId> {
    ValueId operands[2] = {x, y};
    TW_ASSIGN(const auto code, plain_op(op));
    TW_TRY(check_values(b, operands, 2));
    for (int i = 0; i < 2; ++i) { // a scalar meets any shape
      const graph::Shape other = b->graph.type_of(operands[1 - i]).dims;
      if (b->graph.type_of(operands[i]).rank() == 0 && !other.empty()) {
        TW_ASSIGN(operands[i], broadcast(b, operands[i], other, {}));
      }
    }
    return add(b, code, operands, {});
  });
}

tw_value_t tw_builder_einsum(tw_builder_t *b, const char *subscripts, tw_value_t x, tw_value_t y) {
  return step(b, [&]() -> Result<ValueId> {
    TW_TRY(require(subscripts, "subscripts"));
    const ValueId operands[2] = {x, y};
    TW_TRY(check_values(b, operands, 2));
    TW_ASSIGN(auto einsum, ops::parse_einsum(subscripts, b->graph.type_of(x), b->graph.type_of(y)));
    const ops::NamedAttr dims[] = {{"lhs_batching_dimensions", einsum.lhs_batch},
                                   {"rhs_batching_dimensions", einsum.rhs_batch},
                                   {"lhs_contracting_dimensions", einsum.lhs_contract},
                                   {"rhs_contracting_dimensions", einsum.rhs_contract}};
    TW_ASSIGN(const auto product, add(b, ops::code_of(OpKind::dot), operands, dims));
    if (std::is_sorted(einsum.permutation.begin(), einsum.permutation.end()))
      return product;
    const ops::NamedAttr order{"permutation", einsum.permutation};
    return add(b, ops::code_of(OpKind::transpose), {&product, 1}, {&order, 1});
  });
}

tw_value_t tw_builder_transpose(tw_builder_t *b, tw_value_t x, const int64_t *permutation, size_t n) {
  return step(b, [&]() -> Result<ValueId> {
    TW_ASSIGN(auto order, ints(permutation, n, "permutation"));
    const ops::NamedAttr attr{"permutation", std::move(order)};
    return add(b, ops::code_of(OpKind::transpose), {&x, 1}, {&attr, 1});
  });
}

tw_value_t tw_builder_reshape(tw_builder_t *b, tw_value_t x, const int64_t *dims, size_t ndims) {
  return step(b, [&]() -> Result<ValueId> {
    TW_TRY(check_values(b, &x, 1));
    TW_ASSIGN(auto to, ints(dims, ndims, "dims"));
    return add(b, ops::code_of(OpKind::reshape), {&x, 1}, {},
               graph::TensorType{b->graph.type_of(x).dtype, std::move(to)});
  });
}

tw_value_t tw_builder_broadcast(tw_builder_t *b, tw_value_t x, const int64_t *dims, size_t ndims,
                                const int64_t *map, size_t n) {
  return step(b, [&]() -> Result<ValueId> {
    TW_ASSIGN(auto to, ints(dims, ndims, "dims"));
    TW_ASSIGN(auto into, ints(map, n, "map"));
    return broadcast(b, x, std::move(to), std::move(into));
  });
}

tw_value_t tw_builder_reduce(tw_builder_t *b, const char *kind, tw_value_t x, const int64_t *dims,
                             size_t ndims) {
  return step(b, [&]() -> Result<ValueId> {
    TW_TRY(require(kind, "kind"));
    TW_TRY(check_values(b, &x, 1));
    TW_ASSIGN(auto away, ints(dims, ndims, "dims"));
    TW_ASSIGN(const auto reduction, sharding::parse_reduction(kind));
    const char *combiner = ops::combiner_op(reduction);
    if (!combiner)
      return fail(Code::invalid_argument, "TW-710",
                  fmt::format("reduce knows sum, max, min and prod, not \"{}\"", kind));
    const graph::TensorType scalar{b->graph.type_of(x).dtype, {}};
    TW_ASSIGN(const auto init, constant(b, scalar, ops::identity_of(reduction, scalar.dtype), true));
    const graph::TypeId scalar_id = b->graph.type(scalar);
    const graph::TypeId pair[2] = {scalar_id, scalar_id};
    const auto region = b->graph.open_region(pair);
    const auto args = b->graph.graph().region(region).args;
    TW_ASSIGN(const auto fold, op_code(combiner));
    TW_ASSIGN(const auto combined, add(b, fold, args, {}));
    b->graph.close_region({combined});
    const ValueId operands[2] = {x, init};
    const ops::NamedAttr attr{"dimensions", std::move(away)};
    return add(b, ops::code_of(OpKind::reduce), operands, {&attr, 1}, {}, {&region, 1});
  });
}

void tw_builder_custom_calls(tw_builder_t *b, const tw_custom_calls_t *calls) {
  step(b, [&]() -> Result<ValueId> {
    TW_TRY(require(calls, "calls"));
    b->custom_calls = calls->calls;
    return TW_NO_VALUE;
  });
}

tw_value_t tw_builder_custom_call(tw_builder_t *b, const char *target, const tw_value_t *operands,
                                  size_t num_operands, const tw_type_t *results, size_t num_results,
                                  const tw_attr_t *attrs, size_t num_attrs, tw_value_t *out_results) {
  return step(b, [&]() -> Result<ValueId> {
    TW_TRY(require(target, "target"));
    if (num_operands)
      TW_TRY(require(operands, "operands"));
    if (num_attrs)
      TW_TRY(require(attrs, "attrs"));
    if (num_results) {
      TW_TRY(require(results, "results"));
      TW_TRY(require(out_results, "out_results"));
    }
    TW_TRY(check_values(b, operands, num_operands));
    std::vector<graph::TypeId> types;
    for (size_t i = 0; i < num_results; ++i) {
      TW_TRY(check_reserved(results[i].reserved, "results", i));
      if (results[i].ndims && !results[i].dims)
        return fail(Code::invalid_argument, "TW-702", fmt::format("results[{}].dims is NULL", i));
      TW_ASSIGN(const auto type, checked_type(results[i].dtype, results[i].dims, results[i].ndims));
      types.push_back(b->graph.type(type));
    }
    const auto code = ops::code_of(OpKind::custom_call);
    TW_ASSIGN(auto slots, call_slots(ops::op_def(code), target, {attrs, num_attrs}));
    TW_ASSIGN(const auto id,
              ops::add(b->graph, code, {operands, num_operands}, std::move(slots), types, 0, {}));
    for (size_t i = 0; i < num_results; ++i)
      out_results[i] = b->graph.graph().result(id, static_cast<uint32_t>(i));
    return num_results ? out_results[0] : TW_NO_VALUE;
  });
}

void tw_builder_result(tw_builder_t *b, const char *name, tw_value_t value) {
  step(b, [&]() -> Result<ValueId> {
    TW_TRY(require(name, "name"));
    TW_TRY(check_values(b, &value, 1));
    TW_TRY(take_name(b->result_names, "result", "out", name, b->graph.graph().results().size()));
    ops::add_result(b->graph, value, name);
    return value;
  });
}

tw_status_t tw_builder_finish(tw_builder_t *b, tw_graph_t **out_graph) {
  return guard([&]() -> Status {
    TW_TRY(require(b, "builder"));
    TW_TRY(require(out_graph, "out_graph"));
    if (b->finished)
      return fail(Code::failed_precondition, "TW-711", "this builder was finished before");
    b->finished = true;
    if (b->error)
      return fail(std::move(*b->error));
    import::Imported built;
    built.graph = b->graph.finish();
    b->error.emplace(Code::failed_precondition, "TW-711", "this builder was finished before");
    TW_TRY(ops::verify(*built.graph));
    TW_ASSIGN(auto graph, make_graph(std::move(built), std::move(b->custom_calls)));
    *out_graph = graph.leak();
    return {};
  });
}
