// SPDX-License-Identifier: Apache-2.0
// Signature, census, cost, annotations and notes of a program.
#include "report/graph_info.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/lapack_calls.hpp"
#include "ops/registry.hpp"
#include "ops/trip_count.hpp"
#include "ops/variables.hpp"
#include "partition/annotations.hpp"
#include "search/layers.hpp"

namespace tw::report {
namespace {

using Json = nlohmann::ordered_json;

Json entry_json(size_t index, std::string name, const graph::TensorType &type) {
  return {{"index", index},
          {"name", std::move(name)},
          {"type", graph::to_short_text(type)},
          {"bytes", type.bytes()}};
}

const char *at_name(annotation::Annotation::At at) {
  switch (at) {
  case annotation::Annotation::At::argument: return "argument";
  case annotation::Annotation::At::result: return "result";
  default: return "value";
  }
}

const char *kind_name(import::Note::Kind kind) {
  switch (kind) {
  case import::Note::Kind::ignored: return "ignored";
  default: return "elided";
  }
}

// What a plan on the module's own mesh would leave out of its annotations, and why.
std::vector<std::string> left_out(const import::Imported &imported) {
  const annotation::Annotations &said = imported.annotations;
  if (said.all.empty() && said.members.empty() && said.left_out.empty())
    return {};
  auto mesh = partition::mesh_for(imported.annotations, std::nullopt);
  if (!mesh)
    return {mesh.error().message()};
  partition::Plan plan(imported.graph, std::move(*mesh));
  auto notes = partition::apply_annotations(plan, imported.annotations);
  return notes ? std::move(*notes) : std::vector{notes.error().message()};
}

// Layers that repeat, and their arguments by role, each from the first layer to the last.
Json layers_json(const graph::Graph &g) {
  std::map<graph::OpId, size_t> arguments;
  for (size_t i = 0; i < g.arguments().size(); ++i)
    arguments.emplace(g.arguments()[i], i);
  Json all = Json::array();
  for (const search::Stack &stack : search::find_stacks(g)) {
    Json roles = Json::array();
    int64_t bytes = 0, ops = 0; // of one layer
    for (const search::Role &role : stack.roles) {
      if (!arguments.contains(role[0])) {
        ops += g.op(role[0]).num_results > 0; // else it is a result
        continue;
      }
      const graph::TensorType &type = g.type(g.result(role[0]));
      Json names = Json::array();
      for (const graph::OpId op : role)
        names.push_back(g.argument_name(arguments.at(op)));
      roles.push_back({{"names", std::move(names)}, {"type", graph::to_short_text(type)}});
      bytes += type.bytes();
    }
    all.push_back({{"layers", stack.num_layers},
                   {"ops", ops},
                   {"argument_bytes", bytes},
                   {"arguments", std::move(roles)}});
  }
  return all;
}

// Calls of code that the program does not hold, by target, and what is known of them.
Json custom_calls(const graph::Graph &g, const kernels::CustomCalls *calls) {
  Json all = Json::array();
  std::map<std::string, size_t, std::less<>> known; // by target, where in `all`
  for (graph::OpId id = 0; id < g.ops().size(); ++id) {
    const auto &def = ops::op_def(g.op(id).code);
    if (!kernels::is_custom_call(def))
      continue;
    const ops::OpViewHolder op(g, id);
    const std::string_view target = op.view().string(ops::slot::custom_call::call_target_name);
    const auto [at, fresh] = known.try_emplace(std::string(target), all.size());
    if (!fresh) {
      auto &count = all[at->second]["count"];
      count = count.get<int64_t>() + 1;
      continue;
    }
    const kernels::CustomCall *call = calls ? calls->find(def, op.view()) : nullptr;
    const graph::Location first = g.location(id);
    all.push_back({{"target", at->first},
                   {"count", 1},
                   {"rule", (call && call->rule) || ops::is_lapack_call(op.view())},
                   {"kernel", kernels::find_kernel(calls, def, op.view()) != nullptr},
                   {"first", first.line ? fmt::format("{}:{}:{}", g.file(), first.line, first.column) : ""}});
  }
  return all;
}

} // namespace

std::string mesh_text(const annotation::MeshDecl *mesh) {
  std::string text;
  if (mesh == nullptr)
    return text;
  for (const auto &[name, size] : mesh->axes)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, size);
  return text;
}

