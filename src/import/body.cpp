// SPDX-License-Identifier: Apache-2.0
// Bodies of functions, blocks and statements, and the generic form that every op has.
#include "import/body.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "import/value_names.hpp"
#include "ops/builder.hpp"
#include "ops/registry.hpp"

namespace tw::import {
namespace {

constexpr uint32_t kMaxDepth = 200;       // of nested regions and calls
constexpr uint32_t kMaxResults = 1 << 15; // of one op

} // namespace

bool BodyReader::define(std::string_view name, std::span<const graph::ValueId> values, const char *at) {
  if (!loops_.bonds.empty())
    for (size_t i = 0; i < values.size(); ++i)
      bonded_.emplace(values.size() == 1 ? std::string(name) : fmt::format("{}#{}", name, i), values[i]);
  if (scope_->define(name, values, at))
    return true;
  const SourcePos first = s_.position(scope_->find(name)->at);
  return s_.fail("TW-109", at, fmt::format("the value %{} is defined twice", name),
                 fmt::format("first on line {}", first.line));
}

// Loop text says "%3.%a" of a value in a region of %3, where other texts say "%a".
bool BodyReader::is_path(std::string_view name, std::string_view prefix) {
  return prefix.starts_with('%') && name.size() > prefix.size() && name[prefix.size() - 1] == '%' &&
         name.starts_with(prefix.substr(1));
}

// "%12", or "%0.%84" inside a call; "%12#1" where an op has several results.
void BodyReader::name_value(graph::ValueId value, std::string_view name, uint32_t index, uint32_t count) {
  if (prefix_.size() + name.size() > kMaxNameLength)
    return;
  const size_t length = prefix_.size();
  const bool whole = is_path(name, prefix_);
  prefix_.append("%").append(name);
  if (count > 1)
    prefix_.append("#").append(std::to_string(index));
  c_.builder.set_value_name(value, c_.builder.name(std::string_view(prefix_).substr(whole ? length : 0)));
  prefix_.resize(length);
}

std::string BodyReader::inner_prefix(const OpText &op, std::string_view part) const {
  std::string prefix = op.results.empty() || !is_path(op.results[0].name, prefix_) ? prefix_ : std::string();
  if (op.results.empty())
    prefix.append(fmt::format("#{}", ops_)); // nothing of the op has a name
  else
    prefix.append("%").append(op.results[0].name.substr(0, op.results[0].name.rfind('#')));
  if (!part.empty())
    prefix.append(".").append(part);
  return prefix.append(".");
}

// A name and the `#1` behind it.
std::string_view BodyReader::with_index(std::string_view name) {
  const char *end = s_.text().data() + s_.text().size(), *at = name.data() + name.size();
  if (at == end || *at != '#')
    return name;
  s_.accept('#');
  int64_t index = 0;
  if (!s_.integer(index))
    return name;
  return {name.data(), static_cast<size_t>(s_.cursor().at - name.data())};
}

bool BodyReader::read_results(OpText &op) {
  if (s_.peek() != '%')
    return true;
  do {
    const char *at = s_.here();
    if (!s_.expect('%', "before the name of a result"))
      return false;
    const std::string_view name = s_.suffix();
    if (name.empty())
      return s_.fail_here("a name after '%'", {});
    const std::string_view whole = with_index(name);
    if (whole.size() != name.size()) { // %0#1, as loop text calls what a result of another op stood for
      op.results.push_back({whole, 1, at});
      continue;
    }
    int64_t count = 1;
    if (s_.cursor().at != s_.text().data() + s_.text().size() && *s_.cursor().at == ':') {
      s_.accept(':');
      if (!s_.integer(count))
        return false;
      if (count < 1 || count > kMaxResults)
        return s_.fail("TW-109", at,
                       fmt::format("{} results of one name: expected 1 to {}", count, kMaxResults));
    }
    op.results.push_back({name, static_cast<uint32_t>(count), at});
  } while (s_.accept(','));
  return s_.expect('=', "after the results");
}

bool BodyReader::read_operand(OpText &op) {
  const char *at = s_.here();
  if (!s_.accept('%'))
    return s_.fail_here("an operand such as %0", {});
  const std::string_view name = s_.suffix();
  if (name.empty())
    return s_.fail_here("a name after '%'", {});
  const Scope::Entry *entry = scope_->find(name);
  if (!entry) {
    const Cursor back = s_.cursor();
    const std::string_view whole = with_index(name);
    if (const Scope::Entry *own = scope_->find(whole)) {
      op.operand_def.push_back(own->at);
      push_operand(op, scope_->values(*own)[0], at);
      return true;
    }
    s_.seek(back);
  }
  if (!entry)
    return s_.fail("TW-109", at, fmt::format("the value %{} is not defined here", name));
  int64_t index = 0;
  if (s_.cursor().at != s_.text().data() + s_.text().size() && *s_.cursor().at == '#') {
    s_.accept('#');
    if (!s_.integer(index))
      return false;
    if (index < 0 || index >= entry->count)
      return s_.fail("TW-109", at,
                     fmt::format("%{} has {} results: there is no %{}#{}", name, entry->count, name, index));
  }
  op.operand_def.push_back(entry->at);
  push_operand(op, scope_->values(*entry)[static_cast<size_t>(index)], at);
  return true;
}

bool BodyReader::read_operands(OpText &op) {
  if (s_.peek() != '%')
    return true;
  do {
    if (s_.peek() != '%') // `, dim = 1` follows
      return true;
    if (!read_operand(op))
      return false;
  } while (s_.accept(','));
  return true;
}

// "dialect.op"(%a, %b) <{properties}> ({region}, {region}) {attributes} : (T, T) -> U
bool BodyReader::read_generic(OpText &op, RegionReader region) {
  if (!s_.expect('(', "before the operands"))
    return false;
  if (!s_.accept(')')) {
    do {
      if (!read_operand(op))
        return false;
    } while (s_.accept(','));
    if (!s_.expect(')', "after the operands"))
      return false;
  }
  if (s_.peek() == '[')
    return s_.fail("TW-104", s_.here(), "branches between blocks are not supported");
  if (s_.accept('<') && !(parse_dict(s_, op.attrs) && s_.expect('>', "after properties")))
    return false;
  if (s_.accept('(')) {
    do {
      if (!(this->*region)(op))
        return false;
    } while (s_.accept(','));
    if (!s_.expect(')', "after the regions"))
      return false;
  }
  if (s_.peek() == '{' && !parse_dict(s_, op.attrs))
    return false;
  if (!s_.expect(':', "before the type of an op"))
    return false;
  const char *types = s_.here();
  if (!c_.types.parse_function(op.operand_types, op.result_types))
    return false;
  op.types = {types, static_cast<size_t>(s_.cursor().at - types)};
  flatten_types(op);
  return true;
}

bool BodyReader::read_statement(OpText &op) {
  op.clear();
  s_.here();
  op.line = s_.cursor().line;
  op.column = s_.cursor().column();
  if (++ops_ > c_.options.max_ops)
    return s_.fail("TW-108", s_.here(),
                   fmt::format("more than {} ops after inlining calls", c_.options.max_ops));
  if (!read_results(op))
    return false;
  op.at = s_.here();
  std::string_view written;
  op.generic = s_.peek() == '"';
  if (op.generic ? !s_.string(written) : (written = s_.word()).empty())
    return s_.fail_here("an operation", {});
  const Kind kind = kind_of(written);
  if (kind.name.empty())
    return fail_unknown(written, op.at);
  op.name = kind.name;
  op.code = kind.code;
  // A body that is read in place must be met before its op is known: those forms read both spellings.
  const bool as_generic = op.generic && kind.lower != &BodyReader::lower_inlined &&
                          kind.form != &BodyReader::form_matmul && kind.form != &BodyReader::form_unknown;
  const uint32_t loop = loop_;
  const size_t in_loops = loops_.ops.size();
  if (!(as_generic ? read_generic(op) : (this->*kind.form)(op)) || !c_.locations.read_optional(op.loc) ||
      !(this->*kind.lower)(op))
    return false;
  return loop == graph::kNone || loops_.ops.size() != in_loops || kind.name.starts_with("partir.") ||
         s_.fail("TW-421", op.at,
                 fmt::format("{} cannot stand in a loop: write the ops that it stands for", written));
}

bool BodyReader::bind_results(OpText &op, std::span<const graph::ValueId> values) {
  size_t next = 0;
  if (!op.tuple_results.empty())
    return bind_tuples(op, values);
  if (!op.results.empty() && op.num_results() != values.size())
    return s_.fail(
        "TW-109", op.results[0].at,
        fmt::format("{} gives {} results, {} are named", op.name, values.size(), op.num_results()));
  for (const OpText::Result &result : op.results) {
    if (!define(result.name, values.subspan(next, result.count), result.at))
      return false;
    next += result.count;
  }
  return true;
}

// Statements up to the block's '}', which stays.
bool BodyReader::read_block() {
  if (depth_ == kMaxDepth)
    return s_.fail("TW-108", s_.here(),
                   fmt::format("regions and calls are nested deeper than {}", kMaxDepth));
  ++depth_;
  if (texts_.size() < depth_)
    texts_.emplace_back();
  OpText &op = texts_[depth_ - 1];
  ended_ = false;
  while (!ended_) {
    if (s_.peek() == '}')
      return s_.fail("TW-106", s_.here(), "this block ends without a return");
    if (s_.at_end())
      return s_.fail_here("an operation or '}'", {});
    if (!read_statement(op))
      return false;
    s_.accept(';'); // as in the seeds
  }
  ended_ = false;
  --depth_;
  if (s_.peek() == '^')
    return s_.fail("TW-104", s_.here(), "regions of several blocks are not supported");
  return s_.peek() == '}' || s_.fail_here("'}'", "after the return of a block");
}

// The cursor is where read_signature left it; arguments are bound.
bool BodyReader::read_function_body(const Function &f, const Signature &signature) {
  if (!f.generic) { // a generic function's block header was read with its signature
    s_.seek(f.body);
    if (!s_.expect('{', "before a function's body"))
      return false;
  }
  if (!read_block())
    return false;
  if (signature.unstated && untyped_return_)
    return true;
  bool fits = yields_.size() == signature.results.size();
  for (size_t i = 0; fits && i < yields_.size(); ++i)
    if (const graph::TypeId type = c_.local.type(yields_[i]); type != signature.results[i])
      return s_.fail("TW-110", yields_at_[i],
                     fmt::format("@{} returns {} as result {}, but its signature says {}", f.name,
                                 graph::to_text(c_.builder.graph().type_at(type)), i,
                                 graph::to_text(c_.builder.graph().type_at(signature.results[i]))));
  return fits || s_.fail("TW-110", s_.here(),
                         fmt::format("@{} returns {} values, but its signature says {}", f.name,
                                     yields_.size(), signature.results.size()));
}

} // namespace tw::import
