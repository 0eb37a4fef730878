// SPDX-License-Identifier: Apache-2.0
// The instructions in order; regions are put together from their markers.
#include "emit/stablehlo/per_device.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/stablehlo/device_text.hpp"
#include "emit/stablehlo/exchange.hpp"
#include "emit/stablehlo/local_op.hpp"
#include "loops/spelling.hpp"
#include "ops/halo.hpp"
#include "ops/registry.hpp"

namespace tw::emit::stablehlo {

using graph::TensorType;
using sharding::Reduction;
using sharding::Sharding;
using spmd::Instr;
using spmd::InstrKind;
using spmd::Program;
using spmd::ValueRef;

namespace {

class Printer {
public:
  Printer(const Program &program, const Collectives &collectives)
      : program_(program), graph_(program.graph()), mesh_(program.mesh()), rules_(program.rules()),
        text_(graph_, collectives), locals_(program.values().size()) {}

  std::string print() {
    for (ValueRef v = 0; v < program_.values().size(); ++v) {
      const Sharding &s = program_.sharding(program_.values()[v].sharding);
      shardings_.push_back(even_windows(s, program_.type(v), mesh_));
      // Results that a region folds are made whole at once.
      std::erase_if(shardings_[v].partial,
                    [](const sharding::Partial &partial) { return partial.kind == Reduction::region; });
    }
    arguments_.resize(graph_.arguments().size());
    results_.resize(graph_.results().size());
    returned_.resize(graph_.results().size());
    for (const Instr &instr : program_.instrs())
      write(instr);
    text_.end("func.return", returned_);
    return module_text();
  }

private:
  Local tile(ValueRef v) {
    return text_.fresh({program_.type(v).dtype, tiles_of(shardings_[v], program_.type(v), mesh_).extent});
  }
  std::vector<Local> operands(const Instr &instr) const {
    std::vector<Local> all;
    for (const ValueRef v : program_.operands(instr))
      all.push_back(locals_[v]);
    return all;
  }

  void write(const Instr &instr) {
    switch (instr.kind) {
    case InstrKind::argument: {
      const ValueRef v = instr.first_result;
      const sharding::Distribution layout = handed_out(instr, v);
      const Tiles given = tiles_of(layout, program_.type(v), mesh_);
      locals_[v] = text_.fresh({program_.type(v).dtype, given.extent});
      locals_[v].name = fmt::format("%arg{}", instr.index);
      arguments_[instr.index] = signature(
          locals_[v], layout, loops::argument_attributes(graph_, instr.index, locals_[v].name), true);
      if (!layout.halos.empty())
        locals_[v] = cut_out(text_, locals_[v], given, tiles_of(shardings_[v], program_.type(v), mesh_));
      break;
    }
    case InstrKind::result: {
      const ValueRef v = program_.operands(instr)[0];
      const sharding::Distribution layout = handed_out(instr, v);
      returned_[instr.index] =
          layout.halos.empty() ? locals_[v]
                               : cut_out(text_, locals_[v], tiles_of(shardings_[v], program_.type(v), mesh_),
                                         tiles_of(layout, program_.type(v), mesh_));
      results_[instr.index] =
          signature(returned_[instr.index], layout, loops::result_attributes(graph_, instr.index), false);
      break;
    }
    case InstrKind::compute: write_compute(instr); break;
    case InstrKind::collective:
      for (uint32_t i = 0; i < instr.num_results; ++i) {
        const ValueRef from = program_.operands(instr)[i], to = instr.first_result + i;
        locals_[to] = exchange(text_, locals_[from], program_.type(to), shardings_[from], shardings_[to],
                               program_.sharding(program_.values()[to].sharding));
      }
      break;
    case InstrKind::region: write_marker(instr); break;
    case InstrKind::loop: // not here: the module is that of a mesh of devices
    case InstrKind::end_loop:
    case InstrKind::accumulate: TW_ASSERT(false); break;
    }
  }

  // What the caller gives or gets: with halos, or as the value is here.
  sharding::Distribution handed_out(const Instr &instr, ValueRef v) const {
    sharding::Distribution layout = program_.handed_out(instr);
    return layout.halos.empty() ? sharding::Distribution{shardings_[v], {}} : layout;
  }

  // "%arg0: tensor<8x4xf32> {tw.sharding = "[{data}, {}]"}"
  std::string signature(const Local &value, const sharding::Distribution &layout,
                        std::vector<std::string> attributes, bool named) const {
    attributes.push_back(
        fmt::format("tw.sharding = {}", loops::quoted(to_text(layout.sharding, layout.halos, mesh_))));
    return fmt::format("{}{} {{{}}}", named ? value.name + ": " : "", graph::to_text(value.type),
                       fmt::join(attributes, ", "));
  }

