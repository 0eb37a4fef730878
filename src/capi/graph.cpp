// SPDX-License-Identifier: Apache-2.0
// tw_graph.h: import, looking at graphs, the registry of ops.
#include <chrono>

#include <fmt/format.h>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "graph/limits.hpp"
#include "graph/shown_name.hpp"
#include "ops/registry.hpp"
#include "report/graph_info.hpp"
#include "report/ops_info.hpp"

using namespace tw;
using namespace tw::capi;

tw_graph::tw_graph(std::shared_ptr<const import::Imported> i)
    : imported(std::move(i)), mesh_text(report::mesh_text(imported->annotations.declared_mesh())) {
  for (size_t a = 0; a < graph().arguments().size(); ++a)
    argument_names.push_back(graph().argument_name(a));
  for (size_t r = 0; r < graph().results().size(); ++r)
    result_names.push_back(graph().result_name(r));
}

Result<Ref<tw_graph>> capi::make_graph(import::Imported imported,
                                       std::shared_ptr<const kernels::CustomCalls> custom_calls) {
  TW_TRY(graph::check_total_size(*imported.graph));
  auto graph = make_ref<tw_graph>(std::make_shared<const import::Imported>(std::move(imported)));
  if (custom_calls) {
    TW_ASSIGN(graph->rules, custom_calls->check(graph->graph()));
  }
  graph->custom_calls = std::move(custom_calls);
  return graph;
}

tw_status_t tw_graph_import(const char *text, size_t size, const tw_import_options_t *options,
                            tw_graph_t **out_graph) {
  return guard([&]() -> Status {
    TW_TRY(require(text, "text"));
    TW_TRY(require(out_graph, "out_graph"));
    TW_TRY(check_options(options));
    import::ImportOptions import_options;
    if (has_field(options, &tw_import_options_t::file) && options->file)
      import_options.file = options->file;
    if (has_field(options, &tw_import_options_t::entry) && options->entry)
      import_options.entry = options->entry;
    if (has_field(options, &tw_import_options_t::names) && options->names)
      import_options.names = options->names;
    if (has_field(options, &tw_import_options_t::names_file) && options->names_file)
      import_options.names_file = options->names_file;
    import_options.allow_unknown =
        has_field(options, &tw_import_options_t::allow_unknown) && options->allow_unknown;
    if (has_field(options, &tw_import_options_t::mesh) && options->mesh) {
      TW_ASSIGN(const sharding::Mesh mesh, sharding::Mesh::parse(options->mesh));
      for (const sharding::Axis &axis : mesh.axes())
        import_options.mesh.emplace_back(axis.name, axis.size);
    }
    const auto begin = std::chrono::steady_clock::now();
    TW_ASSIGN(auto imported, import::import_text({text, size}, import_options));
    const bool has_calls = has_field(options, &tw_import_options_t::custom_calls) && options->custom_calls;
    TW_ASSIGN(auto graph,
              make_graph(std::move(imported), has_calls ? options->custom_calls->calls : nullptr));
    graph->import_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    *out_graph = graph.leak();
    return {};
  });
}

tw_graph_t *tw_graph_retain(tw_graph_t *graph) {
  if (graph)
    graph->retain();
  return graph;
}
void tw_graph_release(tw_graph_t *graph) {
  if (graph)
    graph->release();
}

namespace {

// The type of argument or result i; null when i is too large.
const graph::TensorType *argument_type(const tw_graph_t *graph, size_t i) {
  if (!graph || i >= graph->graph().arguments().size())
    return nullptr;
  return &graph->graph().type(graph->graph().result(graph->graph().arguments()[i]));
}
const graph::TensorType *result_type(const tw_graph_t *graph, size_t i) {
  if (!graph || i >= graph->graph().results().size())
    return nullptr;
  return &graph->graph().type(graph->graph().operands(graph->graph().results()[i])[0]);
}
tw_dtype_t dtype_of(const graph::TensorType *type) {
  return type ? static_cast<tw_dtype_t>(type->dtype) : static_cast<tw_dtype_t>(TW_DTYPE_INVALID);
}
const int64_t *dims_of(const graph::TensorType *type, size_t *out_ndims) {
  static constexpr int64_t no_dims[1] = {0}; // a scalar's dims are none, but not NULL
  if (out_ndims)
    *out_ndims = type ? type->rank() : 0;
  return !type ? nullptr : type->rank() ? type->dims.data() : no_dims;
}

} // namespace