namespace {

struct Work {
  double flops = 0;
  bool unknown_trips = false; // data decide how often some loop in it runs: it counts once
};

// Of one run of a body: loops as often as they run, and of branches the dearest.
Work work_of(const graph::Graph &g, const ops::Variables &variables, graph::RegionId body) {
  Work all;
  for (const graph::OpId id : g.region(body).ops) {
    const graph::Op &op = g.op(id);
    if (ops::is_signature(ops::op_def(op.code)))
      continue;
    all.flops += ops::op_cost(g, id).flops;
    if (op.num_regions == 0 || !variables.is_body(op.first_region))
      continue;
    const bool loop = ops::is_loop(g, id);
    const std::optional<int64_t> trips = loop ? ops::trip_count(g, id) : std::nullopt;
    all.unknown_trips = all.unknown_trips || (loop && !trips);
    double dearest = 0;
    for (uint32_t r = 0; r < op.num_regions; ++r) {
      const Work once = work_of(g, variables, op.first_region + r);
      all.unknown_trips = all.unknown_trips || once.unknown_trips;
      if (loop) // the condition is asked once more
        all.flops += once.flops * static_cast<double>(trips ? *trips + (r == 0) : 1);
      else
        dearest = std::max(dearest, once.flops);
    }
    all.flops += dearest;
  }
  return all;
}

void add_census(const graph::Graph &g, const ops::Variables &variables, Json &json) {
  std::map<std::string_view, int64_t> census;
  for (const graph::Op &op : g.ops())
    if (const auto &def = ops::op_def(op.code); !ops::is_signature(def))
      ++census[def.name];
  const Work work = work_of(g, variables, 0);
  json["flops"] = work.flops;
  if (work.unknown_trips)
    json["unknown_trips"] = true;
  json["census"] = Json::object();
  for (const auto &[name, count] : census)
    json["census"][std::string(name)] = count;
}

void add_annotations(const import::Imported &imported, Json &json) {
  json["meshes"] = Json::array();
  for (const auto &mesh : imported.annotations.meshes) {
    Json axes = Json::array();
    for (const auto &[name, size] : mesh.axes)
      axes.push_back({name, size});
    json["meshes"].push_back({{"name", mesh.name}, {"axes", std::move(axes)}});
    if (!mesh.device_ids.empty())
      json["meshes"].back()["device_ids"] = mesh.device_ids;
  }
  const graph::Graph &g = *imported.graph;
  json["annotations"] = Json::array();
  for (const auto &a : imported.annotations.all)
    json["annotations"].push_back(
        {{"at", at_name(a.at)},
         {"name", a.at == annotation::Annotation::At::argument ? g.argument_name(a.index)
                  : a.at == annotation::Annotation::At::result ? g.result_name(a.index)
                                                               : g.value_name(a.index)},
         {"sharding", a.sharding.text}});
  json["stated"] = Json::array();
  for (const auto &a : imported.stated)
    json["stated"].push_back({{"at", at_name(a.at)}, {"index", a.index}, {"sharding", a.sharding.text}});
}

void add_notes(const import::Imported &imported, Json &json) {
  json["notes"] = Json::array();
  for (const auto &n : imported.notes)
    json["notes"].push_back(
        {{"kind", kind_name(n.kind)},
         {"text", n.text},
         {"count", n.count},
         {"first", n.first.line ? fmt::format("{}:{}:{}", n.first.file, n.first.line, n.first.column)
                                : std::string()}});
  for (const std::string &note : left_out(imported))
    json["notes"].push_back(
        {{"kind", kind_name(import::Note::Kind::ignored)}, {"text", note}, {"count", 1}, {"first", ""}});
}

void add_values(const graph::Graph &g, const ops::Variables &variables, Json &json) {
  json["values"] = Json::array();
  for (graph::ValueId v = 0; v < g.values().size(); ++v) {
    const auto &value = g.value(v);
    if (value.def == graph::kNone || !variables.is_body(g.op(value.def).parent))
      continue; // inside a combiner
    json["values"].push_back({{"name", g.value_name(v)},
                              {"type", graph::to_short_text(g.type(v))},
                              {"op", ops::op_def(g.op(value.def).code).name},
                              {"location", g.location_text(value.def)}});
  }
}

} // namespace

nlohmann::ordered_json graph_info(const import::Imported &imported, bool with_values,
                                  const kernels::CustomCalls *calls) {
  const auto &g = *imported.graph;
  Json json;
  json["module"] = g.module_name();
  json["ops"] = g.ops().size() - g.arguments().size() - g.results().size();
  json["functions"] = imported.functions;
  json["calls_inlined"] = imported.calls;

  int64_t argument_bytes = 0, result_bytes = 0;
  json["arguments"] = Json::array();
  for (size_t i = 0; i < g.arguments().size(); ++i) {
    const auto &type = g.type(g.result(g.arguments()[i]));
    auto entry = entry_json(i, g.argument_name(i), type);
    if (g.alias_of_argument(i) != -1)
      entry["donated"] = true;
    argument_bytes += type.bytes();
    json["arguments"].push_back(std::move(entry));
  }
  json["results"] = Json::array();
  for (size_t i = 0; i < g.results().size(); ++i) {
    const auto &type = g.type(g.operands(g.results()[i])[0]);
    result_bytes += type.bytes();
    json["results"].push_back(entry_json(i, g.result_name(i), type));
  }
  json["argument_bytes"] = argument_bytes;
  json["result_bytes"] = result_bytes;

  const ops::Variables variables(g);
  add_census(g, variables, json);
  json["layers"] = layers_json(g);
  json["custom_calls"] = custom_calls(g, calls);
  add_annotations(imported, json);
  add_notes(imported, json);
  if (with_values)
    add_values(g, variables, json);
  return json;
}

} // namespace tw::report
