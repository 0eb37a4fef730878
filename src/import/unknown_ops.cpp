// SPDX-License-Identifier: Apache-2.0
// Ops that we do not know: one error that lists them all, so that nobody meets them one by one, or, where the
// caller wants that, an opaque call for each.
#include "import/unknown_ops.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/suggest.hpp"
#include "import/foreign_call.hpp"
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
  return name == "func.func" || name == "builtin.module" || find_definition(name) != nullptr;
}

// "stablehlo.tanh" for "stablehlo.tanhh"; "" where none is that near.
std::string near_op(std::string_view name) {
  const size_t begin = std::min(name.find('.') + 1, name.size());
  const std::string_view dialect = name.substr(0, begin), op = name.substr(begin);
  if (dialect != "stablehlo." && dialect != "mhlo.")
    return {};
  std::vector<std::string> known;
  for (const ops::OpDef *def : ops::all_ops())
    if (const std::string_view full = def->name; full.starts_with("stablehlo."))
      known.emplace_back(ops::short_name(full));
  const auto near = nearest_names(op, known, 1);
  const size_t limit = op.size() / 3;
  return !near.empty() && edit_distance(op, near[0], limit) <= limit ? fmt::format("{}{}", dialect, near[0])
                                                                     : std::string();
}

} // namespace

bool Reader::unsupported(const char *at, std::string message) {
  return s.adopt(Error(Code::unimplemented, "TW-111", std::move(message)), at);
}

bool Reader::fail_unknown(std::string_view written, const char *at) {
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
  if (c.records != nullptr)
    for (const bytecode::OpRecord &op : c.records->program().ops)
      if (const std::string_view name = c.records->program().name(op).name;
          !is_definition(name) && kind_of(name).name.empty())
        add(name, op.at);
  std::string_view rest = c.records != nullptr ? std::string_view() : s.text();
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
    const SourcePos pos = s.position(met[i].first);
    std::string more = met[i].count == 1 ? "" : fmt::format(" (and {} more)", met[i].count - 1);
    if (const std::string near = near_op(met[i].name); !near.empty())
      more += fmt::format("; nearest: '{}'", near);
    error.info().notes.push_back(
        pos.line == 0 ? fmt::format("{}{}", met[i].name, more)
                      : fmt::format("{}:{}:{}: {}{}", pos.file, pos.line, pos.column, met[i].name, more));
  }
  if (!c.options.allow_unknown)
    error.info().notes.emplace_back(
        "to plan around them, take them as opaque calls: --allow-unknown, or allow_unknown of "
        "tw_import_options_t; tw info shows the program as it is");
  return s.adopt(std::move(error), at);
}

const Kind &Reader::kind_of(std::string_view written) {
  if (const auto known = kinds_.find(written); known != kinds_.end())
    return known->second;
  Kind kind = resolve(written);
  if (kind.name.empty() && c.options.allow_unknown)
    kind = {written, *ops::find_op("stablehlo.custom_call"), false, form_unknown, lower_unknown, true, true};
  return kinds_.emplace(written, kind).first->second;
}

