// SPDX-License-Identifier: Apache-2.0
// tw_walk.h: the graph's own arrays, seen through structs of the ABI.
#include <type_traits>

#include <fmt/format.h>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/view.hpp"
#include "ops/literal.hpp"
#include "ops/registry.hpp"
#include "partition/calls.hpp"

using namespace tw;
using namespace tw::capi;

// The ABI's uses are the graph's.
static_assert(sizeof(tw_use_t) == sizeof(graph::Use) && offsetof(tw_use_t, op) == offsetof(graph::Use, op) &&
              offsetof(tw_use_t, operand) == offsetof(graph::Use, operand));
static_assert(std::is_same_v<tw_op_t, graph::OpId> && std::is_same_v<tw_value_t, graph::ValueId> &&
              std::is_same_v<tw_region_t, graph::RegionId>);
static_assert(TW_NO_OP == graph::kNone && TW_NO_VALUE == graph::kNone && TW_NO_REGION == graph::kNone);

namespace {

Status check_op(const tw_graph_t *graph, tw_op_t op) {
  TW_TRY(require(graph, "graph"));
  return op < graph->graph().ops().size()
             ? Status()
             : fail(Code::out_of_range, "TW-707",
                    fmt::format("there is no op {}: the graph has {}", op, graph->graph().ops().size()));
}

// Attribute `slot` of an op, if it is there and no literal.
bool attribute(const ops::OpDef &def, const graph::Attrs &attrs, size_t slot, tw_attr_t *out) {
  if (slot >= attrs.size() || std::holds_alternative<std::monostate>(attrs[slot]) ||
      std::holds_alternative<graph::ConstantId>(attrs[slot]))
    return false;
  if (out == nullptr)
    return true;
  *out = {};
  out->name = def.attrs[slot].name;
  if (const auto *integer = std::get_if<int64_t>(&attrs[slot])) {
    out->kind = def.attrs[slot].kind == ops::AttrKind::boolean ? TW_ATTR_BOOLEAN : TW_ATTR_INTEGER;
    out->integer = *integer;
  } else if (const auto *real = std::get_if<double>(&attrs[slot])) {
    out->kind = TW_ATTR_REAL;
    out->real = *real;
  } else if (const auto *text = std::get_if<std::string>(&attrs[slot])) {
    out->kind = TW_ATTR_STRING;
    out->string = text->c_str();
  } else if (const auto *ints = std::get_if<std::vector<int64_t>>(&attrs[slot])) {
    out->kind = TW_ATTR_INTS;
    out->ints = ints->data();
    out->num_ints = ints->size();
  }
  return true;
}

} // namespace

size_t tw_graph_op_end(const tw_graph_t *graph) { return graph ? graph->graph().ops().size() : 0; }
size_t tw_graph_value_end(const tw_graph_t *graph) { return graph ? graph->graph().values().size() : 0; }
size_t tw_graph_region_end(const tw_graph_t *graph) { return graph ? graph->graph().num_regions() : 0; }

tw_status_t tw_graph_op(const tw_graph_t *graph, tw_op_t op, tw_op_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(check_op(graph, op));
    const graph::Graph &g = graph->graph();
    const graph::Op &of = g.op(op);
    const ops::OpDef &def = ops::op_def(of.code);
    const graph::Attrs &attrs = g.attrs(op);
    uint32_t num_attrs = 0;
    for (size_t slot = 0; slot < attrs.size(); ++slot)
      num_attrs += attribute(def, attrs, slot, nullptr) ? 1 : 0;
    const graph::Location at = g.location(op);
    return write_view(tw_op_view_t{0, def.name, g.operands(op).data(), of.num_operands, of.num_results,
                                   of.first_result, of.num_regions,
                                   of.num_regions == 0 ? TW_NO_REGION : of.first_region, of.parent, num_attrs,
                                   at.line, at.column},
                      out_view);
  });
}

tw_status_t tw_graph_attr(const tw_graph_t *graph, tw_op_t op, size_t i, tw_attr_t *out_attr) {
  return guard([&]() -> Status {
    TW_TRY(check_op(graph, op));
    TW_TRY(require(out_attr, "out_attr"));
    const ops::OpDef &def = ops::op_def(graph->graph().op(op).code);
    const graph::Attrs &attrs = graph->graph().attrs(op);
    size_t left = i;
    for (size_t slot = 0; slot < attrs.size(); ++slot)
      if (attribute(def, attrs, slot, nullptr) && left-- == 0) {
        attribute(def, attrs, slot, out_attr);
        return {};
      }
    return fail(Code::out_of_range, "TW-707", fmt::format("op {} ({}) has no attribute {}", op, def.name, i));
  });
}

