// SPDX-License-Identifier: Apache-2.0
// The listings of the paper on redistribution: `mesh {"devices": 32}`, then `fn main(x : [8{"devices"}256,
// 8]) -> [..] { .. }`. Elements are f32, of which the paper does not speak.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/page.hpp"
#include "import/signature.hpp"

namespace tw::import {

namespace {

bool read_mesh(Reader &r) {
  auto &axes = r.loops.program.axes;
  if (!r.s.expect('{', "before the axes of a mesh"))
    return false;
  while (r.s.peek() != '}') {
    const char *at = r.s.here();
    std::string_view text;
    int64_t size = 0;
    if (!r.s.string(text) || !r.s.expect(':', "after the name of an axis") || !r.s.integer(size))
      return false;
    const std::string name = unescape_name(text);
    for (const sharding::Axis &axis : axes)
      if (axis.name == name)
        return r.s.fail("TW-421", at, fmt::format("the axis \"{}\" is given twice", name));
    if (name.empty() || name.starts_with("range<") || size < 1 || size > sharding::kMaxDevices)
      return r.s.fail("TW-422", at,
                      fmt::format("there is no axis \"{}\" of {} places: expected 1 to {}", name, size,
                                  sharding::kMaxDevices));
    if (axes.size() == sharding::kMaxAxes)
      return r.s.fail("TW-422", at, fmt::format("the mesh has more than {} axes", sharding::kMaxAxes));
    axes.push_back({name, size, name, 1});
    if (!r.s.accept(','))
      break;
  }
  return r.s.expect('}', "after the axes of a mesh");
}

// [tile 0 "devices"]
std::string nest_text(const DistType &type) {
  std::vector<std::string> items;
  for (size_t d = 0; d < type.dims.size(); ++d)
    for (const uint32_t axis : type.cuts[d])
      items.push_back(fmt::format("tile {} \"{}\"", d, type.axes[axis].name));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

// [{devices}, {}]
std::string sharding_text(const DistType &type) {
  std::vector<std::string> dims;
  for (const auto &cuts : type.cuts) {
    std::vector<std::string> names;
    for (const uint32_t axis : cuts)
      names.push_back(type.axes[axis].name);
    dims.push_back(fmt::format("{{{}}}", fmt::join(names, ",")));
  }
  return fmt::format("[{}]", fmt::join(dims, ", "));
}

bool read_arguments(Reader &r) {
  if (!r.s.expect('(', "before the arguments of a function"))
    return false;
  for (uint32_t i = 0; r.s.peek() != ')'; ++i) {
    Argument argument{};
    argument.at = r.s.here();
    argument.line = r.s.cursor().line;
    argument.column = r.s.cursor().column();
    DistType type;
    if (!r.read_name(argument.name) || !r.s.expect(':', "after the name of an argument") ||
        !read_dist_type(r, type))
      return false;
    const graph::TensorType whole{graph::DType::f32, type.dims};
    if (const Status status = graph::check_size(whole); !status)
      return r.s.fail("TW-102", argument.at, status.error().message());
    argument.type = r.c.builder.type(whole);
    if (!add_entry_argument(r, i, argument, {}))
      return false;
    r.loops.program.arguments.push_back({i, nest_text(type), {r.s.file(), argument.line, argument.column}});
    r.loops.distributed[argument.at] = std::move(type);
    if (!r.s.accept(','))
      break;
  }
  return r.s.expect(')', "after the arguments of a function");
}

bool read_results(Reader &r, std::vector<DistType> &results) {
  if (!r.s.expect("->", "before the types of results"))
    return false;
  const bool several = r.s.accept('(');
  do {
    if (!read_dist_type(r, results.emplace_back()))
      return false;
  } while (several && r.s.accept(','));
  return !several || r.s.expect(')', "after the types of results");
}

} // namespace

bool read_listing(Reader &r) {
  std::vector<DistType> results;
  if (r.s.accept("mesh") && !read_mesh(r))
    return false;
  if (!r.s.expect("fn", "before a function") || r.s.word().empty())
    return r.s.fail_here("the name of a function", {});
  if (!read_arguments(r) || !read_results(r, results) || !r.s.expect('{', "before the body of a function") ||
      !r.read_block() || !r.s.expect('}', "after the body of a function"))
    return false;
  if (!r.s.at_end())
    return r.s.fail_here("the end of the text", "after the function of a listing");
  if (r.yields.size() != results.size())
    return r.s.fail("TW-110", r.s.here(),
                    fmt::format("the function returns {} values, its signature says {}", r.yields.size(),
                                results.size()));
  for (uint32_t i = 0; i < results.size(); ++i) {
    const auto returned = r.loops.distributed.find(r.yields_def[i]);
    if (returned == r.loops.distributed.end() || returned->second.dims != results[i].dims ||
        sharding_text(returned->second) != sharding_text(results[i]))
      return r.s.fail("TW-425", r.yields_at[i],
                      "what is returned is of another type than the signature says: redistribute it");
    if (!add_entry_result(r, i, r.yields[i], {}))
      return false;
    r.loops.program.layouts.push_back({i, sharding_text(results[i]), r.s.position(r.yields_at[i])});
  }
  return true;
}

} // namespace tw::import
