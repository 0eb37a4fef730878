// SPDX-License-Identifier: Apache-2.0
// tw emit: the program in another form, as text.
#include "cli/files.hpp"
#include "cli/session.hpp"
#include "cli/verb.hpp"

namespace tw::cli {

namespace {

int run(CommandLine &line) {
  const Options &options = line.options;
  std::string form, out = "-";
  line.take_file();
  line.take_plan();
  line.app
      .add_option("--to", form,
                  "loops, loops-002: the program in the loops of the plan; spmd: the device-local program "
                  "with every collective")
      ->required();
  line.app.add_option("-o,--out", out, "file to write (default: standard output)");
  line.parse();

  const Graph graph = import_program(options);
  const Plan plan = make_plan(graph.get(), options);
  if (form.starts_with("loops")) {
    write_file(out, text_of([&](tw_blob_t **blob) { return tw_plan_emit(plan.get(), form.c_str(), blob); }));
    return kGood;
  }
  const Program program = lower(plan.get(), options);
  write_file(out,
             text_of([&](tw_blob_t **blob) { return tw_program_emit(program.get(), form.c_str(), blob); }));
  return verdict_of_plan(plan.get(), program.get(), options);
}

} // namespace

const Verb verb_emit = {"emit", "print the program in another form: --to loops|loops-002|spmd", run};

} // namespace tw::cli
