// SPDX-License-Identifier: Apache-2.0
// tw_builder.h: the signature, constants, ops of any kind, and the end of building.
#include "capi/builder.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/utf8.hpp"
#include "graph/donations.hpp"
#include "graph/limits.hpp"
#include "ops/element.hpp"
#include "partition/names.hpp"

using namespace tw;
using namespace tw::capi;
using ops::OpKind;

namespace tw::capi {

Status check_values(const tw_builder_t *b, std::span<const ValueId> values, const char *what) {
  const graph::Graph &g = b->graph.graph();
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= g.values().size())
      return fail(Code::invalid_argument, "TW-707",
                  fmt::format("{} {} is no value of this builder", what, i));
    const graph::RegionId of = g.region_of(values[i]);
    const auto is = [&](size_t open) { return b->regions[open].id == of; };
    if (of != 0 && std::ranges::none_of(b->open, is))
      return fail(Code::invalid_argument, "TW-707",
                  fmt::format("{} {} is value {} of a region that has ended: its op hands on what it yields",
                              what, i, values[i]));
  }
  return {};
}

Result<graph::OpCode> named_op(const char *name, bool regions) {
  TW_TRY(require(name, "op"));
  TW_ASSIGN(const auto code, ops::need_op(name, "TW-708"));
  const ops::OpDef &def = ops::op_def(code);
  if (ops::is_signature(def))
    return fail(
        Code::invalid_argument, "TW-724",
        fmt::format("{} is the program's signature: tw_builder_argument and tw_builder_result make it",
                    def.name));
  if (def.kind == OpKind::constant)
    return fail(
        Code::invalid_argument, "TW-724",
        fmt::format("{} has a literal: tw_builder_constant, tw_builder_splat and tw_builder_fill make it",
                    def.name));
  if (!regions && def.num_regions != 0)
    return fail(Code::invalid_argument, "TW-724",
                fmt::format("{} owns regions: tw_builder_op takes them{}", def.name,
                            def.kind == OpKind::reduce ? ", and tw_builder_reduce makes simple ones" : ""));
  return code;
}

Result<ValueId> add(tw_builder_t *b, graph::OpCode code, std::span<const ValueId> operands,
                    std::span<const ops::NamedAttr> attrs, std::span<const graph::TensorType> stated,
                    std::span<const graph::RegionId> regions, graph::LocId loc) {
  TW_TRY(check_values(b, operands));
  TW_ASSIGN(auto slots, ops::check_attrs(ops::op_def(code), attrs));
  std::vector<graph::TypeId> types;
  for (const graph::TensorType &type : stated)
    types.push_back(b->graph.type(type));
  TW_ASSIGN(const auto id, ops::add(b->graph, code, operands, std::move(slots), types, loc, regions));
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

Result<std::vector<graph::TensorType>> read_types(const tw_type_t *types, size_t count,
                                                  const char *argument) {
  if (count)
    TW_TRY(require(types, argument));
  std::vector<graph::TensorType> read;
  for (size_t i = 0; i < count; ++i) {
    TW_TRY(check_reserved(types[i].reserved, argument, i));
    if (types[i].ndims && !types[i].dims)
      return fail(Code::invalid_argument, "TW-702", fmt::format("{}[{}].dims is NULL", argument, i));
    if (types[i].dtype == TW_TOKEN && types[i].ndims == 0) {
      read.push_back({graph::DType::token, {}});
      continue;
    }
    TW_ASSIGN(read.emplace_back(), checked_type(types[i].dtype, types[i].dims, types[i].ndims));
  }
  return read;
}

Result<std::vector<int64_t>> ints(const int64_t *p, size_t n, const char *argument) {
  if (n > graph::kMaxRank)
    return fail(
        Code::invalid_argument, "TW-222",
        fmt::format("'{}' has {} numbers: an array has at most {} dimensions", argument, n, graph::kMaxRank));
  if (n)
    TW_TRY(require(p, argument));
  return std::vector<int64_t>(p, p + n);
}

void write_results(const tw_builder_t *b, ValueId first, tw_value_t *out_results, size_t max_results) {
  const size_t num_results = first == TW_NO_VALUE ? 0 : b->graph.graph().values().size() - first;
  for (size_t i = 0; i < std::min(num_results, max_results); ++i)
    out_results[i] = first + static_cast<ValueId>(i);
}

Result<ValueId> constant(tw_builder_t *b, const graph::TensorType &type, std::vector<std::byte> bytes,
                         bool splat) {
  const auto id = b->graph.constant(
      {b->graph.type(type), splat, std::make_shared<const std::vector<std::byte>>(std::move(bytes))});
  const ops::NamedAttr attr{"value", id};
  return add(b, ops::code_of(OpKind::constant), {}, {&attr, 1}, {&type, 1});
}

Result<ValueId> broadcast(tw_builder_t *b, ValueId x, graph::Shape dims, std::vector<int64_t> map) {
  TW_TRY(check_values(b, {&x, 1}));
  const ops::NamedAttr attr{"broadcast_dimensions", std::move(map)};
  const graph::TensorType type{b->graph.type_of(x).dtype, std::move(dims)};
  return add(b, ops::code_of(OpKind::broadcast), {&x, 1}, {&attr, 1}, {&type, 1});
}

} // namespace tw::capi

