// SPDX-License-Identifier: Apache-2.0
// The stages that several verbs go through: file to graph, graph to plan, plan to program, and what to say of
// a plan.
#pragma once

#include "cli/handles.hpp"
#include "cli/options.hpp"

namespace tw::cli {

class Progress; // terminal.hpp

Graph import_program(const Options &options);
// `how` says the rest: entry, names.
Graph import_text(const std::string &text, const std::string &name, const Options &how);

// A plan with the actions of the command line applied, in order.
Plan make_plan(const tw_graph_t *graph, const Options &options);
// `found_levels`: where the devices will run, if nobody stated levels; they do not change the order of sums.
Program lower(const tw_plan_t *plan, const Options &options, const std::string &found_levels = {});
// What the command line says of a lowering.
class LowerOptions {
public:
  explicit LowerOptions(const Options &options);
  LowerOptions(const LowerOptions &) = delete; // `how` points into it
  tw_lower_options_t how{};

private:
  std::vector<const char *> without_;
};
// All three, and what is being done meanwhile.
struct Lowered {
  Graph graph;
  Plan plan;
  Program program;
};
Lowered lower_file(const Options &options, Progress &progress);

// The exit status that expectations and, with --strict, conflicts ask for; names on stderr those that do not
// hold.
int verdict_of_plan(const tw_plan_t *plan, const tw_program_t *program, const Options &options);

void print(std::string_view text); // to stdout
void print_report(const tw_program_t *program, const Options &options);

} // namespace tw::cli
