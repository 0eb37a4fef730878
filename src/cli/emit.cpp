// SPDX-License-Identifier: Apache-2.0
// tw emit: the program in another form, as text.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

// "spmd-naive: the program after this pass: lift, ..": a form's passes once, whatever other forms have the
// same.
std::string passes_text() {
  std::string text;
  std::vector<std::string> before;
  for (size_t i = 0; i < tw_form_count(); ++i) {
    const std::vector<std::string> passes = passes_of(i);
    if (!passes.empty() && passes != before)
      text += fmt::format("{}{}: the program after this pass: {}", text.empty() ? "" : "; ", tw_form_name(i),
                          fmt::join(passes, ", "));
    before = passes;
  }
  return text + " (repeatable; default: the last)";
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

// The text to where it goes; with --json as one object on standard output.
void give(const Options &options, const std::string &form, const std::string &out, const std::string &text) {
  if (!options.json || out != "-")
    write_file(out, text);
  if (options.json)
    print(Json{{"form", form}, {"text", text}}.dump(2) + "\n");
}

int run(CommandLine &line) {
  const Options &options = line.options;
  std::string form, out = "-";
  std::vector<std::string> passes;
  line.take_file();
  line.take_plan();
  line.app.add_option("--to", form, forms_text())->required();
  line.app.add_option("--print-after", passes, passes_text());
  line.app.add_option("-o,--out", out, "file to write (default: standard output)");
  line.parse();
  const size_t found = find_form(form);

  const Graph graph = import_program(options);
  const Plan plan = make_plan(graph.get(), options);
  if (tw_form_is_of_plan(found)) {
    std::string text;
    if (passes.empty() || tw_debug_pass(found, 0) == nullptr)
      text = text_of([&](tw_blob_t **blob) { return tw_plan_emit(plan.get(), form.c_str(), blob); });
    else
      for (const std::string &pass : passes)
        text += fmt::format("// after {}\n", pass) + text_of([&](tw_blob_t **blob) {
                  return tw_debug_emit_after(plan.get(), form.c_str(), pass.c_str(), blob);
                });
    give(options, form, out, text);
    return kGood;
  }
  const Program program = lower(plan.get(), options);
  give(options, form, out,
       text_of([&](tw_blob_t **blob) { return tw_program_emit(program.get(), form.c_str(), blob); }));
  return verdict_of_plan(plan.get(), program.get(), options);
}

} // namespace

const Verb verb = {
    "emit",
    "print the program in another form: --to loops|loops-extents|spmd|spmd-naive|stablehlo|stablehlo+sdy",
    run};

} // namespace tw::cli::verb_emit