const char *tw_graph_name(const tw_graph_t *graph) {
  return graph ? graph->graph().module_name().data() : nullptr;
}
size_t tw_graph_num_ops(const tw_graph_t *graph) {
  return graph ? graph->graph().ops().size() - graph->graph().arguments().size() -
                     graph->graph().results().size()
               : 0;
}
size_t tw_graph_num_arguments(const tw_graph_t *graph) {
  return graph ? graph->graph().arguments().size() : 0;
}
size_t tw_graph_num_results(const tw_graph_t *graph) { return graph ? graph->graph().results().size() : 0; }
const char *tw_graph_argument_name(const tw_graph_t *graph, size_t i) {
  return i < tw_graph_num_arguments(graph) ? graph->argument_names[i].c_str() : nullptr;
}
const char *tw_graph_result_name(const tw_graph_t *graph, size_t i) {
  return i < tw_graph_num_results(graph) ? graph->result_names[i].c_str() : nullptr;
}
tw_dtype_t tw_graph_argument_dtype(const tw_graph_t *graph, size_t i) {
  return dtype_of(argument_type(graph, i));
}
tw_dtype_t tw_graph_result_dtype(const tw_graph_t *graph, size_t i) {
  return dtype_of(result_type(graph, i));
}
const int64_t *tw_graph_argument_dims(const tw_graph_t *graph, size_t i, size_t *out_ndims) {
  return dims_of(argument_type(graph, i), out_ndims);
}
const int64_t *tw_graph_result_dims(const tw_graph_t *graph, size_t i, size_t *out_ndims) {
  return dims_of(result_type(graph, i), out_ndims);
}
int64_t tw_graph_donated_to(const tw_graph_t *graph, size_t i) {
  return i < tw_graph_num_arguments(graph) ? graph->graph().alias_of_argument(i) : -1;
}
const char *tw_graph_mesh(const tw_graph_t *graph) { return graph ? graph->mesh_text.c_str() : nullptr; }
size_t tw_graph_grid_rank(const tw_graph_t *graph) { return graph ? graph->imported->grid_rank : 0; }

tw_status_t tw_graph_info(const tw_graph_t *graph, int with_values, tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(graph, "graph"));
    TW_TRY(require(out_json, "out_json"));
    return give(json_text(report::graph_info(*graph->imported, with_values != 0, graph->custom_calls.get())),
                out_json);
  });
}

tw_status_t tw_graph_value_name(const tw_graph_t *graph, tw_value_t value, tw_blob_t **out_name) {
  return guard([&]() -> Status {
    TW_TRY(require(graph, "graph"));
    TW_TRY(require(out_name, "out_name"));
    const graph::Graph &g = graph->graph();
    if (value >= g.values().size())
      return fail(Code::out_of_range, "TW-707",
                  fmt::format("there is no value {}: the graph has {}", value, g.values().size()));
    return give(graph::shown_name(g, value), out_name);
  });
}

size_t tw_op_count(void) { return ops::all_ops().size(); }
const char *tw_op_name(size_t i) { return i < tw_op_count() ? ops::all_ops()[i]->name : nullptr; }
tw_status_t tw_ops_info(const char *name_or_null, tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(out_json, "out_json"));
    TW_ASSIGN(auto json, report::ops_info(name_or_null ? name_or_null : ""));
    return give(json_text(json), out_json);
  });
}
