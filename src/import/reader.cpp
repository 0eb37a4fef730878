// SPDX-License-Identifier: Apache-2.0
// Names, operands, statements and blocks, and the generic form that every op has.
#include "import/reader.hpp"

#include <utility>

#include <fmt/format.h>

#include "import/dialects/stablehlo/ops.hpp"
#include "import/shardings.hpp"
#include "import/value_names.hpp"

namespace tw::import {

namespace {

constexpr uint32_t kMaxResults = 1 << 15; // of one op

} // namespace

bool is_path(std::string_view name, std::string_view prefix) {
  return prefix.starts_with('%') && name.size() > prefix.size() && name[prefix.size() - 1] == '%' &&
         name.starts_with(prefix.substr(1));
}

bool Reader::define(const ValueKey &key, std::span<const graph::ValueId> values, const char *at) {
  const std::string_view name = key.name;
  if (!loops.program.bonds.empty())
    for (size_t i = 0; i < values.size(); ++i)
      loops.bonded.emplace(values.size() == 1 ? std::string(name) : fmt::format("{}#{}", name, i), values[i]);
  if (scope->define(key, values, at))
    return true;
  const SourcePos first = s.position(scope->find(key)->at);
  return s.fail("TW-109", at, fmt::format("the value %{} is defined twice", name),
                fmt::format("first on line {}", first.line));
}

// "%12", or "%0.%84" inside a call; "%12#1" where an op has several results.
void Reader::name_value(graph::ValueId value, std::string_view name, uint32_t index, uint32_t count) {
  if (prefix.size() + name.size() > kMaxNameLength || name.starts_with('(')) // make_name
    return;
  const size_t length = prefix.size();
  const bool whole = is_path(name, prefix);
  prefix.append("%").append(name);
  if (count > 1)
    prefix.append("#").append(std::to_string(index));
  c.builder.set_value_name(value, c.builder.name(std::string_view(prefix).substr(whole ? length : 0)));
  prefix.resize(length);
}

std::string Reader::inner_prefix(const OpText &op, std::string_view part) const {
  std::string inner = op.results.empty() || !is_path(op.results[0].name, prefix) ? prefix : std::string();
  if (op.results.empty())
    inner.append(fmt::format("#{}", ops_)); // nothing of the op has a name
  else
    inner.append("%").append(op.results[0].name.substr(0, op.results[0].name.rfind('#')));
  if (!part.empty())
    inner.append(".").append(part);
  return inner.append(".");
}

// A name and the `#1` behind it.
std::string_view Reader::with_index(std::string_view name) {
  const char *end = s.text().data() + s.text().size(), *at = name.data() + name.size();
  if (at == end || *at != '#')
    return name;
  s.accept('#');
  int64_t index = 0;
  if (!s.integer(index))
    return name;
  return {name.data(), static_cast<size_t>(s.cursor().at - name.data())};
}

bool Reader::read_results(OpText &op) {
  if (s.peek() != '%' && !binds_name())
    return true;
  do {
    const char *at = s.here();
    std::string_view name;
    if (!read_name(name))
      return false;
    const std::string_view whole = with_index(name);
    if (whole.size() != name.size()) { // %0#1, as loop text calls what a result of another op stood for
      op.results.push_back({whole, 1, at});
      continue;
    }
    int64_t count = 1;
    if (s.cursor().at != s.text().data() + s.text().size() && *s.cursor().at == ':') {
      s.accept(':');
      if (!s.integer(count))
        return false;
      if (count < 1 || count > kMaxResults)
        return s.fail("TW-109", at,
                      fmt::format("{} results of one name: expected 1 to {}", count, kMaxResults));
    }
    op.results.push_back({name, static_cast<uint32_t>(count), at});
  } while (s.accept(','));
  return s.expect('=', "after the results");
}

bool Reader::read_operand(OpText &op) {
  const char *at = s.here();
  if (s.peek() != '%')
    return read_expression(op);
  std::string_view name;
  if (!read_name(name))
    return false;
  const Scope::Entry *entry = scope->find(name);
  if (!entry) {
    const Cursor back = s.cursor();
    const std::string_view whole = with_index(name);
    if (const Scope::Entry *own = scope->find(whole)) {
      op.operand_def.push_back(own->at);
      push_operand(op, scope->values(*own)[0], at);
      return true;
    }
    s.seek(back);
  }
  if (!entry)
    return s.fail("TW-109", at, fmt::format("the value %{} is not defined here", name));
  if (grid_code.shardings.contains(entry->at))
    return s.fail("TW-116", at, fmt::format("%{} is a sharding, and an array is expected here", name));
  int64_t index = 0;
  if (s.cursor().at != s.text().data() + s.text().size() && *s.cursor().at == '#') {
    s.accept('#');
    if (!s.integer(index))
      return false;
    if (index < 0 || index >= entry->count)
      return s.fail("TW-109", at,
                    fmt::format("%{} has {} results: there is no %{}#{}", name, entry->count, name, index));
  }
  op.operand_def.push_back(entry->at);
  if (page)
    read_at.insert(entry->at);
  push_operand(op, scope->values(*entry)[static_cast<size_t>(index)], at);
  return true;
}

bool Reader::read_operands(OpText &op) {
  if (s.peek() != '%')
    return true;
  do {
    if (s.peek() != '%') // `, dim = 1` follows
      return true;
    if (!read_operand(op))
      return false;
  } while (s.accept(','));
  return true;
}

// "dialect.op"(%a, %b) <{properties}> ({region}, {region}) {attributes} : (T, T) -> U
bool Reader::read_generic(OpText &op, OpFunction region) {
  TW_ASSERT(c.records == nullptr);
  if (!s.expect('(', "before the operands"))
    return false;
  if (!s.accept(')')) {
    do {
      if (!read_operand(op))
        return false;
    } while (s.accept(','));
    if (!s.expect(')', "after the operands"))
      return false;
  }
  if (s.peek() == '[')
    return s.fail("TW-104", s.here(), "branches between blocks are not supported");
  if (s.accept('<') && !(parse_dict(s, op.attrs) && s.expect('>', "after properties")))
    return false;
  if (s.accept('(')) {
    do {
      if (region != nullptr ? !region(*this, op) : !read_region(op))
        return false;
    } while (s.accept(','));
    if (!s.expect(')', "after the regions"))
      return false;
  }
  if (s.peek() == '{' && !parse_dict(s, op.attrs))
    return false;
  if (!s.expect(':', "before the type of an op"))
    return false;
  const char *types = s.here();
  if (!c.types.parse_function(op.operand_types, op.result_types))
    return false;
  op.types = {types, static_cast<size_t>(s.cursor().at - types)};
  flatten_types(op);
  return true;
}

Scope Reader::make_scope(const Function &function) const {
  if (c.records != nullptr)
    return Scope::of_records(c.records->values_of(function.region));
  return Scope(1024 + s.text().size() / 4);
}

bool Reader::read_statement(OpText &op) {
  op.clear();
  if (c.records != nullptr)
    return read_record(op);
  s.here();
  op.line = s.cursor().line;
  op.column = s.cursor().column();
  if (!read_results(op))
    return false;
  return read_op(op);
}

// An op of an artifact says all at once; what is left are its regions.
bool Reader::read_record(OpText &op) {
  op.line = op.column = 0;
  if (!c.records->next(*this, op))
    return false;
  if (++ops_ > c.options.max_ops)
    return s.fail("TW-108", op.at, fmt::format("more than {} ops after inlining calls", c.options.max_ops));
  if (record_kinds_.size() <= op.record->name)
    record_kinds_.resize(op.record->name + 1);
  const Kind *&known = record_kinds_[op.record->name];
  if (known == nullptr)
    known = &kind_of(op.name);
  const Kind &kind = *known;
  if (kind.name.empty())
    return fail_unknown(op.name, op.at);
  if (kind.reads_generic && !kind.reads_records)
    return unsupported(op.at, fmt::format("{} is read from text only", op.name));
  op.name = kind.name;
  op.code = kind.code;
  const OpFunction lower = kind.lower;
  const LocationReader::Text loc = std::exchange(op.loc, {}); // stands behind the regions of an op
  if (!(kind.reads_generic ? kind.form(*this, op) : read_record_regions(op)))
    return false;
  op.loc = loc;
  return unfold_carried(s, op.attrs) && lower(*this, op);
}

bool Reader::read_record_regions(OpText &op) {
  if (const bytecode::OpRecord *reducer = c.records->short_reducer(op))
    return compact_reducer(*this, op, c.records->program().name(*reducer).name, op.at);
  while (c.records->has_region(op))
    if (!read_region(op))
      return false;
  return true;
}

// What stands behind the results of a statement.
bool Reader::read_op(OpText &op) {
  if (++ops_ > c.options.max_ops)
    return s.fail("TW-108", s.here(),
                  fmt::format("more than {} ops after inlining calls", c.options.max_ops));
  op.at = s.here();
  std::string_view written;
  op.generic = s.peek() == '"';
  if (op.generic ? !s.string(written) : (written = s.word()).empty())
    return s.fail_here("an operation", {});
  const Kind kind = kind_of(written);
  if (kind.name.empty())
    return fail_unknown(written, op.at);
  op.name = kind.name;
  op.code = kind.code;
  const bool as_generic = op.generic && !kind.reads_generic;
  const uint32_t loop = loops.innermost;
  const size_t in_loops = loops.program.ops.size();
  if (!(as_generic ? read_generic(op) : kind.form(*this, op)) || !c.locations.read_optional(op.loc) ||
      !unfold_carried(s, op.attrs) || !kind.lower(*this, op))
    return false;
  return loop == graph::kNone || loops.program.ops.size() != in_loops || ended ||
         kind.name.starts_with("partir.") ||
         s.fail("TW-421", op.at,
                fmt::format("{} cannot stand in a loop: write the ops that it stands for", written));
}

// Statements up to the block's '}', which stays.
bool Reader::read_block() {
  if (depth_ == kMaxDepth)
    return s.fail("TW-108", s.here(), fmt::format("regions and calls are nested deeper than {}", kMaxDepth));
  ++depth_;
  if (texts_.size() < depth_)
    texts_.emplace_back();
  OpText &op = texts_[depth_ - 1];
  ended = false;
  while (!ended && c.records != nullptr) {
    if (c.records->at_end())
      return s.fail("TW-106", nullptr, "a block ends without a return");
    if (!read_statement(op))
      return false;
  }
  while (!ended) {
    if (s.peek() == '}')
      return s.fail("TW-106", s.here(), "this block ends without a return");
    if (s.at_end())
      return s.fail_here("an operation or '}'", {});
    if (!read_statement(op))
      return false;
    s.accept(';'); // as in the PartIR slides
  }
  ended = false;
  --depth_;
  if (c.records != nullptr)
    return c.records->at_end() || s.fail("TW-106", op.at, "ops stand behind the return of a block");
  if (s.peek() == '^')
    return s.fail("TW-104", s.here(), "regions of several blocks are not supported");
  return s.peek() == '}' || page || s.fail_here("'}'", "after the return of a block");
}

bool Reader::close(char bracket, std::string_view where) {
  const bool missing = page && (s.at_end() || s.peek() == '%' || s.peek() == '[' || binds_name());
  if (!missing)
    return s.expect(bracket, where);
  c.notes.add(Note::Kind::ignored, fmt::format("that a '{}' is missing", bracket), s.here());
  return true;
}

} // namespace tw::import
