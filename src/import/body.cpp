// SPDX-License-Identifier: Apache-2.0
// Functions, blocks and statements, and the generic form that every op has.
#include "import/body.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "ops/builder.hpp"
#include "ops/registry.hpp"

namespace tw::import {
namespace {

constexpr uint32_t kMaxDepth = 200;       // of nested regions and calls
constexpr uint32_t kMaxResults = 1 << 15; // of one op
constexpr size_t kMaxNameLength = 256;    // of a value; longer ones print as numbers

// Attributes that front ends use for what the user called an argument, best first.
constexpr std::string_view kNameAttrs[] = {"jax.arg_info", "tf.arg_name", "ttir.name", "mhlo.parameter_name"};

} // namespace

bool BodyReader::define(std::string_view name, std::span<const graph::ValueId> values, const char *at) {
  if (scope_->define(name, values, at))
    return true;
  const SourcePos first = s_.position(scope_->find(name)->at);
  return s_.fail("TW-109", at, fmt::format("the value %{} is defined twice", name),
                 fmt::format("first on line {}", first.line));
}

// "%12", or "%0.%84" inside a call; "%12#1" where an op has several results.
void BodyReader::name_value(graph::ValueId value, std::string_view name, uint32_t index, uint32_t count) {
  if (prefix_.size() + name.size() > kMaxNameLength)
    return;
  const size_t length = prefix_.size();
  prefix_.append("%").append(name);
  if (count > 1)
    prefix_.append("#").append(std::to_string(index));
  c_.builder.set_value_name(value, c_.builder.name(prefix_));
  prefix_.resize(length);
}

std::string BodyReader::inner_prefix(const OpText &op, std::string_view part) const {
  std::string prefix = prefix_;
  if (op.results.empty())
    prefix.append(fmt::format("#{}", ops_)); // nothing of the op has a name
  else
    prefix.append("%").append(op.results[0].name);
  if (!part.empty())
    prefix.append(".").append(part);
  return prefix.append(".");
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
  op.operands.push_back(scope_->values(*entry)[static_cast<size_t>(index)]);
  op.operand_at.push_back(at);
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
bool BodyReader::read_generic(OpText &op) {
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
      if (!read_region(op))
        return false;
    } while (s_.accept(','));
    if (!s_.expect(')', "after the regions"))
      return false;
  }
  if (s_.peek() == '{' && !parse_dict(s_, op.attrs))
    return false;
  return s_.expect(':', "before the type of an op") &&
         c_.types.parse_function(op.operand_types, op.result_types);
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
  const bool generic = s_.peek() == '"';
  if (generic ? !s_.string(written) : (written = s_.word()).empty())
    return s_.fail_here("an operation", {});
  const Kind kind = kind_of(written);
  if (kind.name.empty())
    return fail_unknown(written, op.at);
  op.name = kind.name;
  op.code = kind.code;
  return (generic ? read_generic(op) : (this->*kind.form)(op)) && c_.locations.read_optional(op.loc) &&
         (this->*kind.lower)(op);
}

bool BodyReader::bind_results(OpText &op, std::span<const graph::ValueId> values) {
  size_t next = 0;
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
  }
  ended_ = false;
  --depth_;
  if (s_.peek() == '^')
    return s_.fail("TW-104", s_.here(), "regions of several blocks are not supported");
  return s_.peek() == '}' || s_.fail_here("'}'", "after the return of a block");
}

// (%a: T {attrs} loc(..), ...) of a function or a block.
bool BodyReader::read_block_arguments(std::vector<Argument> &arguments, bool with_attrs) {
  if (!s_.expect('(', "before arguments"))
    return false;
  if (s_.accept(')'))
    return true;
  do {
    Argument argument{};
    argument.at = s_.here();
    argument.line = s_.cursor().line;
    argument.column = s_.cursor().column();
    if (!s_.expect('%', "before the name of an argument"))
      return false;
    argument.name = s_.suffix();
    if (argument.name.empty() || !s_.expect(':', "after the name of an argument") ||
        !c_.types.parse(argument.type))
      return s_.fail_here("an argument such as %arg0: tensor<f32>", {});
    if (with_attrs && s_.peek() == '{' && !parse_dict(s_, argument.attrs))
      return false;
    if (!c_.locations.read_optional(argument.loc))
      return false;
    arguments.push_back(std::move(argument));
  } while (s_.accept(','));
  return s_.expect(')', "after arguments");
}

