// SPDX-License-Identifier: Apache-2.0
// Writes and reads how a plan was made.
#include "cli/plan_file.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "cli/failure.hpp"
#include "cli/files.hpp"
#include "cli/handles.hpp"

namespace tw::cli {

namespace {

// "x [64,256]"
std::string argument_text(const tw_graph_t *graph, size_t i) {
  size_t rank = 0;
  const int64_t *dims = tw_graph_argument_dims(graph, i, &rank);
  std::string text = fmt::format("{} [", tw_graph_argument_name(graph, i));
  for (size_t d = 0; d < rank; ++d)
    text += fmt::format("{}{}", d == 0 ? "" : ",", dims[d]);
  return text + "]";
}

// "[64,256]" of "f32[64,256]"
std::string dims_in(const std::string &type) { return type.substr(std::min(type.rfind('['), type.size())); }

Failure wrong_file(const std::string &path, const std::string &why) {
  Failure failure = fail("invalid_argument", "TW-810", fmt::format("{} is no plan: {}", path, why));
  failure.notes.push_back("`tw plan FILE .. -o plan.json` writes one");
  return failure;
}

} // namespace

Json made_with(const Options &options) {
  Json specs = Json::array();
  for (const SpecText &spec : options.specs)
    specs.push_back({{"name", spec.name}, {"text", spec.text}});
  return {{"mesh", options.mesh ? Json(*options.mesh) : Json()},
          {"policy", options.policy},
          {"annotations", options.ignore_annotations ? "ignore" : "use"},
          {"specs", std::move(specs)},
          {"gathers", options.gathers},
          {"without", options.without},
          {"buckets", options.bucket_bytes},
          {"levels", options.levels},
          {"scratch", options.scratch_bytes}};
}

void read_plan_file(const std::string &path, Options &options) {
  const Json json = Json::parse(read_file(path), nullptr, false);
  if (json.is_discarded())
    throw wrong_file(path, "it is not JSON");
  if (!json.is_object() || !json.contains("made_with"))
    throw wrong_file(path, "it does not say how it was made (\"made_with\")");
  try {
    const Json &made = json.at("made_with");
    if (!made.at("mesh").is_null())
      options.mesh = made.at("mesh").get<std::string>();
    options.policy = made.at("policy").get<std::string>();
    options.ignore_annotations = made.at("annotations") == "ignore";
    std::vector<SpecText> specs;
    for (const Json &spec : made.at("specs"))
      specs.push_back({spec.at("name").get<std::string>(), spec.at("text").get<std::string>()});
    options.specs.insert(options.specs.begin(), specs.begin(), specs.end());
    options.planned_specs = specs.size();
    options.gathers = made.at("gathers").get<std::string>();
    for (const Json &pass : made.at("without"))
      options.without.push_back(pass.get<std::string>());
    options.bucket_bytes = made.at("buckets").get<int64_t>();
    options.levels = made.at("levels").get<std::string>();
    options.scratch_bytes = made.at("scratch").get<int64_t>();
    for (const Json &argument : json.at("arguments")) {
      options.planned_shardings.push_back(argument.at("sharding").get<std::string>());
      options.planned_arguments.push_back(fmt::format("{} {}", argument.at("name").get<std::string>(),
                                                      dims_in(argument.at("type").get<std::string>())));
    }
  } catch (const Json::exception &error) {
    throw wrong_file(path, error.what());
  }
  options.plan_file = path;
}

void check_plan_file(const tw_graph_t *graph, const Options &options) {
  if (options.plan_file.empty())
    return;
  const size_t count = tw_graph_num_arguments(graph), planned = options.planned_arguments.size();
  const auto refuse = [&](const std::string &why) {
    return fail(
        "invalid_argument", "TW-810",
        fmt::format("{} is the plan of another program than {}: {}", options.plan_file, options.file, why));
  };
  if (count != planned)
    throw refuse(fmt::format("it has {} arguments, the program {}", planned, count));
  for (size_t i = 0; i < count; ++i)
    if (const std::string here = argument_text(graph, i); here != options.planned_arguments[i])
      throw refuse(fmt::format("argument {} is {} there and {} here", i, options.planned_arguments[i], here));
}

void compare_with_file(const tw_plan_t *plan, const Options &options) {
  for (size_t i = 0; i < options.planned_shardings.size(); ++i) {
    const std::string name = fmt::format("arg{}", i), &said = options.planned_shardings[i];
    const std::string made =
        text_of([&](tw_blob_t **out) { return tw_plan_sharding(plan, name.c_str(), out); });
    if (made == said)
      continue;
    fmt::print(
        stderr,
        "tw: note: {}: the shardings in this file are not what its actions give: argument {} is {} there "
        "and {} here. The actions count; `tw plan -o` writes it anew\n",
        options.plan_file, options.planned_arguments[i], shown(said), made);
    return;
  }
}

} // namespace tw::cli
