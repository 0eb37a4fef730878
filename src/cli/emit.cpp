// SPDX-License-Identifier: Apache-2.0
// tw emit: the program in another form, as text or bytes.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "base/suggest.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/session.hpp"
#include "cli/verb.hpp"
#include <tilewright/tw_debug.h>

namespace tw::cli::verb_emit {

namespace {

std::vector<std::string> form_names() {
  std::vector<std::string> names;
  for (size_t i = 0; i < tw_form_count(); ++i)
    names.emplace_back(tw_form_name(i));
  return names;
}

// "loops, loops-extents: the program in the loops of the plan; .."
std::string forms_text() {
  std::string text;
  for (size_t i = 0; i < tw_form_count(); ++i) {
    const std::string doc = tw_form_doc(i);
    if (doc.empty())
      continue;
    text += fmt::format("{}{}", text.empty() ? "" : "; ", tw_form_name(i));
    for (; i + 1 < tw_form_count() && tw_form_doc(i + 1) == doc; ++i)
      text += fmt::format(", {}", tw_form_name(i + 1));
    text += ": " + doc;
  }
  return text;
}

std::vector<std::string> passes_of(size_t form) {
  std::vector<std::string> passes;
  for (size_t k = 0; tw_debug_pass(form, k) != nullptr; ++k)
    passes.emplace_back(tw_debug_pass(form, k));
  return passes;
}

// "spmd-naive: lift, ..; shard: ..": a form's passes once, whatever other forms have the same.
std::string passes_text() {
  std::string text;
  std::vector<std::string> before;
  for (size_t i = 0; i < tw_form_count(); ++i) {
    const std::vector<std::string> passes = passes_of(i);
    if (!passes.empty() && passes != before)
      text += fmt::format("; {}: {}", tw_form_name(i), fmt::join(passes, ", "));
    before = passes;
  }
  return "the program after this pass (repeatable)" + text;
}

// As CLI11 writes what an option takes: completion reads it. What is wrong has an error of ours.
std::string choices(const std::vector<std::string> &names) {
  return fmt::format("TEXT:{{{}}}", fmt::join(names, ","));
}

// Every pass that some form is printed after.
std::vector<std::string> all_passes() {
  std::vector<std::string> all;
  for (size_t i = 0; i < tw_form_count(); ++i)
    for (const std::string &pass : passes_of(i))
      if (std::ranges::find(all, pass) == all.end())
        all.push_back(pass);
  return all;
}

size_t find_form(const std::string &form) {
  if (const size_t found = tw_form_find(form.c_str()); found < tw_form_count())
    return found;
  const std::vector<std::string> forms = form_names();
  const auto near = nearest_names(form, forms, 1);
  throw fail("invalid_argument", "TW-705",
             fmt::format("there is no form '{}'{}; the forms are {}", form,
                         near.empty() ? "" : fmt::format(" (did you mean {}?)", near.front()),
                         fmt::join(forms, ", ")));
}

std::vector<std::string> forms_with_passes() {
  std::vector<std::string> names;
  for (size_t i = 0; i < tw_form_count(); ++i)
    if (tw_debug_pass(i, 0) != nullptr)
      names.emplace_back(tw_form_name(i));
  return names;
}

void check_passes(size_t form, const std::vector<std::string> &given) {
  const std::vector<std::string> known = passes_of(form);
  for (const std::string &pass : given)
    if (known.empty())
      throw fail("invalid_argument", "TW-705",
                 fmt::format("--print-after {}: the form '{}' is not printed after passes; these are: {}",
                             pass, tw_form_name(form), fmt::join(forms_with_passes(), ", ")));
    else if (std::ranges::find(known, pass) == known.end())
      throw fail("not_found", "TW-502",
                 fmt::format("there is no pass '{}' on the way to the program: there are {}", pass,
                             fmt::join(known, ", ")));
}

// What a form of a plan prints after a pass is made of the plan alone.
void check_lowering(const Options &options, size_t form, const std::vector<std::string> &passes) {
  const Options plain;
  const std::pair<const char *, bool> all[] = {{"--without", options.without != plain.without},
                                               {"--buckets", options.bucket_bytes != plain.bucket_bytes},
                                               {"--levels", options.levels != plain.levels},
                                               {"--scratch", options.scratch_bytes != plain.scratch_bytes},
                                               {"--hoist-limit", options.hoist_limit != plain.hoist_limit},
                                               {"--gathers", options.gathers != plain.gathers}};
  for (const auto &[name, is_given] : all)
    if (is_given && !passes.empty())
      throw fail("invalid_argument", "TW-705",
                 fmt::format("{} is about the program, and the form '{}' is printed after {} as the plan "
                             "alone makes it; leave it out, or emit spmd or shard-local",
                             name, tw_form_name(form), passes[0]));
}

// A program lowered with these options lacks the passes of the form that stand behind this one.
Options up_to(Options options, size_t form, const std::string &pass) {
  const std::vector<std::string> passes = passes_of(form);
  options.without.insert(options.without.end(), std::ranges::find(passes, pass) + 1, passes.end());
  return options;
}

std::string heading(const std::string &pass) { return fmt::format("// after {}\n", pass); }

// Bytes have no place in JSON, and none on a terminal.
void check_output(const Options &options, size_t form, const std::string &out) {
  if (tw_form_is_binary(form) != 0 && out == "-" && (options.json || isatty(STDOUT_FILENO) != 0))
    throw fail("invalid_argument", "TW-705",
               fmt::format("the form '{}' is no text: give a file with -o{}", tw_form_name(form),
                           options.json ? "" : ", or send standard output to one"));
}

// The text to where it goes; with --json as one object on standard output.
void give(const Options &options, size_t form, const std::string &out, const std::string &text) {
  if (!options.json || out != "-")
    write_file(out, text);
  if (options.json && tw_form_is_binary(form) != 0)
    print(Json{{"form", tw_form_name(form)}, {"file", out}, {"bytes", text.size()}}.dump(2) + "\n");
  else if (options.json)
    print(Json{{"form", tw_form_name(form)}, {"text", text}}.dump(2) + "\n");
}

int run(CommandLine &line) {
  const Options &options = line.options;
  std::string form, out = "-";
  std::vector<std::string> passes;
  line.take_file();
  line.take_plan();
  line.app.add_option("--to", form, forms_text())->required()->type_name(choices(form_names()));
  line.app.add_option("--print-after", passes, passes_text())->type_name(choices(all_passes()));
  line.app.add_option("-o,--out", out, "file to write (default: standard output)");
  line.parse();
  const size_t found = find_form(form);

  check_passes(found, passes);
  check_output(options, found, out);

  const Graph graph = import_program(options);
  const Plan plan = make_plan(graph.get(), options);
  if (tw_form_is_of_plan(found)) {
    check_lowering(options, found, passes);
    std::string text;
    for (const std::string &pass : passes)
      text += heading(pass) + text_of([&](tw_blob_t **blob) {
                return tw_debug_emit_after(plan.get(), form.c_str(), pass.c_str(), blob);
              });
    if (passes.empty())
      text = text_of([&](tw_blob_t **blob) { return tw_plan_emit(plan.get(), form.c_str(), blob); });
    give(options, found, out, text);
    return kGood;
  }
  std::string text;
  for (const std::string &pass : passes) {
    const Program program = lower(plan.get(), up_to(options, found, pass));
    text += heading(pass) +
            text_of([&](tw_blob_t **blob) { return tw_program_emit(program.get(), form.c_str(), blob); });
  }
  const Program program = lower(plan.get(), options);
  if (passes.empty())
    text = text_of([&](tw_blob_t **blob) { return tw_program_emit(program.get(), form.c_str(), blob); });
  give(options, found, out, text);
  return verdict_of_plan(plan.get(), program.get(), options);
}

} // namespace

const Verb verb = {
    "emit",
    "print the program in another form: --to loops|loops-extents|stablehlo+sdy|stablehlo+sdy-all|shard|"
    "shard-local|spmd|stablehlo|stablehlo-bytecode|stablehlo+sdy-bytecode|model-explorer|model-explorer-data|"
    "spmd-naive|spmd-naive-extents|spmd-naive-paper",
    run};

} // namespace tw::cli::verb_emit
