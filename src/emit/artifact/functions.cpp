// SPDX-License-Identifier: Apache-2.0
// Each function that is named begins a line of its own, behind the entry function.
#include "emit/artifact/functions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emit/stablehlo/graph_text.hpp"
#include "import/import.hpp"

namespace tw::emit::artifact {

namespace {

constexpr std::string_view kWritten = "\n  func.func private @", kGeneric = "\n  \"func.func\"", kEnd = "}\n";
constexpr std::string_view kEntry = "  func.func public @main(", kEntryEnd = "\n  }\n";

// Where the line of the next function ends before; the end where there is none.
size_t next_function(std::string_view text, size_t from) {
  return std::min({text.find(kWritten, from), text.find(kGeneric, from), text.size()});
}

// A function that is not in generic form, from its name on; `all` has those that it calls.
Result<std::string> generic_form(std::string_view function, const std::string &all) {
  const std::string_view name = function.substr(0, function.find('('));
  import::ImportOptions options;
  options.entry = name.starts_with('"') ? name.substr(1, name.size() - 2) : name;
  options.allow_unknown = true;
  TW_ASSIGN(const import::Imported read, import::import_text(all, options));
  const std::string text = stablehlo::to_text(*read.graph);
  const size_t begin = text.find(kEntry) + kEntry.size(),
               end = text.find(kEntryEnd, begin) + kEntryEnd.size();
  return fmt::format("  func.func private @{}({}", name, text.substr(begin, end - begin));
}

} // namespace

Result<std::string> with_generic_functions(std::string_view text) {
  if (text.find(kWritten) == text.npos)
    return std::string(text);
  const std::string_view module = text.substr(0, text.size() - kEnd.size());
  const size_t first = next_function(module, 0);
  const std::string all = fmt::format("module {{{}\n}}\n", module.substr(first));
  std::string made(module.substr(0, first + 1));
  for (size_t at = first; at < module.size();) {
    const size_t next = next_function(module, at + 1);
    const std::string_view function = module.substr(at + 1, next - at - 1);
    at = next;
    if (const std::string_view before = kWritten.substr(1); function.starts_with(before)) {
      TW_ASSIGN(const std::string generic, generic_form(function.substr(before.size()), all));
      made += generic;
    } else {
      made.append(function).append("\n");
    }
  }
  return made + std::string(kEnd);
}

} // namespace tw::emit::artifact
