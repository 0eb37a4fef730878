// SPDX-License-Identifier: Apache-2.0
// Signatures of functions, and how the entry's becomes the arguments and results of the program, with their
// names and shardings.
#include "import/signature.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/utf8.hpp"
#include "graph/donations.hpp"
#include "graph/id_table.hpp"
#include "import/page.hpp"
#include "import/partitions.hpp"
#include "import/shardings.hpp"
#include "ops/builder.hpp"

namespace tw::import {

using annotation::Annotation;
using annotation::ShardingAnnotation;

namespace {

// Attributes that front ends use for what the user called an argument, best first.
constexpr std::string_view kNameAttrs[] = {"jax.arg_info", "tf.arg_name", "ttir.name", "mhlo.parameter_name"};

// [{..}, {..}]
bool read_attr_lists(Reader &r, std::string_view raw, std::vector<std::vector<AttrText>> &lists) {
  if (raw.empty())
    return true;
  Cursor cursor = r.s.cursor();
  cursor.at = raw.data();
  r.s.seek(cursor);
  if (!r.s.expect('[', "before attributes"))
    return false;
  if (r.s.accept(']'))
    return true;
  do {
    if (!parse_dict(r.s, lists.emplace_back()))
      return false;
  } while (r.s.accept(','));
  return r.s.expect(']', "after attributes");
}

bool read_pretty_signature(Reader &r, const Function &f, Signature &signature) {
  r.s.seek(f.signature);
  if (!r.read_block_arguments(signature.arguments, true))
    return false;
  if (!r.s.accept("->"))
    return signature.unstated = true;
  const auto result = [&] {
    auto &attrs = signature.result_attrs.emplace_back();
    return r.c.types.parse_any(signature.results.emplace_back()) &&
           (r.s.peek() != '{' || parse_dict(r.s, attrs));
  };
  if (!r.s.accept('(')) { // a single type, whose '{' would open the body
    signature.result_attrs.emplace_back();
    return r.c.types.parse_any(signature.results.emplace_back());
  }
  if (r.s.accept(')'))
    return true;
  do {
    if (!result())
      return false;
  } while (r.s.accept(','));
  return r.s.expect(')', "after the results of a function");
}

// The arguments of a function's block are those of its type, which have the attributes.
bool join_types(Reader &r, const Function &f, const std::vector<graph::TypeId> &inputs,
                std::vector<std::vector<AttrText>> &arg_attrs, Signature &signature) {
  if (signature.arguments.size() != inputs.size())
    return r.s.fail(
        "TW-106", f.body.at,
        fmt::format("{} arguments, but function_type has {}", signature.arguments.size(), inputs.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (signature.arguments[i].type != inputs[i])
      return r.s.fail("TW-106", signature.arguments[i].at,
                      fmt::format("argument {} has another type than function_type says", i));
    if (i < arg_attrs.size())
      signature.arguments[i].attrs = std::move(arg_attrs[i]);
  }
  signature.result_attrs.resize(signature.results.size());
  return true;
}

bool read_generic_signature(Reader &r, const Function &f, Signature &signature) {
  std::vector<graph::TypeId> inputs;
  std::vector<std::vector<AttrText>> arg_attrs;
  Cursor type = f.signature;
  type.at = f.function_type.data();
  r.s.seek(type);
  if (!r.c.types.parse_function(inputs, signature.results) || !read_attr_lists(r, f.arg_attrs, arg_attrs) ||
      !read_attr_lists(r, f.res_attrs, signature.result_attrs))
    return false;
  r.s.seek(f.body);
  if (!r.s.expect('{', "before a function's body"))
    return false;
  if (r.s.accept('^')) {
    if (r.s.suffix().empty())
      return r.s.fail_here("the name of a block", {});
    if ((r.s.peek() == '(' && !r.read_block_arguments(signature.arguments, false)) ||
        !r.s.expect(':', "after the header of a block"))
      return false;
  }
  return join_types(r, f, inputs, arg_attrs, signature);
}

// Of an artifact: the arguments are those of the function's block.
bool read_record_signature(Reader &r, const Function &f, Signature &signature) {
  Records::FunctionTypes stated;
  if (!r.c.records->function(*f.record, stated) || !r.c.records->enter(f.region, signature.arguments))
    return false;
  signature.results = std::move(stated.results);
  signature.result_attrs = std::move(stated.res_attrs);
  return join_types(r, f, stated.inputs, stated.arg_attrs, signature);
}

// %arg8 of the first argument, as generic text may have it, is no name: arg8 is the ninth.
std::string spelled_name(uint32_t index, const Argument &argument) {
  return place_of(argument.name) ? fmt::format("arg{}", index) : std::string(argument.name);
}

std::string argument_name(Reader &r, uint32_t index, const Argument &argument) {
  if (const std::string_view given = r.c.names.of(index); !given.empty())
    return std::string(given);
  for (std::string_view name : kNameAttrs)
    for (const AttrText &attr : argument.attrs)
      if (attr.name == name && attr.raw.size() > 2 && !place_of(plain_text(attr.raw)))
        return shown(plain_text(attr.raw));
  if (argument.loc.name != graph::kNone)
    if (const std::string_view name = r.c.builder.graph().name_at(argument.loc.name); !place_of(name))
      return std::string(name);
  return spelled_name(index, argument);
}

// What one device holds has no sharding.
bool is_left_out(Reader &r, const AttrText &attr) {
  if (r.grid_code.local == nullptr)
    return false;
  r.c.leave_out(fmt::format("sharding {}: the function is the code of one device", attr.raw),
                attr.raw.data());
  return true;
}

// Annotates an argument or a result where the attribute is its sharding, the only one. False: an error is
// told.
bool take_sharding(Reader &r, const AttrText &attr, Annotation::At at, uint32_t index,
                   const graph::TensorType &type, const SourcePos &pos) {
  std::vector<ShardingAnnotation> shardings;
  if (!Emitter::is_sharding(attr.name) || is_left_out(r, attr))
    return true;
  if (!r.emitter.read_shardings(attr, shardings))
    return false;
  if (shardings.size() > 1)
    return r.s.fail("TW-107", attr.raw.data(),
                    fmt::format("{} shardings for one {}", shardings.size(),
                                at == Annotation::At::argument ? "argument" : "result"));
  return shardings.empty() ||
         r.emitter.annotate(at, index, std::move(shardings[0]), type, attr.raw.data(), pos);
}

// XLA makes a result in the memory of an argument of any type that takes as many bytes. Here an argument of
// another type is kept, since arrays do not change their type; one of another size is an error for XLA too.
bool is_kept(Reader &r, const Argument &argument, const Signature &signature, int64_t result) {
  if (result >= std::ssize(signature.results) ||
      signature.results[static_cast<size_t>(result)] == argument.type)
    return false;
  const graph::TensorType &given = r.c.builder.graph().type_at(argument.type),
                          &made = r.c.builder.graph().type_at(signature.results[static_cast<size_t>(result)]);
  if (given.bytes() != made.bytes())
    return false;
  r.c.notes.add(Note::Kind::ignored,
                fmt::format("tf.aliasing_output of {} to result {}, {}: arrays do not change their type",
                            graph::to_text(given), result, graph::to_text(made)),
                argument.at);
  return true;
}

std::string memory_kind(const std::vector<AttrText> &attrs) {
  const auto known = std::ranges::find(attrs, "mhlo.memory_kind", &AttrText::name);
  return known == attrs.end() ? std::string() : plain_text(known->raw);
}

// Names that the text gives several arguments tell none from another: the next best names take their places.
// A name that a caller gives and the text too is an error (ArgumentNames::check).
void drop_repeated_names(Reader &r, Signature &signature) {
  std::vector<std::string> &names = signature.names;
  struct Same {
    uint32_t first, count;
  };
  std::vector<Same> all;
  std::vector<uint32_t> which(names.size(), graph::kNone); // of `all`; none where the caller gives the name
  graph::IdTable table;
  for (uint32_t i = 0; i < names.size(); ++i) {
    if (!r.c.names.of(i).empty())
      continue;
    which[i] = table.find_or_add(
        hash_bytes(names[i].data(), names[i].size()),
        [&](uint32_t id) { return names[all[id].first] == names[i]; },
        [&] {
          all.push_back({i, 0});
          return static_cast<uint32_t>(all.size() - 1);
        });
    ++all[which[i]].count;
  }
  for (uint32_t i = 0; i < names.size(); ++i) {
    if (which[i] == graph::kNone || all[which[i]].count == 1)
      continue;
    Argument &argument = signature.arguments[i];
    r.c.notes.add(Note::Kind::ignored,
                  fmt::format("the name '{}' of {} arguments, which are called by their places", names[i],
                              all[which[i]].count),
                  argument.at);
    argument.loc.name = graph::kNone;
    std::erase_if(argument.attrs, [](const AttrText &attr) {
      return std::ranges::find(kNameAttrs, attr.name) != std::end(kNameAttrs);
    });
    names[i] = argument_name(r, i, argument);
  }
}

void drop_repeated_names(Context &c, std::vector<std::vector<AttrText>> &results, const char *at) {
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

} // namespace

bool add_entry_argument(Reader &r, uint32_t index, const Argument &argument, const Signature &signature) {
  int32_t alias = -1;
  for (const AttrText &attr : argument.attrs) {
    int64_t value = 0;
    if (attr.name == "tf.aliasing_output") {
      if (!r.c.attributes.read_int(attr.raw, value))
        return false;
      if (value < 0 || value >= INT32_MAX)
        return r.s.fail("TW-106", attr.raw.data(),
                        fmt::format("tf.aliasing_output names no result: {}", value));
      alias = is_kept(r, argument, signature, value) ? -1 : static_cast<int32_t>(value);
    } else if (attr.name == "jax.buffer_donor" && alias == -1) {
      alias = attr.raw == "false" ? -1 : -2;
    }
  }
  const graph::LocId loc = r.c.builder.location({argument.line, argument.column, argument.loc.file});
  graph::TensorType type = r.c.builder.graph().type_at(grid_argument_type(r, argument.type));
  std::vector<MeshAxes> tiled;
  if (r.c.findings.partitions() > 0 && !read_whole_argument(r, argument, type, tiled))
    return false;
  const graph::OpId id = ops::add_argument(
      r.c.builder, type, signature.names.empty() ? argument_name(r, index, argument) : signature.names[index],
      loc, alias, memory_kind(argument.attrs));
  graph::ValueId value = r.c.builder.graph().result(id);
  note_untyped(r, argument, value);
  r.name_value(value, spelled_name(index, argument), 0, 1);
  if (r.c.findings.partitions() > 0 && !enter_argument(r, argument, tiled, value))
    return false;
  if (!r.define(argument, {&value, 1}) ||
      !declare_grid_argument(r, value, argument.type, argument.line, argument.column))
    return false;
  for (const AttrText &attr : argument.attrs) {
    if (attr.name == "partir.nest")
      r.loops.program.arguments.push_back(
          {index, std::string(attr.raw), {r.s.file(), argument.line, argument.column}});
    if (!take_sharding(r, attr, Annotation::At::argument, index, type,
                       {r.s.file(), argument.line, argument.column}))
      return false;
  }
  return true;
}

bool add_entry_result(Reader &r, uint32_t index, graph::ValueId value, const std::vector<AttrText> &attrs) {
  if (!spread_grid_result(r, value, r.yields_at[index]) ||
      (r.c.findings.partitions() > 0 && !leave_result(r, index, attrs, value)))
    return false;
  std::string name;
  for (const AttrText &attr : attrs)
    if (attr.name == "jax.result_info")
      name = shown(plain_text(attr.raw));
  const SourcePos pos = {r.s.file(), r.s.cursor().line, r.s.cursor().column()};
  ops::add_result(r.c.builder, value, name, r.c.builder.location({pos.line, pos.column, graph::kNone}),
                  memory_kind(attrs));
  annotate_grid_result(r, index, value);
  for (const AttrText &attr : attrs) {
    if (attr.name == "partir.nest")
      r.loops.program.results.push_back({index, std::string(attr.raw), pos});
    if (attr.name == "partir.layout")
      r.loops.program.layouts.push_back({index, plain_text(attr.raw), pos});
    if (!take_sharding(r, attr, Annotation::At::result, index, r.c.builder.type_of(value), pos))
      return false;
  }
  return true;
}

// A tuple among the results is as many results as it has elements.
bool read_signature(Reader &r, const Function &f, Signature &signature) {
  if (!(f.region != Function::kNoRegion ? read_record_signature(r, f, signature)
        : f.generic                     ? read_generic_signature(r, f, signature)
                                        : read_pretty_signature(r, f, signature)))
    return false;
  for (Argument &argument : signature.arguments)
    if (!unfold_carried(r.s, argument.attrs))
      return false;
  for (std::vector<AttrText> &attrs : signature.result_attrs)
    if (!unfold_carried(r.s, attrs))
      return false;
  if (std::ranges::none_of(signature.results, TypeParser::is_tuple))
    return true;
  std::vector<std::vector<AttrText>> attrs;
  for (size_t i = 0; i < signature.results.size(); ++i) {
    if (!TypeParser::is_tuple(signature.results[i]))
      attrs.push_back(std::move(signature.result_attrs[i]));
    else
      attrs.resize(attrs.size() + r.c.types.flat(std::span(signature.results).subspan(i, 1)).size());
  }
  signature.results = r.c.types.flat(signature.results);
  signature.result_attrs = std::move(attrs);
  return true;
}

// The cursor is where read_signature left it; arguments are bound.
bool read_function_body(Reader &r, const Function &f, const Signature &signature) {
  if (f.region != Function::kNoRegion) {
    if (!r.read_block())
      return false;
    r.c.records->leave();
  } else if (!f.generic) { // a generic function's block header was read with its signature
    r.s.seek(f.body);
    if (!r.s.expect('{', "before a function's body"))
      return false;
  }
  if (f.region == Function::kNoRegion && !r.read_block())
    return false;
  if (signature.unstated && r.untyped_return)
    return true;
  bool fits = r.yields.size() == signature.results.size();
  for (size_t i = 0; fits && i < r.yields.size(); ++i)
    if (const graph::TypeId type = r.c.local.type(r.yields[i]); type != signature.results[i])
      return r.s.fail("TW-110", r.yields_at[i],
                      fmt::format("@{} returns {} as result {}, but its signature says {}", f.name,
                                  graph::to_text(r.c.builder.graph().type_at(type)), i,
                                  graph::to_text(r.c.builder.graph().type_at(signature.results[i]))));
  return fits || r.s.fail("TW-110", r.s.here(),
                          fmt::format("@{} returns {} values, but its signature says {}", f.name,
                                      r.yields.size(), signature.results.size()));
}

bool read_entry(Reader &r, uint32_t function) {
  const Function &f = r.c.index.functions[function];
  r.module = f.module;
  r.calls = {function};
  Scope scope = r.make_scope(f);
  r.scope = &scope;
  if (f.page)
    return read_page(r, f) && resolve_bonds(r, f);
  Signature signature;
  if (!read_loop_attributes(r, f) || !begin_grid_code(r, f, function) || !begin_partition(r) ||
      !read_signature(r, f, signature))
    return false;
  r.stated_results = signature.results;
  signature.names.reserve(signature.arguments.size());
  for (uint32_t i = 0; i < signature.arguments.size(); ++i)
    signature.names.push_back(argument_name(r, i, signature.arguments[i]));
  drop_repeated_names(r, signature);
  r.c.annotations.all.reserve(signature.arguments.size() + signature.results.size());
  for (uint32_t i = 0; i < signature.arguments.size(); ++i)
    if (!add_entry_argument(r, i, signature.arguments[i], signature))
      return false;
  if (!read_function_body(r, f, signature) || !all_typed(r) || !resolve_bonds(r, f) || !end_grid_code(r))
    return false;
  signature.result_attrs.resize(r.yields.size());
  drop_repeated_names(r.c, signature.result_attrs, f.signature.at);
  for (uint32_t i = 0; i < r.yields.size(); ++i)
    if (!add_entry_result(r, i, r.yields[i], signature.result_attrs[i]))
      return false;
  if (const auto fault = graph::find_donation_fault(r.c.builder.graph()))
    return r.s.fail("TW-106", signature.arguments[fault->argument].at,
                    fmt::format("tf.aliasing_output: {}", fault->text));
  return true;
}

} // namespace tw::import