namespace {

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

// Arguments and results stand in the body of the program.
Status check_in_body(const tw_builder_t *b, const char *what) {
  return b->open.empty() ? Status()
                         : fail(Code::failed_precondition, "TW-727",
                                fmt::format("a region is open: {} stand in the body of the program", what));
}

Result<ValueId> argument(tw_builder_t *b, const char *given, tw_dtype_t dtype, const int64_t *dims,
                         size_t ndims, int32_t alias) {
  TW_TRY(require_text(given, "name"));
  const std::string name = shown(given);
  TW_TRY(check_in_body(b, "arguments"));
  TW_TRY(take_name(b->argument_names, "argument", "arg", name, b->graph.graph().arguments().size()));
  TW_ASSIGN(auto type, checked_type(dtype, dims, ndims));
  return b->graph.graph().result(ops::add_argument(b->graph, type, name, 0, alias));
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

Result<ValueId> add_plain(tw_builder_t *b, const char *op, std::span<const tw_value_t> operands,
                          std::span<const tw_attr_t> attrs) {
  TW_ASSIGN(const auto code, named_op(op, false));
  TW_TRY(check_values(b, operands));
  std::vector<ops::NamedAttr> named;
  std::vector<graph::TensorType> stated;
  for (size_t i = 0; i < attrs.size(); ++i) {
    TW_ASSIGN(auto value, attr_value(attrs.data(), i));
    const std::string_view name = attrs[i].name;
    if (name != "result_dims" && name != "result_dtype") {
      named.emplace_back(name, std::move(value));
      continue;
    }
    if (stated.empty())
      stated.push_back(operands.empty() ? graph::TensorType{graph::DType::f32, {}}
                                        : b->graph.type_of(operands[0]));
    TW_TRY(state(stated[0], name, value));
  }
  if (!stated.empty())
    TW_TRY(checked_type(static_cast<tw_dtype_t>(stated[0].dtype), stated[0].dims.data(), stated[0].rank()));
  return add(b, code, operands, named, stated);
}

// Every region was given to an op, every name to one value, every donation to a result.
Status check_complete(const tw_builder_t *b) {
  if (!b->open.empty())
    return fail(Code::failed_precondition, "TW-727",
                fmt::format("{} regions are open: tw_builder_end_region ends one", b->open.size()));
  for (size_t i = 0; i < b->regions.size(); ++i)
    if (!b->regions[i].owned)
      return fail(Code::failed_precondition, "TW-727",
                  fmt::format("region {} was given to no op: tw_builder_op takes it", i));
  const graph::Graph &g = b->graph.graph();
  if (const auto fault = graph::find_donation_fault(g))
    return fail(Code::invalid_argument, "TW-707", fault->text);
  if (b->value_names.empty())
    return {};
  std::unordered_set<std::string> names;
  for (ValueId v = 0; v < g.values().size(); ++v)
    if (!names.insert(g.value_name(v)).second)
      return fail(
          Code::invalid_argument, "TW-707",
          fmt::format("two values are called {}: one of them by its number; name both", g.value_name(v)));
  return {};
}

} // namespace

tw_status_t tw_builder_create(const char *name, tw_builder_t **out_builder) {
  return guard([&]() -> Status {
    TW_TRY(require_text(name, "name"));
    TW_TRY(require(out_builder, "out_builder"));
    *out_builder = new tw_builder(shown(name));
    return {};
  });
}
void tw_builder_release(tw_builder_t *builder) { delete builder; }

tw_status_t tw_builder_check(const tw_builder_t *builder) {
  return guard([&]() -> Status {
    TW_TRY(require(builder, "builder"));
    if (!builder->error)
      return {};
    Error copy(Code::internal, "", {});
    copy.info() = builder->error->info();
    return fail(std::move(copy));
  });
}

tw_value_t tw_builder_argument(tw_builder_t *b, const char *name, tw_dtype_t dtype, const int64_t *dims,
                               size_t ndims) {
  return step(b, "tw_builder_argument", [&] { return argument(b, name, dtype, dims, ndims, -1); });
}
tw_value_t tw_builder_donated_argument(tw_builder_t *b, const char *name, tw_dtype_t dtype,
                                       const int64_t *dims, size_t ndims, int64_t result) {
  return step(b, "tw_builder_donated_argument", [&]() -> Result<ValueId> {
    if (result < -1 || result > INT32_MAX)
      return fail(Code::out_of_range, "TW-722",
                  fmt::format("result is {}: the number of a result, or -1", result));
    return argument(b, name, dtype, dims, ndims, result < 0 ? -2 : static_cast<int32_t>(result));
  });
}

tw_value_t tw_builder_constant(tw_builder_t *b, tw_dtype_t dtype, const int64_t *dims, size_t ndims,
                               const void *data) {
  return step(b, "tw_builder_constant", [&]() -> Result<ValueId> {
    TW_ASSIGN(auto type, checked_type(dtype, dims, ndims));
    if (type.bytes())
      TW_TRY(require(data, "data"));
    const auto *bytes = static_cast<const std::byte *>(data);
    return constant(b, type, {bytes, bytes + type.bytes()}, false);
  });
}
tw_value_t tw_builder_splat(tw_builder_t *b, tw_dtype_t dtype, const int64_t *dims, size_t ndims,
                            double value) {
  return step(b, "tw_builder_splat", [&]() -> Result<ValueId> {
    TW_ASSIGN(auto type, checked_type(dtype, dims, ndims));
    return constant(b, type, ops::element_bytes(type.dtype, value), true);
  });
}
tw_value_t tw_builder_fill(tw_builder_t *b, tw_dtype_t dtype, const int64_t *dims, size_t ndims,
                           const void *element) {
  return step(b, "tw_builder_fill", [&]() -> Result<ValueId> {
    TW_ASSIGN(auto type, checked_type(dtype, dims, ndims));
    TW_TRY(require(element, "element"));
    const auto *bytes = static_cast<const std::byte *>(element);
    return constant(b, type, {bytes, bytes + graph::byte_size(type.dtype)}, true);
  });
}

tw_value_t tw_builder_add(tw_builder_t *b, const char *op, const tw_value_t *operands, size_t num_operands,
                          const tw_attr_t *attrs, size_t num_attrs, tw_value_t *out_results,
                          size_t max_results) {
  return step(b, "tw_builder_add", [&]() -> Result<ValueId> {
    TW_TRY(require(op, "op"));
    if (num_operands)
      TW_TRY(require(operands, "operands"));
    if (num_attrs)
      TW_TRY(require(attrs, "attrs"));
    if (max_results)
      TW_TRY(require(out_results, "out_results"));
    TW_ASSIGN(const auto first, add_plain(b, op, {operands, num_operands}, {attrs, num_attrs}));
    write_results(b, first, out_results, max_results);
    return first;
  });
}

void tw_builder_result(tw_builder_t *b, const char *name, tw_value_t value) {
  step(b, "tw_builder_result", [&]() -> Result<ValueId> {
    TW_TRY(require_text(name, "name"));
    TW_TRY(check_in_body(b, "results"));
    TW_TRY(check_values(b, {&value, 1}));
    TW_TRY(take_name(b->result_names, "result", "out", shown(name), b->graph.graph().results().size()));
    ops::add_result(b->graph, value, shown(name));
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
    b->error.emplace(Code::failed_precondition, "TW-711", "this builder was finished before");
    TW_TRY(check_complete(b));
    import::Imported built;
    built.graph = b->graph.finish();
    built.annotations = std::move(b->annotations);
    TW_TRY(ops::verify(*built.graph));
    TW_ASSIGN(auto graph, make_graph(std::move(built), std::move(b->custom_calls)));
    *out_graph = graph.leak();
    return {};
  });
}
