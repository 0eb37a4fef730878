// SPDX-License-Identifier: Apache-2.0
// Ops that we do not know: one error that lists them all, so that nobody meets them one by one, or, where the caller wants that, an opaque
// call for each.
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
  if (!c_.options.allow_unknown)
    error.info().notes.emplace_back(
        "to look at the program and plan around them, take them as opaque calls: --allow-unknown, or "
        "allow_unknown of tw_import_options_t");
  return s_.adopt(std::move(error), at);
}

// "dialect.op"(%a) .., or `dialect.op %a, .. : types` in whatever words the dialect has: the values that it names are its operands.
bool BodyReader::form_unknown(OpText &op) {
  captured_.clear();
  if (op.generic) {
    if (!read_generic(op, &BodyReader::capture_region))
      return false;
  } else {
    Cursor types;
    if (!read_unknown_statement(op, types))
      return false;
    const char *end = s_.set_end(s_.cursor().at);
    s_.seek(types);
    const bool ok = read_unknown_types(op) && (s_.at_end() || s_.fail_here("the end of the types", {}));
    s_.set_end(end);
    if (!ok)
      return false;
  }
  for (size_t i = 0; i < captured_.operands.size(); ++i) {
    op.operands.push_back(captured_.operands[i]);
    op.operand_at.push_back(captured_.operand_at[i]);
    op.operand_def.push_back(captured_.operand_def[i]);
    op.operand_types.push_back(c_.local.type(captured_.operands[i]));
  }
  return true;
}

// Up to where a line begins with what can start another statement, taking the operands; answers where the types stand, behind the last ':'
// that is in no bracket.
bool BodyReader::read_unknown_statement(OpText &op, Cursor &types) {
  uint32_t depth = 0, line = s_.cursor().line;
  while (!s_.at_end() && !s_.looking_at("loc")) {
    const char c = s_.peek();
    const bool starts_line = s_.cursor().line > line;
    if (depth == 0 &&
        (c == '}' || c == ')' || c == ']' || (starts_line && (c == '%' || c == '"' || is_word_start(c)))))
      break;
    std::string_view skipped;
    if (c == '%'   ? !read_operand(op)
        : c == '{' ? !capture_region(op)
                   : (c == '<' || c == '"' || is_word_char(c)) && !s_.skip_term(skipped))
      return false;
    line = s_.cursor().line;
    if (c == '%' || c == '{' || c == '<' || c == '"' || is_word_char(c))
      continue;
    s_.accept(c);
    depth = c == '(' || c == '[' ? depth + 1 : c == ')' || c == ']' ? depth - 1 : depth;
    if (depth == 0 && c == ':' && !s_.accept(':')) // @module::@function is no type
      types = s_.cursor();
  }
  return types.at != nullptr ||
         s_.fail(
             "TW-110", op.at,
             fmt::format("{}: no types stand behind it; print the program in MLIR's generic form", op.name));
}

// (T, U) -> V, or T, U -> V; a list without an arrow is that of the results, all of one type where it names one.
bool BodyReader::read_unknown_types(OpText &op) {
  const char *at = s_.here();
  bool arrow = s_.peek() == '(';
  if (arrow ? !c_.types.parse_function(op.operand_types, op.result_types)
            : !c_.types.parse_list(op.result_types))
    return false;
  if (s_.accept("->")) {
    arrow = true;
    op.operand_types = std::exchange(op.result_types, {});
    if (!c_.types.parse_outputs(op.result_types))
      return false;
  }
  op.types = {at, static_cast<size_t>(s_.cursor().at - at)};
  flatten_types(op);
  if (!arrow && (op.result_types.size() == 1 || op.results.empty()))
    op.result_types.resize(op.num_results(), op.result_types[0]);
  if (op.operand_types.size() != op.operands.size()) { // not stated, or only of some
    op.operand_types.clear();
    for (const graph::ValueId v : op.operands)
      op.operand_types.push_back(c_.local.type(v));
  }
  return op.results.empty() || op.result_types.size() == op.num_results() ||
         s_.fail("TW-110", at,
                 fmt::format("{}: {} types for {} results; print the program in MLIR's generic form", op.name,
                             op.result_types.size(), op.num_results()));
}

// A region that nobody reads: the values around it that it names are operands of its op.
bool BodyReader::capture_region(OpText &) {
  const char *start = s_.here();
  if (!s_.skip_braces())
    return false;
  const Cursor back = s_.cursor();
  const char *end = s_.set_end(back.at);
  bool ok = true;
  for (const char *at = start; ok && at != back.at; ++at) {
    if (*at != '%')
      continue;
    s_.seek({at + 1, back.line, start});
    if (const Scope::Entry *entry = scope_->find(s_.suffix()); entry && entry->count != 0) {
      s_.seek({at, back.line, start});
      ok = read_operand(captured_);
      const auto first = captured_.operands.begin(), last = captured_.operands.end();
      if (ok && std::find(first, last - 1, captured_.operands.back()) != last - 1) {
        captured_.operands.pop_back();
        captured_.operand_at.pop_back();
        captured_.operand_def.pop_back();
      }
    }
  }
  s_.set_end(end);
  s_.seek(back);
  return ok;
}

bool BodyReader::lower_unknown(OpText &op) {
  std::string attributes;
  if (!gather_call_attributes(op, attributes))
    return false;
  op.attrs.push_back({"call_target_name", op.name, nullptr});
  if (!attributes.empty())
    op.attrs.push_back({"attributes", attributes, nullptr});
  return emit(op);
}

} // namespace tw::import
