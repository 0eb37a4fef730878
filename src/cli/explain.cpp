// SPDX-License-Identifier: Apache-2.0
// tw explain: why a value is sharded as it is, or why a collective is there, back to the action that caused
// it.
#include <optional>

#include "cli/json.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_explain {

namespace {

std::string explain_value(const tw_plan_t *plan, const std::string &value,
                          const std::optional<std::string> &axis) {
  return text_of([&](tw_blob_t **blob) {
    return tw_plan_explain(plan, value.c_str(), axis ? axis->c_str() : nullptr, blob);
  });
}

std::string explain_collective(const tw_plan_t *plan, size_t id, const Options &options) {
  const Program program = lower(plan, options);
  return text_of([&](tw_blob_t **blob) { return tw_program_explain_collective(program.get(), id, blob); });
}

Json lines_of(const std::string &text) {
  auto lines = Json::array();
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

int run(CommandLine &line) {
  const Options &options = line.options;
  std::string value;
  std::optional<std::string> axis;
  std::optional<size_t> collective;
  line.take_file();
  line.take_plan();
  line.app.add_option("VALUE", value, "an argument, or any value as `tw info --values` names it");
  line.app.add_option("--axis", axis, "only this axis of the mesh");
  line.app.add_option("--collective", collective, "explain this collective instead, by its id in the report");
  line.parse();
  if (value.empty() == !collective)
    throw usage("give a VALUE, or --collective ID");

  const Graph graph = import_program(options);
  const Plan plan = make_plan(graph.get(), options);
  const std::string text = collective ? explain_collective(plan.get(), *collective, options)
                                      : explain_value(plan.get(), value, axis);
  if (!options.json) {
    print(wrapped(text, output_width()));
    return kGood;
  }
  Json json;
  if (collective) {
    json["collective"] = *collective;
  } else {
    json["value"] = value;
    json["sharding"] =
        text_of([&](tw_blob_t **blob) { return tw_plan_sharding(plan.get(), value.c_str(), blob); });
  }
  json["why"] = lines_of(text);
  print(json.dump(2) + "\n");
  return kGood;
}

} // namespace

const Verb verb = {"explain", "why a value is sharded so, or (--collective ID) why a collective is there",
                   run};

} // namespace tw::cli::verb_explain
