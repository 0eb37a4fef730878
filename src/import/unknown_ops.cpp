// SPDX-License-Identifier: Apache-2.0
// One error that lists every op of the text that we do not know, so that nobody meets them one by one.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "import/body.hpp"
#include "ops/registry.hpp"

namespace tw::import {
namespace {

constexpr size_t kMaxListed = 64;

// The name of the op that a line begins, or "": `%0:2 = dialect.op`, `"dialect.op"(`, `dialect.op`.
std::string_view op_on_line(std::string_view line) {
  const auto trim = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size())); };
  trim();
  const bool has_results = line.starts_with('%');
  if (has_results) {
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos ||
        line.substr(0, equals).find_first_of("(\"") != std::string_view::npos)
      return {};
    line.remove_prefix(equals + 1);
    trim();
  }
  const bool quoted = line.starts_with('"');
  if (quoted)
    line.remove_prefix(1);
  size_t end = 0;
  while (end < line.size() && is_word_char(line[end]))
    ++end;
  const std::string_view name = line.substr(0, end);
  if (name.empty() || !is_word_start(name[0]) || name.find('.') == std::string_view::npos)
    return {};
  line.remove_prefix(end);
  if (quoted)
    return line.starts_with("\"(") ? name : std::string_view();
  trim();
  // `mhlo.layout_mode = "default"` continues an attribute list.
  return !has_results && line.starts_with('=') ? std::string_view() : name;
}

// Ops beside others' definitions that never stand in a body.
bool is_definition(std::string_view name) {
  return name == "func.func" || name == "builtin.module" || name == "sdy.mesh";
}

} // namespace

bool BodyReader::unsupported(const char *at, std::string message) {
  return s_.adopt(Error(Code::unimplemented, "TW-111", std::move(message)), at);
}

bool BodyReader::fail_unknown(std::string_view written, const char *at) {
  struct Met {
    std::string_view name;
    const char *first;
    size_t count;
  };
  std::vector<Met> met;
  std::map<std::string_view, size_t> by_name;
  const auto add = [&](std::string_view name, const char *place) {
    const auto [known, fresh] = by_name.emplace(name, met.size());
    if (fresh)
      met.push_back({name, place, 0});
    ++met[known->second].count;
  };
  std::string_view rest = s_.text();
  for (size_t end = 0; !rest.empty(); rest.remove_prefix(std::min(end + 1, rest.size()))) {
    end = std::min(rest.find('\n'), rest.size());
    const std::string_view name = op_on_line(rest.substr(0, end));
    if (!name.empty() && !is_definition(name) && kind_of(name).name.empty())
      add(name, name.data());
  }
  if (!by_name.contains(written)) // stands where no line begins, or is a custom_call's target
    add(written, at);
  std::stable_sort(met.begin(), met.end(), [](const Met &a, const Met &b) { return a.first < b.first; });

  std::string names;
  for (size_t i = 0; i < met.size() && i < kMaxListed; ++i)
    names.append(i == 0 ? "" : ", ").append(met[i].name);
  Error error(
      Code::unimplemented, "TW-111",
      fmt::format("{} not supported: {}{}",
                  met.size() == 1 ? "this operation is" : fmt::format("{} operations are", met.size()), names,
                  met.size() > kMaxListed ? ", ..." : ""));
  for (size_t i = 0; i < met.size() && i < kMaxListed; ++i) {
    const SourcePos pos = s_.position(met[i].first);
    error.info().notes.push_back(
        fmt::format("{}:{}:{}: {}{}", pos.file, pos.line, pos.column, met[i].name,
                    met[i].count == 1 ? "" : fmt::format(" (and {} more)", met[i].count - 1)));
  }
  return s_.adopt(std::move(error), at);
}

} // namespace tw::import
