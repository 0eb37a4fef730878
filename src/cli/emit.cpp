// SPDX-License-Identifier: Apache-2.0
// tw emit: the program in another form, as text.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/files.hpp"
#include "cli/nearest.hpp"
#include "cli/session.hpp"
#include "cli/verb.hpp"

namespace tw::cli {

namespace {

constexpr const char *kForms[] = {"loops",     "loops-002",  "stablehlo+sdy",  "stablehlo+sdy-all", "spmd",
                                  "stablehlo", "spmd-naive", "spmd-naive-002", "spmd-naive-paper"};

void check_form(const std::string &form) {
  const std::vector<std::string> forms(std::begin(kForms), std::end(kForms));
  if (std::ranges::find(forms, form) != forms.end())
    return;
  const auto near = nearest(form, forms, 1);
  throw fail("invalid_argument", "TW-705",
             fmt::format("there is no form '{}'{}; the forms are {}", form,
                         near.empty() ? "" : fmt::format(" (did you mean {}?)", near.front()),
                         fmt::join(forms, ", ")));
}

// The text to where it goes; with --json as one object on standard output.
void give(const Options &options, const std::string &form, const std::string &out, const std::string &text) {
  if (!options.json || out != "-")
    write_file(out, text);
  if (options.json)
    print(nlohmann::ordered_json{{"form", form}, {"text", text}}.dump(2) + "\n");
}

int run(CommandLine &line) {
  const Options &options = line.options;
  std::string form, out = "-";
  std::vector<std::string> passes;
  line.take_file();
  line.take_plan();
  line.app
      .add_option(
          "--to", form,
          "loops, loops-002: the program in the loops of the plan; stablehlo+sdy: the whole program with "
          "Shardy's annotations (-all: of every value); spmd: the device-local program with every "
          "collective; stablehlo: the same as a module for JAX and XLA; spmd-naive, spmd-naive-002, "
          "spmd-naive-paper: the steps between loops and spmd")
      ->required();
  line.app.add_option(
      "--print-after", passes,
      "spmd-naive: the program after this pass: lift, distribute, fuse_undistribute, fuse_distribute, "
      "fuse_redistribute, scatter_sums, signature (repeatable; default: the last)");
  line.app.add_option("-o,--out", out, "file to write (default: standard output)");
  line.parse();
  check_form(form);

  const Graph graph = import_program(options);
  const Plan plan = make_plan(graph.get(), options);
  if (form.starts_with("loops") || form.starts_with("stablehlo+")) {
    give(options, form, out,
         text_of([&](tw_blob_t **blob) { return tw_plan_emit(plan.get(), form.c_str(), blob); }));
    return kGood;
  }
  if (form.starts_with("spmd-naive")) {
    std::string text;
    const auto add = [&](const char *pass) {
      text +=
          text_of([&](tw_blob_t **blob) { return tw_plan_emit_naive(plan.get(), form.c_str(), pass, blob); });
    };
    if (passes.empty())
      add(nullptr);
    for (const std::string &pass : passes) {
      text += fmt::format("// after {}\n", pass);
      add(pass.c_str());
    }
    give(options, form, out, text);
    return kGood;
  }
  const Program program = lower(plan.get(), options);
  give(options, form, out,
       text_of([&](tw_blob_t **blob) { return tw_program_emit(program.get(), form.c_str(), blob); }));
  return verdict_of_plan(plan.get(), program.get(), options);
}

} // namespace

const Verb verb_emit = {
    "emit", "print the program in another form: --to loops|loops-002|spmd|spmd-naive|stablehlo|stablehlo+sdy",
    run};

} // namespace tw::cli
