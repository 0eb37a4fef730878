// SPDX-License-Identifier: Apache-2.0
// MLIR's shard dialect: grids of devices, shardings over them, and the code of one device with its
// collectives. shard/ has what its ops become.
#include "import/dialects/shard/ops.hpp"

#include <charconv>

#include <fmt/format.h>

#include "import/index.hpp"

namespace tw::import::shard_dialect {

namespace {

using namespace shard;

// (shape = 4x?x2), or array<i64: 4, -9223372036854775808, 2>. Axes are called by their numbers; settle_grids
// gives them the names that plans use.
bool parse_shape(Scanner &s, annotation::MeshDecl &grid) {
  const char *at = s.here();
  std::string_view text;
  const bool pretty = *at == '(';
  if (!s.skip_term(text))
    return false;
  const size_t begin = text.find(pretty ? '=' : ':');
  std::string_view list = begin == std::string_view::npos ? std::string_view() : text.substr(begin + 1);
  if (!list.empty())
    list.remove_suffix(1);
  const std::string_view separators = pretty ? " \t\r\nx" : " \t\r\n,";
  while (true) {
    list.remove_prefix(std::min(list.find_first_not_of(separators), list.size()));
    if (list.empty())
      break;
    int64_t size = kOpenSize;
    if (list.front() == '?') {
      list.remove_prefix(1);
    } else {
      const auto [stop, error] = std::from_chars(list.data(), list.data() + list.size(), size);
      if (error != std::errc() || (size < 1 && (pretty || size != kOperand)))
        return s.fail("TW-115", list.data(),
                      fmt::format("the shape of a grid is sizes such as 2x4, 1 or larger, or ? for one that "
                                  "the mesh gives; '{}' is none",
                                  list.substr(0, list.find_first_of(separators))));
      size = size == kOperand ? kOpenSize : size;
      list.remove_prefix(static_cast<size_t>(stop - list.data()));
    }
    grid.axes.emplace_back(fmt::format("{}", grid.axes.size()), size);
  }
  return !grid.axes.empty() || s.fail("TW-115", at, "a grid has at least one axis");
}

// @grid0(shape = 2x4) {attributes}
bool read_pretty_grid(ModuleIndex &index) {
  Scanner &s = index.scanner();
  std::string_view name, shape, attributes;
  if (!s.symbol(name))
    return false;
  if (s.peek() != '(')
    return s.fail_here("'(shape = '", "after the name of a grid");
  index.grids.push_back({name, s.cursor(), parse_shape});
  return s.skip_term(shape) && (s.peek() != '{' || s.skip_term(attributes)) && index.skip_location();
}

// "shard.grid"() <{shape = array<i64: 2, 4>, sym_name = "grid0"}> : () -> ()
bool read_generic_grid(ModuleIndex &index) {
  Scanner &s = index.scanner();
  std::vector<AttrText> attrs;
  const char *at = s.here();
  if (!s.expect('(', "after \"shard.grid\"") || !s.expect(')', "after \"shard.grid\"("))
    return false;
  if (s.accept('<') && !(parse_dict(s, attrs) && s.expect('>', "after properties")))
    return false;
  if (s.peek() == '{' && !parse_dict(s, attrs))
    return false;
  std::string_view name, shape;
  for (const AttrText &attr : attrs) {
    if (attr.name == "sym_name")
      name = unquoted(attr.raw);
    else if (attr.name == "shape")
      shape = attr.raw;
  }
  if (name.empty() || shape.empty())
    return s.fail("TW-106", at, "\"shard.grid\" needs the attributes sym_name and shape");
  Cursor cursor = s.cursor();
  cursor.at = shape.data();
  index.grids.push_back({name, cursor, parse_shape});
  std::string_view types, results;
  return s.expect(':', "before the type of \"shard.grid\"") && s.skip_term(types) &&
         s.expect("->", "in a function type") && s.skip_term(results) && index.skip_location();
}

bool read_grid(ModuleIndex &index, bool generic) {
  return generic ? read_generic_grid(index) : read_pretty_grid(index);
}

constexpr Syntax kSyntax[] = {
    {"shard.all_gather", form_op, lower_all_gather, true},
    {"shard.all_reduce", form_op, lower_reduction, true},
    {"shard.all_slice", form_op, lower_all_slice, true},
    {"shard.all_to_all", form_op, lower_all_to_all, true},
    {"shard.broadcast", form_op, lower_broadcast, true},
    {"shard.gather", form_op, lower_gather, true},
    {"shard.get_sharding", form_op, lower_get_sharding, true},
    {"shard.grid_shape", form_op, lower_grid_shape, true},
    {"shard.neighbors_linear_indices", form_op, lower_neighbors, true},
    {"shard.process_linear_index", form_op, lower_process_linear_index, true},
    {"shard.process_multi_index", form_op, lower_process_multi_index, true},
    {"shard.recv", form_op, lower_recv, true},
    {"shard.reduce", form_op, lower_reduction, true},
    {"shard.reduce_scatter", form_op, lower_reduction, true},
    {"shard.scatter", form_op, lower_scatter, true},
    {"shard.send", form_op, lower_send, true},
    {"shard.shard", form_op, lower_shard, true},
    {"shard.shard_shape", form_op, lower_shard_shape, true},
    {"shard.sharding", form_op, lower_sharding, true},
    {"shard.shift", form_op, lower_shift, true},
    {"shard.update_halo", form_op, lower_update_halo, true},
};

constexpr Definition kDefinitions[] = {{"shard.grid", read_grid}};

} // namespace

Dialect dialect() { return {.syntax = kSyntax, .definitions = kDefinitions}; }

} // namespace tw::import::shard_dialect
