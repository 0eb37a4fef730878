// SPDX-License-Identifier: Apache-2.0
// MLIR's printer numbers the values of a region before those of regions in it, which go on where their parent
// ended. Constants and what loops carry have names, to which a number is added where they are taken.
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "import/bytecode/program.hpp"

namespace tw::import::bytecode {

namespace {

struct Counters {
  uint32_t value = 0, argument = 0, conflict = 0;
  // Whether %c, %cst, %iterArg, %values and %indices are taken.
  bool integer = false, other = false, carried = false, values = false, indices = false;
};

struct Work {
  uint32_t region;
  Counters counters;
  bool loop;
};

} // namespace

// A short name with a number behind it.
std::string_view ValueNames::keep(std::string_view before, uint32_t number) {
  constexpr size_t kChunk = 1 << 16;
  const fmt::format_int digits(number);
  const size_t size = before.size() + digits.size();
  if (texts_.empty() || texts_.back().capacity() - texts_.back().size() < size)
    texts_.emplace_back().reserve(kChunk);
  std::string &chunk = texts_.back();
  chunk.append(before).append(digits.data(), digits.size());
  return std::string_view(chunk).substr(chunk.size() - size);
}

// `name` itself where it is free.
std::string_view ValueNames::unique(std::string_view name, bool &taken, uint32_t &conflict) {
  return std::exchange(taken, true) ? keep(fmt::format("{}_", name), conflict++) : name;
}

void ValueNames::name_all(Program &program) {
  std::vector<std::optional<bool>> integers(program.artifact().types.size()); // by type
  const auto is_integer = [&](uint32_t type) {
    if (integers[type])
      return *integers[type];
    const std::string_view name = program.values().type(type);
    const size_t element = name.find_last_of("x<");
    const std::string_view rest = name.substr(element == std::string_view::npos ? 0 : element + 1);
    integers[type] = rest.starts_with('i') || rest.starts_with("ui") || rest.starts_with("si");
    return *integers[type];
  };
  std::vector<Work> work{{0, {}, false}};
  std::vector<uint32_t> with_regions; // ops of the region at hand
  while (!work.empty()) {
    auto [id, counters, loop] = work.back();
    work.pop_back();
    const RegionRecord &region = program.regions[id];
    for (uint32_t i = 0; i < region.num_arguments; ++i) {
      ValueRecord &value = program.all_values[program.arguments[region.first_argument + i].value];
      value.name =
          loop ? unique("iterArg", counters.carried, counters.conflict) : keep("arg", counters.argument++);
    }
    for (uint32_t i = region.first_op; i < region.end; i = program.ops[i].next) {
      const OpRecord &op = program.ops[i];
      if (op.num_regions != 0)
        with_regions.push_back(i);
      if (op.num_results == 0)
        continue;
      ValueRecord &value = program.all_values[op.first_result];
      if (program.name(op).top_k && op.num_results == 2) {
        ValueRecord &indices = program.all_values[op.first_result + 1];
        value.name = unique("values", counters.values, counters.conflict);
        indices.name = unique("indices", counters.indices, counters.conflict);
        indices.first = op.first_result + 1;
        continue;
      }
      if (!program.name(op).constant)
        value.name = keep("", counters.value++);
      else if (is_integer(value.type))
        value.name = unique("c", counters.integer, counters.conflict);
      else
        value.name = unique("cst", counters.other, counters.conflict);
    }
    for (const uint32_t i : std::exchange(with_regions, {})) {
      const OpRecord &op = program.ops[i];
      for (uint32_t inner = 0; inner < op.num_regions; ++inner)
        work.push_back({op.first_region + inner, counters, program.name(op).loop});
    }
  }
}

} // namespace tw::import::bytecode
