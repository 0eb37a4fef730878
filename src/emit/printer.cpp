// SPDX-License-Identifier: Apache-2.0
// Gathers the printers of emit_list.inc and finds the form that a caller names.
#include "emit/printer.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tw::emit {

#define TW_PRINTER(name)                                                                                     \
  namespace name##_printer {                                                                                 \
    Printer printer();                                                                                       \
  }
#include "emit/emit_list.inc"
#undef TW_PRINTER

namespace {

// Names of 0.1, which 0.2 reads too.
constexpr std::pair<std::string_view, std::string_view> kEarlier[] = {
    {"loops-002", "loops-extents"}, {"spmd-naive-002", "spmd-naive-extents"}};

std::string_view current(std::string_view name) {
  const auto at = std::ranges::find(kEarlier, name, [](const auto &pair) { return pair.first; });
  return at == std::end(kEarlier) ? name : at->second;
}

// The form of this name among those that `takes` picks; `wrong` begins the error where it is none of them,
// and `other` says of what else it is a form.
template <class Takes>
Result<const Form *> find(std::string_view name, const Takes &takes, const std::string &wrong,
                          std::string_view other = {}) {
  std::vector<std::string_view> known;
  bool is_other = false;
  for (const Form *form : all_forms()) {
    const bool is_it = form->name == current(name);
    if (!std::invoke(takes, *form)) {
      is_other |= is_it;
      continue;
    }
    if (is_it)
      return form;
    known.emplace_back(form->name);
  }
  return fail(
      Code::invalid_argument, "TW-705",
      fmt::format("{}{}; this version knows: {}", wrong, is_other ? other : "", fmt::join(known, ", ")));
}

} // namespace

std::span<const Form *const> all_forms() {
  static const std::vector<const Form *> forms = [] {
    std::vector<const Form *> all;
    const auto take = [&](Printer printer) {
      for (const Form &form : printer)
        all.push_back(&form);
    };
#define TW_PRINTER(name) take(name##_printer::printer());
#include "emit/emit_list.inc"
#undef TW_PRINTER
    return all;
  }();
  return forms;
}

size_t find_form(std::string_view name) {
  const auto forms = all_forms();
  const auto is = [&](const Form *form) { return form->name == current(name); };
  return static_cast<size_t>(std::ranges::find_if(forms, is) - forms.begin());
}

Result<std::string> print(const partition::Plan &plan, std::string_view form) {
  TW_ASSIGN(const Form *found,
            find(form, &Form::is_of_plan, fmt::format("cannot emit \"{}\" of a plan", form),
                 ": it is a form of the program that the plan is lowered to"));
  return found->of_plan ? found->of_plan(plan) : print_after(plan, form, std::nullopt);
}

Result<std::string> print_after(const partition::Plan &plan, std::string_view form,
                                std::optional<std::string_view> pass) {
  TW_ASSIGN(const Form *found, find(
                                   form, [](const Form &f) { return f.passes != nullptr; },
                                   fmt::format("\"{}\" is not printed after passes", form)));
  const std::vector<std::string_view> passes = found->passes();
  const auto at = pass ? std::ranges::find(passes, *pass) : passes.end() - 1;
  if (at == passes.end())
    return fail(Code::not_found, "TW-502",
                fmt::format("there is no pass '{}' on the way to the program: there are {}", *pass,
                            fmt::join(passes, ", ")));
  if (found->is_of_plan())
    return found->of_plan_after(plan, *at);
  TW_ASSIGN(const auto program,
            spmd::lower(plan, {.without = std::vector<std::string>(at + 1, passes.end())}));
  return found->of_program(*program);
}

Result<std::string> print(const spmd::Program &program, std::string_view form) {
  TW_ASSIGN(const Form *found, find(
                                   form, [](const Form &f) { return !f.is_of_plan(); },
                                   fmt::format("cannot emit \"{}\" of a program", form),
                                   ": it is a form of the plan, before it is lowered"));
  return found->of_program(program);
}

} // namespace tw::emit