tw_status_t tw_graph_constant(const tw_graph_t *graph, tw_op_t op, const void **out_data, size_t *out_bytes,
                              int *out_is_splat) {
  return guard([&]() -> Status {
    TW_TRY(check_op(graph, op));
    TW_TRY(require(out_data, "out_data"));
    TW_TRY(require(out_bytes, "out_bytes"));
    TW_TRY(require(out_is_splat, "out_is_splat"));
    const graph::Constant *literal = ops::literal_of(graph->graph(), op);
    if (literal == nullptr)
      return fail(
          Code::invalid_argument, "TW-707",
          fmt::format("op {} is no constant, but {}", op, ops::op_def(graph->graph().op(op).code).name));
    *out_data = literal->bytes->data();
    *out_bytes = literal->bytes->size();
    *out_is_splat = literal->splat ? 1 : 0;
    return {};
  });
}

tw_status_t tw_graph_value(const tw_graph_t *graph, tw_value_t value, tw_value_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(require(graph, "graph"));
    const graph::Graph &g = graph->graph();
    if (value >= g.values().size())
      return fail(Code::out_of_range, "TW-707",
                  fmt::format("there is no value {}: the graph has {}", value, g.values().size()));
    const graph::Value &of = g.value(value);
    const graph::TensorType &type = g.type(value);
    static constexpr int64_t no_dims[1] = {0};
    const std::span<const graph::Use> uses = g.uses(value);
    return write_view(tw_value_view_t{0, static_cast<tw_dtype_t>(type.dtype),
                                      type.rank() == 0 ? no_dims : type.dims.data(), type.rank(), of.def,
                                      of.index, g.region_of(value), static_cast<uint32_t>(uses.size()),
                                      reinterpret_cast<const tw_use_t *>(uses.data())},
                      out_view);
  });
}

tw_status_t tw_graph_region(const tw_graph_t *graph, tw_region_t region, tw_region_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(require(graph, "graph"));
    const graph::Graph &g = graph->graph();
    if (region >= g.num_regions())
      return fail(Code::out_of_range, "TW-707",
                  fmt::format("there is no region {}: the graph has {}", region, g.num_regions()));
    const graph::Region &of = g.region(region);
    return write_view(tw_region_view_t{0, of.parent, static_cast<uint32_t>(of.args.size()), of.args.data(),
                                       of.ops.data(), of.ops.size(), of.yields.data(), of.yields.size()},
                      out_view);
  });
}

tw_value_t tw_graph_argument(const tw_graph_t *graph, size_t i) {
  return graph && i < graph->graph().arguments().size() ? graph->graph().result(graph->graph().arguments()[i])
                                                        : TW_NO_VALUE;
}
tw_value_t tw_graph_result(const tw_graph_t *graph, size_t i) {
  return graph && i < graph->graph().results().size()
             ? graph->graph().operands(graph->graph().results()[i])[0]
             : TW_NO_VALUE;
}

tw_status_t tw_graph_find_value(const tw_graph_t *graph, const char *name, tw_value_t *out_value) {
  return guard([&]() -> Status {
    TW_TRY(require(graph, "graph"));
    TW_TRY(require(name, "name"));
    TW_TRY(require(out_value, "out_value"));
    TW_ASSIGN(*out_value, partition::find_value(graph->graph(), name));
    return {};
  });
}

tw_status_t tw_graph_symbol(const tw_graph_t *graph, tw_value_t value, tw_blob_t **out_symbol) {
  return guard([&]() -> Status {
    TW_TRY(require(graph, "graph"));
    TW_TRY(require(out_symbol, "out_symbol"));
    TW_TRY(check_index(value, graph->graph().values().size(), "value"));
    return give(graph->graph().value_name(value), out_symbol);
  });
}

tw_status_t tw_graph_op_location(const tw_graph_t *graph, tw_op_t op, tw_blob_t **out_text) {
  return guard([&]() -> Status {
    TW_TRY(check_op(graph, op));
    TW_TRY(require(out_text, "out_text"));
    return give(graph->graph().location_text(op), out_text);
  });
}
