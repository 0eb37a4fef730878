// SPDX-License-Identifier: Apache-2.0
// Errors of the library and of tw, for people and for programs.
#include "cli/failure.hpp"

#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "cli/handles.hpp"
#include "cli/json.hpp"

namespace tw::cli {

Failure last_failure() {
  tw_error_t *taken = nullptr;
  tw_error_take(&taken);
  const std::unique_ptr<tw_error_t, Releaser<tw_error_release>> error(taken);
  if (!error)
    return fail("internal", "TW-000", "a call failed and left no error");
  Failure f;
  f.code = tw_status_name(tw_error_status(error.get()));
  f.id = tw_error_id(error.get());
  f.message = tw_error_text(error.get());
  f.file = tw_error_file(error.get());
  f.line = tw_error_line(error.get());
  f.column = tw_error_column(error.get());
  for (size_t i = 0; i < tw_error_num_notes(error.get()); ++i)
    f.notes.emplace_back(tw_error_note(error.get(), i));
  return f;
}

void check(tw_status_t status) {
  if (status != TW_OK)
    throw last_failure();
}

Failure fail(std::string code, std::string id, std::string message) {
  Failure f;
  f.code = std::move(code);
  f.id = std::move(id);
  f.message = std::move(message);
  return f;
}

Failure usage(std::string message) {
  Failure f = fail("invalid_argument", "TW-800", std::move(message));
  f.exit_status = kUsage;
  return f;
}

std::string to_json(const Failure &f) {
  Json error;
  error["code"] = f.code;
  error["id"] = f.id;
  error["message"] = shown_lines(f.message);
  error["file"] = shown(f.file);
  error["line"] = f.line;
  error["column"] = f.column;
  error["notes"] = Json::array();
  for (const auto &note : f.notes)
    error["notes"].push_back(shown_lines(note));
  Json document;
  document["error"] = std::move(error);
  return document.dump(2) + "\n";
}

std::string to_text(const Failure &f, bool color) {
  std::string where = shown(f.file);
  if (f.line != 0)
    where += fmt::format("{}{}", where.empty() ? "line " : ":", f.line);
  if (f.line != 0 && f.column != 0)
    where += fmt::format(":{}", f.column);
  std::string text =
      fmt::format("{}: {}error:{} {} [{}]\n", where.empty() ? "tw" : where, color ? "\x1b[1;31m" : "",
                  color ? "\x1b[0m" : "", shown_lines(f.message), f.id);
  for (const auto &note : f.notes) {
    std::istringstream lines(note);
    for (std::string line; std::getline(lines, line);)
      text += fmt::format("  {}\n", shown(line));
  }
  return text;
}

} // namespace tw::cli