bool BodyReader::read_signature(const Function &f, Signature &signature) {
  if (f.generic)
    return read_generic_signature(f, signature);
  s_.seek(f.signature);
  if (!read_block_arguments(signature.arguments, true))
    return false;
  if (!s_.accept("->"))
    return true;
  const auto result = [&] {
    auto &attrs = signature.result_attrs.emplace_back();
    return c_.types.parse(signature.results.emplace_back()) && (s_.peek() != '{' || parse_dict(s_, attrs));
  };
  if (!s_.accept('(')) { // a single type, whose '{' would open the body
    signature.result_attrs.emplace_back();
    return c_.types.parse(signature.results.emplace_back());
  }
  if (s_.accept(')'))
    return true;
  do {
    if (!result())
      return false;
  } while (s_.accept(','));
  return s_.expect(')', "after the results of a function");
}

// [{..}, {..}]
bool BodyReader::read_attr_lists(std::string_view raw, std::vector<std::vector<AttrText>> &lists) {
  if (raw.empty())
    return true;
  Cursor cursor = s_.cursor();
  cursor.at = raw.data();
  s_.seek(cursor);
  if (!s_.expect('[', "before attributes"))
    return false;
  if (s_.accept(']'))
    return true;
  do {
    if (!parse_dict(s_, lists.emplace_back()))
      return false;
  } while (s_.accept(','));
  return s_.expect(']', "after attributes");
}

