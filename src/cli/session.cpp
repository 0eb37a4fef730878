// SPDX-License-Identifier: Apache-2.0
// The stages that several verbs go through.
#include "cli/session.hpp"

#include <cstdio>
#include <exception>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/plan_file.hpp"
#include "cli/terminal.hpp"

namespace tw::cli {

Graph import_text(const std::string &text, const std::string &name, const Options &how) {
  const std::string names = how.names.empty() ? std::string() : read_file(how.names);
  tw_import_options_t options{};
  options.struct_size = sizeof options;
  options.file = name.c_str();
  options.entry = how.entry.empty() ? nullptr : how.entry.c_str();
  options.names = names.c_str();
  options.names_file = how.names == "-" ? "<stdin>" : how.names.c_str();
  options.allow_unknown = how.allow_unknown;
  options.mesh = how.mesh ? how.mesh->c_str() : nullptr;
  return make<Graph>(
      [&](tw_graph_t **out) { return tw_graph_import(text.data(), text.size(), &options, out); });
}

Graph import_program(const Options &options) {
  return import_text(read_file(options.file), options.file == "-" ? "<stdin>" : options.file, options);
}

namespace {

// Prints the program after each action; what goes wrong waits until the library has returned.
struct Trace {
  std::exception_ptr problem;

  static void after(const tw_plan_t *plan, const char *action, const char *file, uint32_t line, void *user) {
    auto &self = *static_cast<Trace *>(user);
    if (self.problem)
      return;
    try {
      print(fmt::format("// {}:{} {}\n{}\n", file, line, action,
                        text_of([&](tw_blob_t **out) { return tw_plan_emit(plan, "loops", out); })));
    } catch (...) {
      self.problem = std::current_exception();
    }
  }
};

} // namespace

Plan make_plan(const tw_graph_t *graph, const Options &options) {
  check_plan_file(graph, options);
  Mesh mesh;
  if (options.mesh)
    mesh = make<Mesh>([&](tw_mesh_t **out) { return tw_mesh_parse(options.mesh->c_str(), out); });
  tw_plan_options_t how{};
  how.struct_size = sizeof how;
  how.ignore_annotations = options.ignore_annotations;
  how.policy = options.policy.c_str();
  auto plan = make<Plan>([&](tw_plan_t **out) { return tw_plan_create(graph, mesh.get(), &how, out); });
  Trace trace;
  size_t applied_specs = 0;
  if (options.trace_actions)
    check(tw_plan_on_action(plan.get(), Trace::after, &trace));
  if (options.planned_specs == 0)
    compare_with_file(plan.get(), options);
  for (const auto &spec : options.specs) {
    const tw_status_t applied =
        tw_plan_apply(plan.get(), spec.text.data(), spec.text.size(), spec.name.c_str());
    if (trace.problem)
      std::rethrow_exception(trace.problem);
    check(applied);
    if (++applied_specs == options.planned_specs)
      compare_with_file(plan.get(), options);
  }
  check(tw_plan_on_action(plan.get(), nullptr, nullptr));
  return plan;
}

Lowered lower_file(const Options &options, Progress &progress) {
  Lowered made;
  progress.say("reading " + options.file);
  made.graph = import_program(options);
  progress.say("planning");
  made.plan = make_plan(made.graph.get(), options);
  made.program = lower(made.plan.get(), options);
  return made;
}

LowerOptions::LowerOptions(const Options &options) {
  for (const std::string &pass : options.without)
    without_.push_back(pass.c_str());
  how = {sizeof how,
         without_.data(),
         without_.size(),
         options.gathers == "per-use",
         options.bucket_bytes,
         options.levels.c_str(),
         0,
         options.scratch_bytes,
         options.hoist_limit};
}

Program lower(const tw_plan_t *plan, const Options &options, const std::string &found_levels) {
  LowerOptions given(options);
  if (!found_levels.empty()) {
    given.how.levels = found_levels.c_str();
    given.how.keep_sum_order = 1;
  }
  return make<Program>([&](tw_program_t **out) { return tw_program_lower(plan, &given.how, out); });
}

Json report_of(const tw_program_t *program) {
  return Json::parse(text_of([&](tw_blob_t **out) { return tw_program_json(program, out); }));
}

namespace {

std::string word(const Json &value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

} // namespace

int verdict_of_plan(const tw_plan_t *plan, const tw_program_t *program, const Options &options) {
  const bool color = use_color(options, STDERR_FILENO);
  int status = kGood;
  if (tw_program_num_failed_expectations(program) != 0) {
    status = kAnswerNo;
    const Json report = report_of(program);
    for (const auto &e : report.at("expectations"))
      if (!e.at("holds").get<bool>())
        fmt::print(stderr, "{}: {} {} (found {})\n", word(e.at("line")),
                   colored("does not hold:", Tone::bad, color), word(e.at("text")), word(e.at("found_text")));
  }
  if (options.strict && tw_plan_num_conflicts(plan) != 0) {
    status = kAnswerNo;
    const Json report = report_of(program);
    for (const auto &c : report.at("conflicts"))
      fmt::print(stderr, "{}: {} axis {} at {}\n",
                 word(c.at("location")).empty() ? "tw" : word(c.at("location")),
                 colored("undecided:", Tone::bad, color), word(c.at("axis")), word(c.at("op")));
  }
  return status;
}

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print_report(const tw_program_t *program, const Options &options) {
  constexpr size_t text_begins = 12; // behind the word that says what a line is about
  const size_t width = report_width();
  const auto report = [&](tw_blob_t **out) {
    return (options.all_rows ? tw_program_report_all : tw_program_report)(program, width, out);
  };
  print(wrapped(text_of(report), width, text_begins));
}

} // namespace tw::cli
