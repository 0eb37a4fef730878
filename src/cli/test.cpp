// SPDX-License-Identifier: Apache-2.0
// tw test: runs programs that carry their own expectation, whole or under many shardings.
#include <algorithm>
#include <optional>
#include <random>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/arrays.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_test {

namespace {

// One module of a file; `// -----` lines separate several.
struct Module {
  std::string name; // "add.mlir", or "add.mlir:12" for a later part
  std::string file;
  std::string
      text; // begins with as many empty lines as stand before it in the file, so that positions are right
};

std::vector<Module> modules_of(const std::string &path) {
  std::vector<Module> modules;
  const std::string file = path == "-" ? "<stdin>" : path;
  std::istringstream lines(read_file(path));
  size_t number = 0, first = 0; // line of the part's first op, 0: none yet
  std::string text;
  const auto finish = [&] {
    if (first != 0)
      modules.push_back({modules.empty() ? file : fmt::format("{}:{}", file, first), file, std::move(text)});
    text.assign(number, '\n');
    first = 0;
  };
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find("// -----") != std::string::npos) {
      finish();
      continue;
    }
    const size_t begin = line.find_first_not_of(" \t\r");
    if (first == 0 && begin != std::string::npos && line.compare(begin, 2, "//") != 0)
      first = number;
    text += line + '\n';
  }
  finish();
  return modules;
}

enum class Outcome { passed, failed, skipped };

struct Result {
  std::string name;
  Outcome outcome = Outcome::passed;
  size_t runs = 0;
  std::optional<Failure> failure; // why it failed, or was skipped
  std::string repro;              // the command that repeats a failure
};

// What may be tiled: the values of the program and their ranks.
struct Tileable {
  std::string name;
  int64_t rank;
};

std::vector<Tileable> tileable_values(const tw_graph_t *graph) {
  const auto info = Json::parse(text_of([&](tw_blob_t **out) { return tw_graph_info(graph, 1, out); }));
  std::vector<Tileable> values;
  for (const auto &value : info.at("values")) {
    const std::string type = value.at("type"); // f32[2,3]
    const size_t open = type.find('[');
    if (open == std::string::npos || open + 2 >= type.size())
      continue;
    values.push_back(
        {value.at("name"), 1 + std::count(type.begin() + static_cast<ptrdiff_t>(open), type.end(), ',')});
  }
  return values;
}

// 1 to 4 random tiles, then infer-propagate; answers with the same as a spec. Tiles that are illegal are not
// applied.
std::string shard_at_random(tw_plan_t *plan, const tw_mesh_t *mesh, const std::vector<Tileable> &values,
                            std::mt19937_64 &random) {
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  std::string spec;
  const size_t axes = tw_mesh_num_axes(mesh);
  for (size_t left = values.empty() || axes == 0 ? 0 : 1 + below(4); left > 0; --left) {
    const Tileable &value = values[below(values.size())];
    const auto dim = static_cast<int64_t>(below(static_cast<size_t>(value.rank)));
    const char *axis = tw_mesh_axis_name(mesh, below(axes));
    if (tw_plan_tile(plan, value.name.c_str(), dim, axis) == TW_OK)
      spec += fmt::format("tile(value=\"{}\", dim={}, axis=\"{}\"); ", value.name, dim, axis);
  }
  check(tw_plan_propagate(plan, TW_INFER_PROPAGATE));
  return spec + "infer-propagate";
}

class Tester {
public:
  Tester(const Options &options, size_t shardings) : options_(options), shardings_(shardings) {
    if (options.mesh)
      mesh_ = make<Mesh>([&](tw_mesh_t **out) { return tw_mesh_parse(options.mesh->c_str(), out); });
    else if (shardings != 0)
      throw usage("--shardings needs --mesh");
  }

