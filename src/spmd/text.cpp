// SPDX-License-Identifier: Apache-2.0
// The program as text, one line an instruction:
//   %3 = stablehlo.dot_general %1, %2 : f32[8,16] [{data}, {}] +model local [4,16]
//   %3/1 = all_reduce %3 : f32[8,16] [{data}, {}] local [4,16] // over model, sum, 384 bytes
// A value carries the name of the graph's value; /1, /2, .. are further layouts of it.
#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/registry.hpp"
#include "spmd/program.hpp"

namespace tw::spmd {

namespace {

class Printer {
public:
  explicit Printer(const Program &program) : program_(program), graph_(program.graph()) {
    std::unordered_map<graph::ValueId, uint32_t> layouts;
    for (const Value &value : program.values()) {
      const uint32_t n = layouts[value.origin]++;
      names_.push_back(n == 0 ? graph_.value_name(value.origin)
                              : fmt::format("{}/{}", graph_.value_name(value.origin), n));
    }
  }

  std::string text() {
    text_ = fmt::format("spmd @{} over {} ({} devices) {{\n", graph_.module_name(), program_.mesh().text(),
                        program_.mesh().num_devices());
    for (const Instr &instr : program_.instrs())
      print(instr);
    return text_ + "}\n";
  }

private:
  void print(const Instr &instr) {
    text_ += "  ";
    for (uint32_t i = 0; i < instr.num_results; ++i)
      text_ += (i == 0 ? "" : ", ") + names_[instr.first_result + i];
    if (instr.num_results != 0)
      text_ += " = ";
    switch (instr.kind) {
    case InstrKind::argument:
      text_ += fmt::format("argument {} \"{}\"", instr.index, graph_.argument_name(instr.index));
      break;
    case InstrKind::result:
      text_ += fmt::format("result {} \"{}\"", instr.index, graph_.result_name(instr.index));
      break;
    case InstrKind::compute: text_ += ops::op_def(graph_.op(instr.op).code).name; break;
    case InstrKind::collective: text_ += collective_name(program_.collectives()[instr.index]); break;
    }
    const auto operands = program_.operands(instr);
    for (size_t i = 0; i < operands.size(); ++i)
      text_ += (i == 0 ? " " : ", ") + names_[operands[i]];
    if (instr.num_results != 0)
      text_ += " : ";
    for (uint32_t i = 0; i < instr.num_results; ++i)
      text_ += (i == 0 ? "" : "; ") + type_text(instr.first_result + i);
    if (instr.kind == InstrKind::collective)
      text_ += collective_note(program_.collectives()[instr.index]);
    text_ += '\n';
  }

  static std::string_view collective_name(const Collective &c) {
    return c.summary.kind == redistribute::Kind::copy ? "slice" : redistribute::name(c.summary.kind);
  }

  std::string collective_note(const Collective &c) const {
    const redistribute::Summary &s = c.summary;
    if (s.kind == redistribute::Kind::copy)
      return "";
    std::vector<std::string> axes;
    for (const sharding::AxisId axis : s.axes)
      axes.push_back(program_.mesh().axis(axis).name);
    std::string note = fmt::format(" // over {}", fmt::join(axes, ","));
    if (s.reduction != sharding::Reduction::raw)
      note += fmt::format(", {}", sharding::name(s.reduction));
    return note + fmt::format(", {} bytes", s.bytes_received_max);
  }

  // "f32[8,16] [{data}, {}] local [4,16]", remembered for each type and layout.
  const std::string &type_text(ValueRef v) {
    const Value &value = program_.values()[v];
    const auto [at, fresh] = types_.try_emplace({graph_.value(value.origin).type, value.sharding});
    if (fresh)
      at->second =
          fmt::format("{} {} local {}", graph::to_short_text(program_.type(v)),
                      sharding::to_text(program_.sharding(value.sharding), program_.mesh()), local_text(v));
    return at->second;
  }

  // "[16..17,64]": the smallest and the largest tile of each dimension.
  std::string local_text(ValueRef v) const {
    const sharding::Sharding &s = program_.sharding(program_.values()[v].sharding);
    const auto &shape = program_.type(v).dims;
    std::vector<std::string> sizes;
    for (size_t d = 0; d < shape.size(); ++d) {
      const int64_t tiles = num_tiles(s.dims[d], program_.mesh());
      int64_t smallest = shape[d], largest = 0;
      for (int64_t t = 0; t < tiles; ++t) {
        const int64_t size = tile(s.dims[d].rule, shape[d], tiles, t).size();
        smallest = std::min(smallest, size);
        largest = std::max(largest, size);
      }
      sizes.push_back(smallest == largest ? fmt::format("{}", largest)
                                          : fmt::format("{}..{}", smallest, largest));
    }
    return fmt::format("[{}]", fmt::join(sizes, ","));
  }

  const Program &program_;
  const graph::Graph &graph_;
  std::vector<std::string> names_;
  std::map<std::pair<graph::TypeId, ShardingId>, std::string> types_;
  std::string text_;
};

} // namespace

std::string to_text(const Program &program) { return Printer(program).text(); }

} // namespace tw::spmd
