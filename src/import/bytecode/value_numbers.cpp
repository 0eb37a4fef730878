// SPDX-License-Identifier: Apache-2.0
// MLIR's printer numbers the values of a region before those of regions in it, which go on where their parent
// ended. Constants and what loops carry have names, to which a number is added where they are taken.
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

std::string_view ValueNames::keep(std::string_view text) {
  constexpr size_t kChunk = 1 << 16;
  if (texts_.empty() || texts_.back().capacity() - texts_.back().size() < text.size())
    texts_.emplace_back().reserve(std::max(kChunk, text.size()));
  std::string &chunk = texts_.back();
  const size_t at = chunk.size();
  chunk += text;
  return {chunk.data() + at, text.size()};
}

void ValueNames::name_all(Program &program) {
  fmt::memory_buffer text;
  const auto number = [&](std::string_view before, uint32_t index) {
    text.clear();
    fmt::format_to(std::back_inserter(text), "{}{}", before, index);
    return keep({text.data(), text.size()});
  };
  const auto unique = [&](std::string_view name, bool &taken, uint32_t &conflict) {
    if (!std::exchange(taken, true))
      return keep(name);
    text.clear();
    fmt::format_to(std::back_inserter(text), "{}_{}", name, conflict++);
    return keep({text.data(), text.size()});
  };
  const auto is_integer = [&](uint32_t type) {
    const std::string_view name = program.values().type(type);
    const size_t element = name.find_last_of("x<");
    const std::string_view rest = name.substr(element == std::string_view::npos ? 0 : element + 1);
    return rest.starts_with('i') || rest.starts_with("ui") || rest.starts_with("si");
  };
  std::vector<Work> work{{0, {}, false}};
  while (!work.empty()) {
    auto [id, counters, loop] = work.back();
    work.pop_back();
    const RegionRecord &region = program.regions[id];
    for (uint32_t i = 0; i < region.num_arguments; ++i) {
      ValueRecord &value = program.all_values[program.arguments[region.first_argument + i].value];
      value.name =
          loop ? unique("iterArg", counters.carried, counters.conflict) : number("arg", counters.argument++);
    }
    for (uint32_t i = region.first_op; i < region.end; i = program.ops[i].next) {
      const OpRecord &op = program.ops[i];
      if (op.num_results == 0)
        continue;
      ValueRecord &value = program.all_values[op.first_result];
      if (program.name(op).name == "chlo.top_k" && op.num_results == 2) {
        ValueRecord &indices = program.all_values[op.first_result + 1];
        value.name = unique("values", counters.values, counters.conflict);
        indices.name = unique("indices", counters.indices, counters.conflict);
        indices.first = op.first_result + 1;
        continue;
      }
      if (program.name(op).name != "stablehlo.constant")
        value.name = number("", counters.value++);
      else if (is_integer(value.type))
        value.name = unique("c", counters.integer, counters.conflict);
      else
        value.name = unique("cst", counters.other, counters.conflict);
    }
    for (uint32_t i = region.first_op; i < region.end; i = program.ops[i].next) {
      const OpRecord &op = program.ops[i];
      for (uint32_t inner = 0; inner < op.num_regions; ++inner)
        work.push_back({op.first_region + inner, counters, program.name(op).name == "stablehlo.while"});
    }
  }
}

} // namespace tw::import::bytecode