  Result test(const Module &module) const {
    Result result{module.name, Outcome::passed, 0, {}, {}};
    std::string spec;
    try {
      const Graph graph = import_text(module.text, module.file, options_);
      if (module.text.find("check.") == std::string::npos)
        throw fail("unimplemented", "TW-806", "the module carries no check");
      if (tw_graph_num_arguments(graph.get()) != 0)
        throw fail("unimplemented", "TW-806", "the entry function takes arguments");
      run(graph.get(),
          make<Program>([&](tw_program_t **out) { return tw_program_unpartitioned(graph.get(), out); }),
          result);
      if (!options_.specs.empty() || (mesh_ && shardings_ == 0))
        run(graph.get(), lower(make_plan(graph.get(), options_).get(), options_), result);
      const auto values = shardings_ == 0 ? std::vector<Tileable>() : tileable_values(graph.get());
      for (size_t k = 0; k < shardings_; ++k) {
        std::mt19937_64 random(options_.seed * 1'000'003 + k);
        tw_plan_options_t how{};
        how.struct_size = sizeof how;
        how.ignore_annotations = true; // the shardings are those drawn here
        const Plan plan =
            make<Plan>([&](tw_plan_t **out) { return tw_plan_create(graph.get(), mesh_.get(), &how, out); });
        spec = shard_at_random(plan.get(), mesh_.get(), values, random);
        run(graph.get(), lower(plan.get(), options_), result);
      }
    } catch (const Failure &failure) {
      result.outcome = failure.code == "unimplemented" ? Outcome::skipped : Outcome::failed;
      result.failure = failure;
      if (!spec.empty())
        result.repro = fmt::format("tw test {} --mesh {} --annotations ignore -a '{}'", module.file,
                                   *options_.mesh, spec);
    }
    return result;
  }

private:
  const Options &options_;
  size_t shardings_;
  Mesh mesh_;

  // The run itself fails where an expectation does not hold.
  void run(const tw_graph_t *graph, const Program &program, Result &result) const {
    tw_executable_options_t how{};
    how.struct_size = sizeof how;
    how.workers = options_.workers;
    const auto executable = make<Executable>(
        [&](tw_executable_t **out) { return tw_executable_create(program.get(), &how, out); });
    const std::vector<Tensor> results = make_outputs(graph);
    const auto out = pointers(results);
    check(tw_executable_run(executable.get(), nullptr, 0, out.data(), out.size()));
    ++result.runs;
  }
};

const char *word(Outcome outcome) {
  switch (outcome) {
  case Outcome::passed: return "passed";
  case Outcome::failed: return "FAILED";
  default: return "skipped";
  }
}

std::string text(const Result &result, bool color) {
  const Tone tone = result.outcome == Outcome::passed   ? Tone::good
                    : result.outcome == Outcome::failed ? Tone::bad
                                                        : Tone::warn;
  std::string out = fmt::format("{} {}", colored(word(result.outcome), tone, color), result.name);
  if (result.outcome == Outcome::passed)
    return fmt::format("{} ({} {})\n", out, result.runs, result.runs == 1 ? "run" : "runs");
  if (result.outcome == Outcome::skipped)
    return fmt::format("{}: {}\n", out, result.failure->message);
  out += "\n" + to_text(*result.failure, color);
  if (!result.repro.empty())
    out += fmt::format("  repeat: {}\n", result.repro);
  return out;
}

int run(CommandLine &line) {
  const Options &options = line.options;
  std::vector<std::string> files;
  size_t shardings = 0;
  line.app.add_option("FILE", files, "programs that carry their own expectation (check.expect_eq, ...)")
      ->required();
  line.app.add_option("--entry", line.options.entry,
                      "function to take (default: main, else the only public one)");
  line.take_plan();
  line.app.add_option("--shardings", shardings, "also run each under this many random shardings over --mesh");
  line.take_seed("of the random shardings");
  line.take_workers();
  line.take_max_input();
  line.parse();

  const Tester tester(options, shardings);
  const bool color = use_color(options, STDOUT_FILENO);
  size_t counts[3] = {0, 0, 0};
  auto tests = Json::array();
  Progress progress(options);
  for (size_t f = 0; f < files.size(); ++f) {
    progress.step("testing " + files[f], f, files.size());
    for (const Module &module : modules_of(files[f])) {
      const Result result = tester.test(module);
      ++counts[static_cast<size_t>(result.outcome)];
      if (options.json) {
        tests.push_back({{"name", result.name},
                         {"outcome", result.outcome == Outcome::failed ? "failed" : word(result.outcome)},
                         {"runs", result.runs},
                         {"reason", result.failure ? result.failure->message : ""}});
        if (!result.repro.empty())
          tests.back()["repeat"] = result.repro;
      } else if (!options.quiet || result.outcome == Outcome::failed) {
        progress.clear();
        print(text(result, color));
      }
    }
  }
  progress.clear();
  if (options.json)
    print(
        Json{{"tests", tests}, {"passed", counts[0]}, {"failed", counts[1]}, {"skipped", counts[2]}}.dump(2) +
        "\n");
  else
    print(fmt::format("{} passed, {} failed, {} skipped\n", counts[0], counts[1], counts[2]));
  const bool none = counts[0] == 0 && counts[2] != 0; // nothing was tested
  return counts[1] == 0 && !none ? kGood : kAnswerNo;
}

} // namespace

const Verb verb = {"test", "run programs that carry their own expectation, also under random shardings", run};

} // namespace tw::cli::verb_test