namespace {

// A region that nobody reads: the values around it that it names are operands of its op.
bool capture_region(Reader &r, OpText &) {
  const char *start = r.s.here();
  if (!r.s.skip_braces())
    return false;
  const Cursor back = r.s.cursor();
  const char *end = r.s.set_end(back.at);
  bool ok = true;
  for (const char *at = start; ok && at != back.at; ++at) {
    if (*at != '%')
      continue;
    r.s.seek({at + 1, back.line, start});
    if (const Scope::Entry *entry = r.scope->find(r.s.suffix()); entry && entry->count != 0) {
      r.s.seek({at, back.line, start});
      ok = r.read_operand(r.captured);
      const auto first = r.captured.operands.begin(), last = r.captured.operands.end();
      if (ok && std::find(first, last - 1, r.captured.operands.back()) != last - 1) {
        r.captured.operands.pop_back();
        r.captured.operand_at.pop_back();
        r.captured.operand_def.pop_back();
      }
    }
  }
  r.s.set_end(end);
  r.s.seek(back);
  return ok;
}

// Up to where a line begins with what can start another statement, taking the operands; answers where the
// types stand, behind the last ':' that is in no bracket.
bool read_unknown_statement(Reader &r, OpText &op, Cursor &types) {
  uint32_t depth = 0, line = r.s.cursor().line;
  while (!r.s.at_end() && !r.s.looking_at("loc")) {
    const char c = r.s.peek();
    const bool starts_line = r.s.cursor().line > line;
    if (depth == 0 &&
        (c == '}' || c == ')' || c == ']' || (starts_line && (c == '%' || c == '"' || is_word_start(c)))))
      break;
    std::string_view skipped;
    if (c == '%'   ? !r.read_operand(op)
        : c == '{' ? !capture_region(r, op)
                   : (c == '<' || c == '"' || is_word_char(c)) && !r.s.skip_term(skipped))
      return false;
    line = r.s.cursor().line;
    if (c == '%' || c == '{' || c == '<' || c == '"' || is_word_char(c))
      continue;
    r.s.accept(c);
    depth = c == '(' || c == '[' ? depth + 1 : c == ')' || c == ']' ? depth - 1 : depth;
    if (depth == 0 && c == ':' && !r.s.accept(':')) // @module::@function is no type
      types = r.s.cursor();
  }
  return types.at != nullptr ||
         r.s.fail(
             "TW-110", op.at,
             fmt::format("{}: no types stand behind it; print the program in MLIR's generic form", op.name));
}

// (T, U) -> V, or T, U -> V; a list without an arrow is that of the results, all of one type where it names
// one.
bool read_unknown_types(Reader &r, OpText &op) {
  const char *at = r.s.here();
  bool arrow = r.s.peek() == '(';
  if (arrow ? !r.c.types.parse_function(op.operand_types, op.result_types)
            : !r.c.types.parse_list(op.result_types))
    return false;
  if (r.s.accept("->")) {
    arrow = true;
    op.operand_types = std::exchange(op.result_types, {});
    if (!r.c.types.parse_outputs(op.result_types))
      return false;
  }
  op.types = {at, static_cast<size_t>(r.s.cursor().at - at)};
  r.flatten_types(op);
  if (!arrow && (op.result_types.size() == 1 || op.results.empty()))
    op.result_types.resize(op.num_results(), op.result_types[0]);
  if (op.operand_types.size() != op.operands.size()) { // not stated, or only of some
    op.operand_types.clear();
    for (const graph::ValueId v : op.operands)
      op.operand_types.push_back(r.c.local.type(v));
  }
  return op.results.empty() || op.result_types.size() == op.num_results() ||
         r.s.fail("TW-110", at,
                  fmt::format("{}: {} types for {} results; print the program in MLIR's generic form",
                              op.name, op.result_types.size(), op.num_results()));
}

} // namespace

// "dialect.op"(%a) .., or `dialect.op %a, .. : types` in whatever words the dialect has: the values that it
// names are its operands.
bool form_unknown(Reader &r, OpText &op) {
  r.captured.clear();
  if (op.record != nullptr) {
    for (; r.c.records->has_region(op); ++op.next_region)
      if (!r.c.records->captured(r, op.next_region, r.captured))
        return false;
  } else if (op.generic) {
    if (!r.read_generic(op, capture_region))
      return false;
  } else {
    Cursor types;
    if (!read_unknown_statement(r, op, types))
      return false;
    const char *end = r.s.set_end(r.s.cursor().at);
    r.s.seek(types);
    const bool ok = read_unknown_types(r, op) && (r.s.at_end() || r.s.fail_here("the end of the types", {}));
    r.s.set_end(end);
    if (!ok)
      return false;
  }
  for (size_t i = 0; i < r.captured.operands.size(); ++i) {
    op.operands.push_back(r.captured.operands[i]);
    op.operand_at.push_back(r.captured.operand_at[i]);
    op.operand_def.push_back(r.captured.operand_def[i]);
    op.operand_types.push_back(r.c.local.type(r.captured.operands[i]));
  }
  return true;
}

bool lower_unknown(Reader &r, OpText &op) {
  op.attrs.push_back({"call_target_name", op.name, nullptr});
  return emit_foreign_call(r, op);
}

} // namespace tw::import