  static Sharding without(Sharding sharding, sharding::AxisSet axes) {
    for (sharding::DimSharding &dim : sharding.dims)
      if (std::erase_if(dim.axes, [&](sharding::AxisId a) { return axes.contains(a); }) != 0)
        dim.rule = {};
    return sharding;
  }
  void write_compute(const Instr &instr) {
    if (ops::kept_halo(graph_, instr.op)) { // its operand has the halos already
      locals_[instr.first_result] = locals_[program_.operands(instr)[0]];
      return;
    }
    LocalOp op{instr.op, rules_.rule(instr.op), rules_.stated(instr.op), operands(instr), {}, {}, {}, {}};
    std::vector<Sharding> given, needed;
    sharding::AxisSet folded;   // axes over which a region would fold partial results
    if (instr.num_results != 0) // a check has none
      for (const sharding::Partial &s :
           program_.sharding(program_.values()[instr.first_result].sharding).partial) {
        if (s.kind == Reduction::region)
          folded.add(s.axis);
        if (instr.reduce_axes.contains(s.axis))
          op.reduction = s.kind;
      }
    for (size_t p = 0; p < op.operands.size(); ++p) {
      const ValueRef v = program_.operands(instr)[p];
      given.push_back(without(shardings_[v], folded));
      needed.push_back(without(program_.sharding(program_.values()[v].sharding), folded));
      op.operands[p] = exchange(text_, op.operands[p], program_.type(v), shardings_[v], given[p], given[p]);
    }
    if (!(instr.reduce_axes - folded).empty())
      for (sharding::Position p; p < mesh_.num_devices(); ++p)
        op.uses_init.push_back(!folded.empty() || program_.uses_init(instr, p));
    op.operand_shardings = given;
    op.needed_shardings = needed;
    op.result_shardings = std::span(shardings_).subspan(instr.first_result, instr.num_results);
    const std::vector<Local> made = write_local(text_, graph_, mesh_, std::move(op));
    std::ranges::copy(made, locals_.begin() + instr.first_result);
  }

  // Marker 0 takes what the op takes, any other what the region before it yields; the last makes what the op
  // makes.
  struct Open {
    std::vector<Local> operands;
    std::string regions;
  };
  void write_marker(const Instr &instr) {
    const graph::Op &op = graph_.op(instr.op);
    if (instr.index == 0) {
      open_.push_back({operands(instr), {}});
    } else {
      text_.end("stablehlo.return", operands(instr));
      const std::string region = text_.close_region();
      open_.back().regions +=
          fmt::format("{}{{\n{}{:>{}}", instr.index == 1 ? "" : ", ", region, '}', 2 * text_.depth() + 1);
    }
    std::vector<Local> made;
    std::vector<TensorType> types;
    for (uint32_t i = 0; i < instr.num_results; ++i) {
      made.push_back(tile(instr.first_result + i));
      types.push_back(made[i].type);
    }
    if (instr.index < op.num_regions) {
      text_.open_region(made, !ops::is(graph_, instr.op, ops::OpKind::loop));
    } else {
      const Open closed = std::move(open_.back());
      open_.pop_back();
      made = text_.ops(ops::op_def(op.code).name, closed.operands, "", types,
                       fmt::format(" ({})", closed.regions));
    }
    std::ranges::copy(made, locals_.begin() + instr.first_result);
  }

  std::string module_text() {
    std::string text = "module";
    if (!graph_.module_name().empty())
      text += fmt::format(" @{}", loops::name_or_quoted(graph_.module_name()));
    if (const std::string said = text_.collectives().module_attributes(); !said.empty())
      text += fmt::format(" attributes {{{}}}", said);
    text += fmt::format(" {{\n{}", text_.collectives().header());
    text += fmt::format("  func.func public @main({})", fmt::join(arguments_, ", "));
    if (!results_.empty())
      text += fmt::format(" -> ({})", fmt::join(results_, ", "));
    return text + " {\n" + text_.take_text() + "  }\n" + loops::called_functions(graph_) + "}\n";
  }

  const Program &program_;
  const graph::Graph &graph_;
  const sharding::Mesh &mesh_;
  const ops::RuleTable &rules_;
  DeviceText text_;
  std::vector<Local> locals_;       // by value of the program
  std::vector<Sharding> shardings_; // the same, as they are here
  std::vector<Open> open_;          // control flow
  std::vector<std::string> arguments_, results_;
  std::vector<Local> returned_;
};

} // namespace

std::string to_device_text(const Program &program) {
  return to_device_text(program, ReplicaCollectives(program.mesh()));
}

std::string to_device_text(const Program &program, const Collectives &collectives) {
  return Printer(program, collectives).print();
}

} // namespace tw::emit::stablehlo