bool BodyReader::read_generic_signature(const Function &f, Signature &signature) {
  Cursor cursor = f.signature;
  cursor.at = f.function_type.data();
  s_.seek(cursor);
  std::vector<graph::TypeId> inputs;
  std::vector<std::vector<AttrText>> arg_attrs;
  if (!c_.types.parse_function(inputs, signature.results) || !read_attr_lists(f.arg_attrs, arg_attrs) ||
      !read_attr_lists(f.res_attrs, signature.result_attrs))
    return false;
  signature.result_attrs.resize(signature.results.size());
  s_.seek(f.body);
  if (!s_.expect('{', "before a function's body"))
    return false;
  if (s_.accept('^')) {
    if (s_.suffix().empty())
      return s_.fail_here("the name of a block", {});
    if ((s_.peek() == '(' && !read_block_arguments(signature.arguments, false)) ||
        !s_.expect(':', "after the header of a block"))
      return false;
  }
  if (signature.arguments.size() != inputs.size())
    return s_.fail(
        "TW-106", f.body.at,
        fmt::format("{} arguments, but function_type has {}", signature.arguments.size(), inputs.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (signature.arguments[i].type != inputs[i])
      return s_.fail("TW-106", signature.arguments[i].at,
                     fmt::format("argument {} has another type than function_type says", i));
    if (i < arg_attrs.size())
      signature.arguments[i].attrs = std::move(arg_attrs[i]);
  }
  return true;
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
  bool fits = yields_.size() == signature.results.size();
  for (size_t i = 0; fits && i < yields_.size(); ++i)
    if (const graph::TypeId type = c_.builder.graph().value(yields_[i]).type; type != signature.results[i])
      return s_.fail("TW-110", yields_at_[i],
                     fmt::format("@{} returns {} as result {}, but its signature says {}", f.name,
                                 graph::to_text(c_.builder.graph().type_at(type)), i,
                                 graph::to_text(c_.builder.graph().type_at(signature.results[i]))));
  return fits || s_.fail("TW-110", s_.here(),
                         fmt::format("@{} returns {} values, but its signature says {}", f.name,
                                     yields_.size(), signature.results.size()));
}

std::string BodyReader::argument_name(const Argument &argument) const {
  for (std::string_view name : kNameAttrs)
    for (const AttrText &attr : argument.attrs)
      if (attr.name == name && attr.raw.size() > 2)
        return plain_text(attr.raw);
  if (argument.loc.name != graph::kNone)
    return std::string(c_.builder.graph().name_at(argument.loc.name));
  return std::string(argument.name);
}

bool BodyReader::add_entry_argument(uint32_t index, const Argument &argument) {
  int32_t alias = -1;
  for (const AttrText &attr : argument.attrs) {
    int64_t value = 0;
    if (attr.name == "tf.aliasing_output") {
      if (!c_.attributes.read_int(attr.raw, value))
        return false;
      if (value < 0 || value >= INT32_MAX)
        return s_.fail("TW-106", attr.raw.data(),
                       fmt::format("tf.aliasing_output names no result: {}", value));
      alias = static_cast<int32_t>(value);
    } else if (attr.name == "jax.buffer_donor" && alias == -1) {
      alias = attr.raw == "false" ? -1 : -2;
    }
  }
  const graph::LocId loc = c_.builder.location({argument.line, argument.column, argument.loc.file});
  const graph::TensorType type = c_.builder.graph().type_at(argument.type);
  const graph::OpId id = ops::add_argument(c_.builder, type, argument_name(argument), loc, alias);
  const graph::ValueId value = c_.builder.graph().result(id);
  name_value(value, argument.name, 0, 1);
  if (!define(argument.name, {&value, 1}, argument.at))
    return false;
  for (const AttrText &attr : argument.attrs) {
    std::vector<ShardingAnnotation> shardings;
    if (!Emitter::is_sharding(attr.name))
      continue;
    if (!emitter_.read_shardings(attr, shardings))
      return false;
    if (shardings.size() == 1 &&
        !emitter_.annotate(Annotation::At::argument, index, std::move(shardings[0]), type, attr.raw.data(),
                           {s_.file(), argument.line, argument.column}))
      return false;
  }
  return true;
}

bool BodyReader::add_entry_result(uint32_t index, graph::ValueId value, const std::vector<AttrText> &attrs) {
  std::string name;
  for (const AttrText &attr : attrs)
    if (attr.name == "jax.result_info")
      name = plain_text(attr.raw);
  const SourcePos pos = {s_.file(), s_.cursor().line, s_.cursor().column()};
  ops::add_result(c_.builder, value, name, c_.builder.location({pos.line, pos.column, graph::kNone}));
  for (const AttrText &attr : attrs) {
    std::vector<ShardingAnnotation> shardings;
    if (!Emitter::is_sharding(attr.name))
      continue;
    if (!emitter_.read_shardings(attr, shardings))
      return false;
    if (shardings.size() == 1 && !emitter_.annotate(Annotation::At::result, index, std::move(shardings[0]),
                                                    c_.builder.type_of(value), attr.raw.data(), pos))
      return false;
  }
  return true;
}

bool BodyReader::read_entry(uint32_t function) {
  const Function &f = c_.index.functions[function];
  module_ = f.module;
  calls_ = {function};
  Scope scope(1024 + s_.text().size() / 4);
  scope_ = &scope;
  Signature signature;
  if (!read_signature(f, signature))
    return false;
  for (uint32_t i = 0; i < signature.arguments.size(); ++i)
    if (!add_entry_argument(i, signature.arguments[i]))
      return false;
  if (!read_function_body(f, signature))
    return false;
  for (uint32_t i = 0; i < yields_.size(); ++i)
    if (!add_entry_result(i, yields_[i], signature.result_attrs[i]))
      return false;
  for (size_t i = 0; i < signature.arguments.size(); ++i)
    if (const int32_t alias = c_.builder.graph().alias_of_argument(i);
        alias >= static_cast<int32_t>(yields_.size()))
      return s_.fail("TW-106", signature.arguments[i].at,
                     fmt::format("tf.aliasing_output = {}, but there are {} results", alias, yields_.size()));
  return true;
}

} // namespace tw::import
