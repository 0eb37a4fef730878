// SPDX-License-Identifier: Apache-2.0
// The forms in which plans and programs are printed. A printer is one file of this folder and one line of
// emit_list.inc; the C interface and `tw emit` know its forms from then on.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "partition/plan.hpp"
#include "spmd/program.hpp"

namespace tw::emit {

// Of the functions that print of_plan and of_program exclude each other: they say what the form is made of.
struct Form {
  const char *name; // "loops-extents"
  // What it is, for the help. Forms in a row with one text are told of together; where it is empty, the form
  // before tells of this one too.
  const char *doc;
  Result<std::string> (*of_plan)(const partition::Plan &plan) = nullptr;
  Result<std::string> (*of_plan_after)(const partition::Plan &plan, std::string_view pass) = nullptr;
  Result<std::string> (*of_program)(const spmd::Program &program) = nullptr;
  // What it can be printed after, in the order in which they run. With of_program: passes of the lowering;
  // what is printed lacks those behind.
  std::vector<std::string_view> (*passes)() = nullptr;
  bool is_binary = false; // bytes that are no text

  bool is_of_plan() const { return of_program == nullptr; }
};

// The forms of one file.
using Printer = std::span<const Form>;

// Every form, in the order of emit_list.inc.
std::span<const Form *const> all_forms();

// The place of a form in all_forms(), also by the name that it had in the release before; their number where
// there is none.
size_t find_form(std::string_view name);

// A plan in a form; one that is printed after passes only, as it is after the last.
Result<std::string> print(const partition::Plan &plan, std::string_view form);
// A form that is printed after passes, after this one; nullopt: the last.
Result<std::string> print_after(const partition::Plan &plan, std::string_view form,
                                std::optional<std::string_view> pass);
Result<std::string> print(const spmd::Program &program, std::string_view form);

} // namespace tw::emit
