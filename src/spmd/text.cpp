// SPDX-License-Identifier: Apache-2.0
// The program as text, one line an instruction:
//   %3 = stablehlo.dot_general %1, %2 : f32[8,16] [{data}, {}] +model local [4,16]
//   %3/1 = all_reduce %3 : f32[8,16] [{data}, {}] local [4,16] // over model, sum, 384 bytes
// The regions of a while, if or case stand between braces, each behind a line with its arguments:
//   stablehlo.while %0, %1 {
//   cond (%2.0.%i, %2.0.%x) : i32[] [] local []; f32[8] [{data}] local [4]
//     %2.0.%3 = stablehlo.compare %2.0.%i, %c : i1[] [] local []
//     yield %2.0.%3
//   do (%2.1.%i, %2.1.%x) : ..
//     ..
//   } -> %2#0, %2#1 : ..
// Loops over serial and threads axes:
//   serial micro of 4 {
//     %3/1 = accumulate %3 : f32[16] [{}] local [16] // over micro, sum
//   }
// A value carries the name of the graph's value; /1, /2, .. are further layouts of it.
#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/registry.hpp"
#include "sharding/axis_names.hpp"
#include "sharding/spans_text.hpp"
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
  std::string names(ValueRef first, uint32_t count) const {
    return fmt::format("{}", fmt::join(names_.begin() + first, names_.begin() + first + count, ", "));
  }
  std::string types(ValueRef first, uint32_t count) {
    std::string text;
    for (uint32_t i = 0; i < count; ++i)
      text += (i == 0 ? " : " : "; ") + type_text(first + i);
    return text;
  }
  void indent() { text_.append(2 + 2 * depth_, ' '); }

  static std::string region_name(ops::OpKind op, uint32_t region) {
    if (op == ops::OpKind::loop)
      return region == 0 ? "cond" : "do";
    if (op == ops::OpKind::conditional)
      return region == 0 ? "then" : "else";
    return fmt::format("case {}", region);
  }

  void print_marker(const Instr &instr) {
    const ops::OpDef &op = ops::op_def(graph_.op(instr.op).code);
    const auto operands = program_.operands(instr);
    std::string read;
    for (const ValueRef v : operands)
      read += (read.empty() ? " " : ", ") + names_[v];
    indent();
    text_ += instr.index == 0 ? fmt::format("{}{} {{\n", op.name, read) : fmt::format("yield{}\n", read);
    depth_ -= instr.index != 0;
    indent();
    if (instr.index == graph_.op(instr.op).num_regions) {
      text_ += instr.num_results == 0
                   ? "}"
                   : fmt::format("}} -> {}{}", names(instr.first_result, instr.num_results),
                                 types(instr.first_result, instr.num_results));
    } else {
      text_ += fmt::format("{} ({}){}", region_name(op.kind, instr.index),
                           names(instr.first_result, instr.num_results),
                           types(instr.first_result, instr.num_results));
      ++depth_;
    }
    text_ += '\n';
  }

  void print_loop(const Instr &instr) {
    const sharding::Axis &axis = program_.mesh().axis(static_cast<sharding::AxisId>(instr.index));
    depth_ -= instr.kind == InstrKind::end_loop;
    indent();
    text_ += instr.kind == InstrKind::end_loop
                 ? "}\n"
                 : fmt::format("{} {} of {} {{\n", name(axis.kind), axis.name, axis.size);
    depth_ += instr.kind == InstrKind::loop;
  }

  void print(const Instr &instr) {
    if (instr.kind == InstrKind::region)
      return print_marker(instr);
    if (instr.kind == InstrKind::loop || instr.kind == InstrKind::end_loop)
      return print_loop(instr);
    indent();
    if (instr.num_results != 0)
      text_ += names(instr.first_result, instr.num_results) + " = ";
    switch (instr.kind) {
    case InstrKind::argument:
      text_ += fmt::format("argument {} \"{}\"", instr.index, graph_.argument_name(instr.index));
      break;
    case InstrKind::result:
      text_ += fmt::format("result {} \"{}\"", instr.index, graph_.result_name(instr.index));
      break;
    case InstrKind::compute: text_ += ops::op_def(graph_.op(instr.op).code).name; break;
    case InstrKind::collective: text_ += collective_name(program_.collectives()[instr.index]); break;
    case InstrKind::accumulate: text_ += "accumulate"; break;
    case InstrKind::region:
    case InstrKind::loop:
    case InstrKind::end_loop: break;
    }
    const auto operands = program_.operands(instr);
    for (size_t i = 0; i < operands.size(); ++i)
      text_ += (i == 0 ? " " : ", ") + names_[operands[i]];
    text_ += types(instr.first_result, instr.num_results);
    if (instr.kind == InstrKind::collective)
      text_ += collective_note(program_.collectives()[instr.index]);
    if (instr.kind == InstrKind::accumulate)
      text_ += accumulation_note(instr);
    text_ += '\n';
  }

  std::string accumulation_note(const Instr &instr) const {
    std::vector<std::string> axes;
    for (const sharding::AxisId axis :
         program_.loop_axes(program_.operands(instr)[0]) - program_.loop_axes(instr.first_result))
      axes.push_back(program_.mesh().axis(axis).name);
    const sharding::Reduction reduction = program_.reduction_of(instr);
    return fmt::format(" // over {}, {}", fmt::join(axes, ","),
                       reduction == sharding::Reduction::raw ? "tiles" : sharding::name(reduction));
  }

  static std::string_view collective_name(const Collective &c) {
    return c.summary.kind == redistribute::Kind::copy ? "slice" : redistribute::name(c.summary.kind);
  }

  std::string collective_note(const Collective &c) const {
    const redistribute::Summary &s = c.summary;
    if (s.kind == redistribute::Kind::copy)
      return "";
    std::string note =
        fmt::format(" // over {}", fmt::join(sharding::axis_names(s.axes, program_.mesh()), ","));
    if (s.reduction != sharding::Reduction::raw)
      note += fmt::format(", {}", sharding::name(s.reduction));
    note += fmt::format(", {} bytes", s.bytes_received_max);
    if (const redistribute::Move &move = *c.moves[0]; !move.is_straight())
      note += fmt::format(", by {} in {} steps", redistribute::name(move.plan().method),
                          move.plan().steps.size());
    return note;
  }

  // "f32[8,16] [{data}, {}] local [4,16]", remembered for each type and layout.
  const std::string &type_text(ValueRef v) {
    const Value &value = program_.values()[v];
    const auto [at, fresh] = types_.try_emplace({graph_.value(value.origin).type, value.sharding});
    if (fresh)
      at->second = fmt::format(
          "{} {} local {}", graph::to_short_text(program_.type(v)),
          sharding::to_text(program_.sharding(value.sharding), program_.type(v).dims, program_.mesh()),
          local_text(v));
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
  size_t depth_ = 0; // of regions
  std::string text_;
};

} // namespace

std::string to_text(const Program &program) { return Printer(program).text(); }

} // namespace tw::spmd
