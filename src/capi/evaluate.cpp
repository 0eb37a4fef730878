// SPDX-License-Identifier: Apache-2.0
// tw_runtime.h: the reference evaluator, and what it is asked about NaN and Inf.
#include <cstring>
#include <numeric>

#include <nlohmann/json.hpp>

#include "base/watch.hpp"
#include "capi/call.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "kernels/ref/evaluate.hpp"
#include "ops/registry.hpp"
#include "runtime/nonfinite.hpp"

using namespace tw;
using namespace tw::capi;

namespace {

std::vector<kernels::ref::Array> arrays_of(const tw_tensor_t *const *inputs, size_t num_inputs) {
  std::vector<kernels::ref::Array> arrays;
  for (size_t i = 0; i < num_inputs; ++i) {
    const auto &t = inputs[i]->tensor;
    const auto *bytes = static_cast<const std::byte *>(t.data());
    arrays.push_back({t.type(), {bytes, bytes + t.type().bytes()}});
  }
  return arrays;
}

kernels::ref::ForeignKernel foreign_of(const tw_graph_t *graph) {
  if (!graph->custom_calls)
    return {};
  return [graph](const ops::OpDef &def, const kernels::KernelArgs &args) {
    return kernels::run_whole(def, args, graph->custom_calls.get());
  };
}

nlohmann::ordered_json json_of(const graph::Graph &g, const runtime::Nonfinite &found) {
  nlohmann::ordered_json json = {{"op", ops::op_def(g.op(found.op).code).name},
                                 {"value", g.value_name(found.value)},
                                 {"location", g.location_text(found.op)},
                                 {"kind", found.nan ? "NaN" : "Inf"},
                                 {"elements", found.count},
                                 {"of", g.type(found.value).elements()},
                                 {"arguments", nlohmann::ordered_json::array()}};
  for (const uint32_t i : found.arguments)
    json["arguments"].push_back(i);
  return json;
}

} // namespace

tw_status_t tw_graph_evaluate(const tw_graph_t *graph, const tw_tensor_t *const *inputs, size_t num_inputs,
                              tw_tensor_t *const *outputs, size_t num_outputs) {
  return guard([&]() -> Status {
    TW_TRY(require(graph, "graph"));
    TW_TRY(check_call(graph->graph(), inputs, num_inputs, outputs, num_outputs));
    TW_TRY(check_on_host(inputs, num_inputs, "inputs"));
    TW_TRY(check_on_host(outputs, num_outputs, "outputs"));
    std::vector<uint32_t> order(num_outputs);
    std::iota(order.begin(), order.end(), 0u);
    TW_TRY(runtime::check_apart(views_of(outputs, num_outputs), order,
                                [&](uint32_t i) { return graph->graph().result_name(i); }));
    TW_ASSIGN(const auto results,
              kernels::ref::evaluate(graph->graph(), arrays_of(inputs, num_inputs), foreign_of(graph)));
    for (size_t i = 0; i < num_outputs; ++i)
      if (!results[i].bytes.empty())
        std::memcpy(outputs[i]->tensor.data(), results[i].bytes.data(), results[i].bytes.size());
    return {};
  });
}

tw_status_t tw_graph_find_nonfinite(const tw_graph_t *graph, const tw_tensor_t *const *inputs,
                                    size_t num_inputs, tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(graph, "graph"));
    TW_TRY(require(out_json, "out_json"));
    TW_TRY(check_inputs(graph->graph(), inputs, num_inputs));
    TW_TRY(check_on_host(inputs, num_inputs, "inputs"));
    const LongCall call;
    TW_ASSIGN(const auto found,
              runtime::find_nonfinite(graph->graph(), arrays_of(inputs, num_inputs), foreign_of(graph)));
    return give((found ? json_of(graph->graph(), *found).dump(2) : "null") + std::string("\n"), out_json);
  });
}
