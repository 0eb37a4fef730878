// SPDX-License-Identifier: Apache-2.0
// Signatures of functions, and how the entry's becomes the arguments and results of the program, with their names and shardings.
#include "import/body.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "ops/builder.hpp"

namespace tw::import {

using annotation::Annotation;
using annotation::ShardingAnnotation;

namespace {

// Attributes that front ends use for what the user called an argument, best first.
constexpr std::string_view kNameAttrs[] = {"jax.arg_info", "tf.arg_name", "ttir.name", "mhlo.parameter_name"};

} // namespace

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

// A tuple among the results is as many results as it has elements.
bool BodyReader::read_signature(const Function &f, Signature &signature) {
  if (!(f.generic ? read_generic_signature(f, signature) : read_pretty_signature(f, signature)))
    return false;
  if (std::ranges::none_of(signature.results, TypeParser::is_tuple))
    return true;
  std::vector<std::vector<AttrText>> attrs;
  for (size_t i = 0; i < signature.results.size(); ++i) {
    if (!TypeParser::is_tuple(signature.results[i]))
      attrs.push_back(std::move(signature.result_attrs[i]));
    else
      attrs.resize(attrs.size() + c_.types.flat(std::span(signature.results).subspan(i, 1)).size());
  }
  signature.results = c_.types.flat(signature.results);
  signature.result_attrs = std::move(attrs);
  return true;
}

bool BodyReader::read_pretty_signature(const Function &f, Signature &signature) {
  s_.seek(f.signature);
  if (!read_block_arguments(signature.arguments, true))
    return false;
  if (!s_.accept("->"))
    return signature.unstated = true;
  const auto result = [&] {
    auto &attrs = signature.result_attrs.emplace_back();
    return c_.types.parse_any(signature.results.emplace_back()) &&
           (s_.peek() != '{' || parse_dict(s_, attrs));
  };
  if (!s_.accept('(')) { // a single type, whose '{' would open the body
    signature.result_attrs.emplace_back();
    return c_.types.parse_any(signature.results.emplace_back());
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

std::string BodyReader::argument_name(uint32_t index, const Argument &argument) const {
  if (const std::string_view given = c_.names.of(index); !given.empty())
    return std::string(given);
  for (std::string_view name : kNameAttrs)
    for (const AttrText &attr : argument.attrs)
      if (attr.name == name && attr.raw.size() > 2 && !place_of(plain_text(attr.raw)))
        return plain_text(attr.raw);
  if (argument.loc.name != graph::kNone)
    if (const std::string_view name = c_.builder.graph().name_at(argument.loc.name); !place_of(name))
      return std::string(name);
  return spelled_name(index, argument);
}

// %arg8 of the first argument, as generic text may have it, is no name: arg8 is the ninth.
std::string BodyReader::spelled_name(uint32_t index, const Argument &argument) {
  return place_of(argument.name) ? fmt::format("arg{}", index) : std::string(argument.name);
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
  const graph::OpId id = ops::add_argument(c_.builder, type, argument_name(index, argument), loc, alias);
  const graph::ValueId value = c_.builder.graph().result(id);
  name_value(value, spelled_name(index, argument), 0, 1);
  if (!define(argument.name, {&value, 1}, argument.at))
    return false;
  for (const AttrText &attr : argument.attrs) {
    if (attr.name == "partir.nest")
      loops_.arguments.push_back({index, std::string(attr.raw), {s_.file(), argument.line, argument.column}});
    std::vector<ShardingAnnotation> shardings;
    if (!Emitter::is_sharding(attr.name))
      continue;
    if (!emitter_.read_shardings(attr, shardings))
      return false;
    if (shardings.size() > 1)
      return s_.fail("TW-107", attr.raw.data(),
                     fmt::format("{} shardings for one argument", shardings.size()));
    if (!shardings.empty() &&
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
    if (attr.name == "partir.nest")
      loops_.results.push_back({index, std::string(attr.raw), pos});
    if (attr.name == "partir.layout")
      loops_.layouts.push_back({index, plain_text(attr.raw), pos});
    std::vector<ShardingAnnotation> shardings;
    if (!Emitter::is_sharding(attr.name))
      continue;
    if (!emitter_.read_shardings(attr, shardings))
      return false;
    if (shardings.size() > 1)
      return s_.fail("TW-107", attr.raw.data(), fmt::format("{} shardings for one result", shardings.size()));
    if (!shardings.empty() && !emitter_.annotate(Annotation::At::result, index, std::move(shardings[0]),
                                                 c_.builder.type_of(value), attr.raw.data(), pos))
      return false;
  }
  return true;
}

// Names that the text gives several arguments tell none from another: the next best names take their places. A name that a caller gives
// and the text too is an error (ArgumentNames::check).
template <class Argument>
static void drop_repeated_names(Context &c, const std::vector<std::string> &names,
                                std::vector<Argument> &arguments) {
  std::unordered_map<std::string_view, size_t> count;
  const auto is_given = [&](uint32_t i) { return !c.names.of(i).empty(); };
  for (uint32_t i = 0; i < names.size(); ++i)
    count[names[i]] += is_given(i) ? 0 : 1;
  for (uint32_t i = 0; i < names.size(); ++i) {
    if (is_given(i) || count[names[i]] == 1)
      continue;
    c.notes.add(Note::Kind::ignored,
                fmt::format("the name '{}' of {} arguments, which are called by their places", names[i],
                            count[names[i]]),
                arguments[i].at);
    arguments[i].loc.name = graph::kNone;
    std::erase_if(arguments[i].attrs, [](const AttrText &attr) {
      return std::ranges::find(kNameAttrs, attr.name) != std::end(kNameAttrs);
    });
  }
}

static void drop_repeated_names(Context &c, std::vector<std::vector<AttrText>> &results, const char *at) {
  std::unordered_map<std::string, size_t> count;
  const auto is_name = [](const AttrText &attr) { return attr.name == "jax.result_info"; };
  for (const auto &attrs : results)
    for (const AttrText &attr : attrs)
      if (is_name(attr) && !plain_text(attr.raw).empty())
        ++count[plain_text(attr.raw)];
  for (auto &attrs : results)
    std::erase_if(attrs, [&](const AttrText &attr) {
      const bool repeats = is_name(attr) && count[plain_text(attr.raw)] > 1;
      if (repeats)
        c.notes.add(Note::Kind::ignored,
                    fmt::format("the name '{}' of {} results, which are called by their places",
                                plain_text(attr.raw), count[plain_text(attr.raw)]),
                    at);
      return repeats;
    });
}

bool BodyReader::read_entry(uint32_t function) {
  const Function &f = c_.index.functions[function];
  module_ = f.module;
  calls_ = {function};
  Scope scope(1024 + s_.text().size() / 4);
  scope_ = &scope;
  Signature signature;
  if (!read_loop_attributes(f) || !read_signature(f, signature))
    return false;
  std::vector<std::string> names;
  for (uint32_t i = 0; i < signature.arguments.size(); ++i)
    names.push_back(argument_name(i, signature.arguments[i]));
  drop_repeated_names(c_, names, signature.arguments);
  for (uint32_t i = 0; i < signature.arguments.size(); ++i)
    if (!add_entry_argument(i, signature.arguments[i]))
      return false;
  if (!read_function_body(f, signature) || !resolve_bonds(f))
    return false;
  signature.result_attrs.resize(yields_.size());
  drop_repeated_names(c_, signature.result_attrs, f.signature.at);
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
