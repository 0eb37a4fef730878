// SPDX-License-Identifier: Apache-2.0
// model-explorer, model-explorer-data: the program of a device as Model Explorer draws graphs, and the bytes
// that its collectives bring as data of nodes.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/figures.hpp"
#include "emit/printer.hpp"
#include "ops/op_def.hpp"
#include "sharding/axis_names.hpp"
#include "sharding/spans_text.hpp"

namespace tw::emit::model_explorer_printer {
namespace {

using Json = nlohmann::ordered_json;
using spmd::Instr;
using spmd::InstrKind;

constexpr std::array<std::string_view, 5> kOverlayColors{"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                         "#d55e00"};

Json attribute(std::string_view key, std::string value) {
  return {{"key", key}, {"value", std::move(value)}};
}

class Nodes {
public:
  explicit Nodes(const spmd::Program &program) : p_(program), statistics_(spmd::find_statistics(program)) {
    made_by_.resize(p_.values().size());
    for (size_t i = 0; i < p_.instrs().size(); ++i)
      for (uint32_t k = 0; k < p_.instrs()[i].num_results; ++k)
        made_by_[p_.instrs()[i].first_result + k] = {i, k};
  }

  std::string id() const {
    return p_.graph().module_name().empty() ? "program" : std::string(p_.graph().module_name());
  }

  Json graph() const {
    Json nodes = Json::array();
    for (size_t i = 0; i < p_.instrs().size(); ++i)
      nodes.push_back(node(i));
    return {{"id", id()},
            {"nodes", std::move(nodes)},
            {"groupNodeAttributes",
             {{"",
               {{"mesh", p_.mesh().text()},
                {"devices", fmt::format("{}", p_.mesh().num_devices())},
                {"received", bytes_text(statistics_.bytes_received_max)}}}}},
            {"tasksData", {{"edgeOverlaysDataListLeftPane", Json::array({overlays()})}}}};
  }

  // What the busiest device receives by each collective in one run.
  Json data() const {
    Json results = Json::object();
    for (size_t i = 0; i < p_.instrs().size(); ++i)
      if (const Instr &instr = p_.instrs()[i]; moves(instr))
        results[fmt::format("{}", i)] = {{"value", received(instr.index)}};
    return {{id(),
             {{"results", std::move(results)},
              {"gradient", Json::array({{{"stop", 0}, {"bgColor", "#fff7e6"}},
                                        {{"stop", 1}, {"bgColor", "#d55e00"}}})}}}};
  }

private:
  struct Output {
    size_t instr;
    uint32_t index;
  };

  bool moves(const Instr &instr) const {
    return instr.kind == InstrKind::collective &&
           p_.collectives()[instr.index].summary.kind != redistribute::Kind::copy;
  }
  int64_t received(uint32_t collective) const {
    return p_.collectives()[collective].summary.bytes_received_max * statistics_.times[collective];
  }
  std::string moved_over(const spmd::Collective &c) const {
    return fmt::format("{} over {}", redistribute::name(c.summary.kind),
                       fmt::join(sharding::axis_names(c.summary.axes, p_.mesh()), ","));
  }

  std::string label(const Instr &instr) const {
    const auto op = [&] {
      std::string_view name = ops::op_def(p_.graph().op(instr.op).code).name;
      return std::string(name.substr(name.rfind('.') + 1)); // npos + 1 is 0
    };
    switch (instr.kind) {
    case InstrKind::argument: return p_.graph().argument_name(instr.index);
    case InstrKind::result: return p_.graph().result_name(instr.index);
    case InstrKind::compute: return op();
    case InstrKind::collective: return moves(instr) ? moved_over(p_.collectives()[instr.index]) : "slice";
    case InstrKind::region: return fmt::format("{}: region {}", op(), instr.index);
    case InstrKind::loop:
      return fmt::format("loop over {}", p_.mesh().axis(static_cast<sharding::AxisId>(instr.index)).name);
    case InstrKind::end_loop: return "end of loop";
    case InstrKind::accumulate: return "accumulate";
    }
    return "";
  }

  // The calls and regions that a value is in: "%0/3" of "%0.3.%a".
  std::string space(const Instr &instr) const {
    const spmd::ValueRef value = instr.num_results > 0    ? instr.first_result
                                 : instr.num_operands > 0 ? p_.operands(instr)[0]
                                                          : 0;
    if (instr.num_results + instr.num_operands == 0 || instr.kind == InstrKind::argument ||
        instr.kind == InstrKind::result)
      return "";
    std::string path = p_.graph().value_name(p_.values()[value].origin);
    const size_t last = path.rfind('.');
    if (last == std::string::npos || path.find('[') != std::string::npos)
      return "";
    path.resize(last);
    std::ranges::replace(path, '.', '/');
    return path;
  }

  std::string sharding_text(spmd::ValueRef v) const {
    return sharding::to_text(p_.sharding(p_.values()[v].sharding), p_.type(v).dims, p_.mesh());
  }
  std::string local_type(spmd::ValueRef v) const {
    const graph::TensorType &type = p_.type(v);
    return graph::to_short_text(
        {type.dtype, sharding::largest_tile(p_.sharding(p_.values()[v].sharding), type.dims, p_.mesh())});
  }

  Json node(size_t i) const {
    const Instr &instr = p_.instrs()[i];
    Json edges = Json::array(), outputs = Json::array(), attributes = Json::array();
    uint32_t input = 0;
    for (const spmd::ValueRef v : p_.operands(instr)) {
      const Output from = made_by_[v];
      edges.push_back({{"sourceNodeId", fmt::format("{}", from.instr)},
                       {"sourceNodeOutputId", fmt::format("{}", from.index)},
                       {"targetNodeInputId", fmt::format("{}", input++)}});
    }
    for (uint32_t k = 0; k < instr.num_results; ++k) {
      const spmd::ValueRef v = instr.first_result + k;
      outputs.push_back(
          {{"id", fmt::format("{}", k)},
           {"attrs",
            Json::array({attribute("tensor_name", p_.graph().value_name(p_.values()[v].origin)),
                         attribute("tensor_shape", local_type(v)), attribute("sharding", sharding_text(v)),
                         attribute("whole", graph::to_short_text(p_.type(v)))})}});
    }
    if (instr.op != graph::kNone)
      if (std::string location = p_.graph().location_text(instr.op); !location.empty())
        attributes.push_back(attribute("location", std::move(location)));
    if (instr.num_results > 0)
      attributes.push_back(attribute("sharding", sharding_text(instr.first_result)));
    if (moves(instr)) {
      const spmd::Collective &c = p_.collectives()[instr.index];
      attributes.push_back(attribute("from", sharding_text(p_.operands(instr)[0])));
      attributes.push_back(attribute("received", bytes_text(c.summary.bytes_received_max)));
      attributes.push_back(attribute("times", fmt::format("{}", statistics_.times[instr.index])));
    }
    return {{"id", fmt::format("{}", i)},        {"label", label(instr)},
            {"namespace", space(instr)},         {"attrs", std::move(attributes)},
            {"incomingEdges", std::move(edges)}, {"outputsMetadata", std::move(outputs)}};
  }

  // A set of edges for each kind of collective and its axes: into it, with what arrives.
  Json overlays() const {
    Json all = Json::array();
    for (size_t i = 0; i < p_.instrs().size(); ++i) {
      const Instr &instr = p_.instrs()[i];
      if (!moves(instr))
        continue;
      const std::string name = moved_over(p_.collectives()[instr.index]);
      auto at = std::ranges::find_if(all, [&](const Json &one) { return one.at("name") == name; });
      if (at == all.end()) {
        const std::string_view color = kOverlayColors[all.size() % kOverlayColors.size()];
        all.push_back({{"name", name}, {"edgeColor", color}, {"edges", Json::array()}});
        at = std::prev(all.end());
      }
      for (const spmd::ValueRef v : p_.operands(instr))
        (*at)["edges"].push_back({{"sourceNodeId", fmt::format("{}", made_by_[v].instr)},
                                  {"targetNodeId", fmt::format("{}", i)},
                                  {"label", bytes_text(received(instr.index))}});
    }
    return {{"type", "edge_overlays"}, {"name", "what moves"}, {"overlays", std::move(all)}};
  }

  const spmd::Program &p_;
  const spmd::Statistics statistics_;
  std::vector<Output> made_by_;
};

// Names may hold any bytes.
std::string text_of(const Json &json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<std::string> print_graph(const spmd::Program &program) {
  const Nodes nodes(program);
  return text_of({{"label", nodes.id()}, {"graphs", Json::array({nodes.graph()})}});
}
Result<std::string> print_data(const spmd::Program &program) { return text_of(Nodes(program).data()); }

constexpr Form kForms[] = {{.name = "model-explorer",
                            .doc = "the device-local program as a graph for Model Explorer; bytes that "
                                   "collectives bring as its node data",
                            .of_program = print_graph},
                           {.name = "model-explorer-data", .doc = "", .of_program = print_data}};

} // namespace

Printer printer() { return kForms; }

} // namespace tw::emit::model_explorer_printer
