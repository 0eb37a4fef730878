// SPDX-License-Identifier: Apache-2.0
// PartIR:SPMD: the flat device-local instruction list that every device runs, with distributed types on every
// value and explicit collectives. All devices take the same way through regions: what decides is whole on
// each of them. Each instruction carries the op, value and action that caused it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.hpp"
#include "graph/graph.hpp"
#include "ops/registry.hpp"
#include "partition/action.hpp"
#include "partition/action_set.hpp"
#include "redistribute/exchange.hpp"
#include "redistribute/moves.hpp"
#include "sharding/halo.hpp"
#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::partition {
class Plan;
}

namespace tw::spmd {

using sharding::Position;

using ValueRef = uint32_t;   // into Program::values
using ShardingId = uint32_t; // into Program::shardings

struct Value {
  graph::ValueId origin; // the graph value of which this is a (partial) copy in one layout
  ShardingId sharding;
  uint32_t def = graph::kNone; // instruction
};

enum class InstrKind : uint8_t {
  argument, // result = the caller's tile of argument `index`
  compute,  // runs graph op `op` on local tiles
  // Moves or combines: operand's type -> result's type (Kind::copy = a local slice). Combining by a region
  // takes all of `op`'s results together; an all_reduce may take several arrays that have nothing else in
  // common.
  collective,
  result, // operand is the caller's tile of result `index`
  // A while, if or case `op` is the instructions of its regions one after the other, with a marker in front
  // of each and one behind the last, numbered by `index`. Marker 0 takes the operands of the op, any other
  // what the region before it yields; the last one makes the results of the op, any other the arguments of
  // the region after it.
  region,
  // A loop over a serial or threads axis, `index`: what is between `loop` and `end_loop` runs at each place
  // along it, with the tiles that its values have there. Outside, no value is tiled or partial along the
  // axis; or it has a place for each step (find_kept).
  loop,
  end_loop,
  // Operand's type -> result's type within loops over the axes that the result lacks: each step puts its tile
  // where it belongs in the result, or adds its partial value to it. The result is there when these loops are
  // over. Partial values of threads are an exception: all of them are combined behind their loop.
  accumulate,
};

struct Instr {
  InstrKind kind;
  // Argument, result: its func op; collective, accumulate: the op whose operand or result moves; region: its
  // owner; loop: kNone.
  graph::OpId op;
  uint32_t first_operand = 0; // into Program::operand_refs
  uint32_t num_operands = 0;
  ValueRef first_result = 0; // consecutive
  uint32_t num_results = 0;
  uint32_t index =
      0; // argument/result number; collective: into Program::collectives; region: which marker; loop: its axis
  // Axes over which this compute leaves partial values, because it reduces over them or because operands are
  // partial over them: a device uses Rule::init_operands only at coordinate 0 of all of them.
  sharding::AxisSet reduce_axes = {};
};

inline constexpr auto kNoAction = std::numeric_limits<partition::ActionId>::max();

// One collective instruction, for reports and `explain --collective`.
struct Collective {
  // By operand, of Program::moves_. Devices are positions of the mesh without the loops over steps and
  // threads that are not around it.
  std::vector<const redistribute::Move *> moves;
  graph::ValueId value;
  redistribute::Summary summary = redistribute::together(moves);
  uint32_t instr = graph::kNone;
  graph::OpId producer = graph::kNone, consumer = graph::kNone; // the two sides that disagreed
  partition::ActionId action = kNoAction;                       // whose decision asked for it
  std::vector<partition::ActionId> also = {};                   // others, each of which leads to the same
  std::string_view unplanned = {}; // why it is not planned, though the mesh has levels; a literal

  void set_move(const redistribute::Move &move) {
    moves = {&move};
    summary = move.summary();
  }
  // Whether it is planned for the levels of the mesh.
  bool is_planned() const { return !moves[0]->bytes_by_level().empty(); }
};

class Program {
public:
  // The plan's, and behind its ops those that the lowering added (fold_tiles).
  const graph::Graph &graph() const { return *graph_; }
  const std::shared_ptr<const graph::Graph> &graph_ptr() const { return graph_; }
  const sharding::Mesh &mesh() const { return mesh_; }
  std::span<const Instr> instrs() const { return instrs_; }
  std::span<const Value> values() const { return values_; }
  std::span<const Collective> collectives() const { return collectives_; }
  std::span<const std::string> level_names() const { return level_names_; }
  std::span<const ValueRef> operands(const Instr &i) const {
    return {operand_refs_.data() + i.first_operand, i.num_operands};
  }
  const sharding::Sharding &sharding(ShardingId s) const { return shardings_[s]; }
  size_t num_shardings() const { return shardings_.size(); }
  const graph::TensorType &type(ValueRef v) const { return graph_->type(values_[v].origin); } // global
  const ops::RuleTable &rules() const { return *rules_; } // of the graph's ops
  sharding::Box box(ValueRef v, Position position) const;
  // What the caller is handed of an argument or result. An argument that is annotated with halos has them, at
  // the border of the array too, where its value ends; so has a result in its place.
  sharding::Distribution handed_out(const Instr &signature) const;
  // The serial and threads axes along which a value is tiled or partial; and those of all that an instruction
  // reads and makes, over which it must be in loops.
  sharding::AxisSet loop_axes(ValueRef v) const;
  sharding::AxisSet loop_axes(const Instr &i) const;
  // The threads axis whose threads an accumulate combines, if that is what it does.
  std::optional<sharding::AxisId> combined_threads(const Instr &i) const;
  // How the partial values of an accumulate combine; raw: they are tiles.
  sharding::Reduction reduction_of(const Instr &accumulate) const;
  // How many collectives it would be, were nothing combined: what a region combines cannot move apart.
  int64_t num_combined(const Collective &c) const {
    return c.summary.reduction == sharding::Reduction::region ? 1 : instrs_[c.instr].num_operands;
  }
  // Into how many parts devices split the sum that a compute instruction is.
  int64_t num_sum_parts(const Instr &i) const;
  // Whether the device at a position uses the initial values of a compute instruction.
  bool uses_init(const Instr &i, Position position) const;
  std::span<const partition::Action> actions() const { return actions_; }
  // Whether the lowering added an op, or a value; and how many ops the plan's graph has.
  bool is_added(graph::OpId op) const { return op >= first_added_; }
  bool is_added_value(graph::ValueId v) const { return v >= first_added_value_; }
  size_t num_planned_ops() const { return std::min<size_t>(first_added_, graph_->ops().size()); }
  // The graph's value that an op makes: of one that was added in the place of others, theirs.
  graph::ValueId made_by(graph::OpId op, uint32_t result) const {
    const auto found = result == 0 ? stand_ins_.find(op) : stand_ins_.end();
    return found != stand_ins_.end() ? found->second : graph_->result(op, result);
  }
  size_t memory_bytes() const;

  // Filled by lower(); immutable afterwards.
  std::shared_ptr<const graph::Graph> graph_;
  std::shared_ptr<const ops::RuleTable> rules_; // the plan's, which knows the rules that were given for calls
  sharding::Mesh mesh_;
  std::vector<Instr> instrs_;
  std::vector<Value> values_;
  std::vector<ValueRef> operand_refs_;
  std::vector<sharding::Sharding> shardings_;
  std::vector<Collective> collectives_;
  std::shared_ptr<redistribute::Moves> moves_;
  std::vector<std::string> level_names_; // of those that collectives are planned for, outermost first
  std::vector<partition::Action> actions_;
  graph::OpId first_added_ = graph::kNone;
  graph::ValueId first_added_value_ = graph::kNone;
  struct Given {
    ShardingId type; // tiles with halos, as far as the array goes
    sharding::Distribution layout;
  };
  std::map<graph::OpId, Given> given_;                        // arguments with halos
  std::unordered_map<graph::OpId, graph::ValueId> stand_ins_; // added ops, and what their first results are
};

struct Options {
  std::vector<std::string> without = {}; // passes left out, of optional_passes()
  // An argument that is put together from its tiles is so for each use anew, and goes after it: less memory
  // for more communication. Otherwise once for all uses.
  bool gather_per_use = false;
  // Small all_reduces are combined into ones of at most so many bytes a device; 0: none are.
  int64_t bucket_bytes = 0;
  // Which devices are near each other ("node=2", see redistribute/topology.hpp): collectives are planned for
  // it. "": all are.
  std::string levels = {};
  // Levels that were found and not stated must not change any bits: sums add in the order of the devices.
  bool keep_sum_order = false;
  // What the steps of a planned collective may hold at once on a device, beside its operand and its result;
  // unlimited by default.
  std::optional<int64_t> scratch_bytes = {};
  // A value that a loop does not change moves before it only where it then takes at most so many bytes on a
  // device while the loop runs; unlimited by default.
  std::optional<int64_t> hoist_limit = {};
  // Goes the way of the PartIR slides, step by step (spmd/naive/form.hpp), to the same program.
  bool naive = false;
};
// Passes that make programs leaner and may be left out, by name.
std::vector<std::string_view> optional_passes();
// An error for the first name that is not known: it says which are near, and all.
Status check_passes(std::span<const std::string> given, std::span<const std::string_view> known);
// From nests to the program; pipeline.cpp reads top to bottom.
Result<std::shared_ptr<const Program>> lower(const partition::Plan &plan, const Options &options = {});
// The unpartitioned program: one device, every value whole.
Result<std::shared_ptr<const Program>> lower_unpartitioned(std::shared_ptr<const graph::Graph> graph);
// Every operand defined before its use; the tiles of every op's operands and results the parts of one split
// of its loops, found again from its factor rule and the boxes alone; every tile of every target covered once
// by devices that hold it.
Status verify(const Program &program);
// One line an instruction: local shapes, distributed types, collectives with their axes and bytes.
std::string to_text(const Program &program);

// The markers of one while, if or case: instructions, one more than it has regions.
struct Regions {
  std::vector<uint32_t> markers;
  bool is_loop;
};
std::vector<Regions> find_regions(const Program &program); // inner ones before those around them

// A loop over an axis: the instructions that begin and end it.
struct AxisLoop {
  sharding::AxisId axis;
  uint32_t begin, end;
};
std::vector<AxisLoop> find_axis_loops(const Program &program); // inner ones before those around them
// Per value the axes along which it is read in other loops than the one that makes it: what each step made is
// kept until then.
std::vector<sharding::AxisSet> find_kept(const Program &program, std::span<const AxisLoop> loops);

// How often each instruction runs in one run of the program: the turns of the loops around it. Loops that
// data end count `unknown` times, and what is in them is guessed.
struct Runs {
  std::vector<int64_t> times;
  std::vector<bool> guessed;
};
Runs find_runs(const Program &program, int64_t unknown = 1);

// What the program communicates in one run. `counts` counts instructions by kind (copies too, though they are
// no collectives); all else counts them as often as they run.
struct Statistics {
  std::array<int64_t, redistribute::kNumKinds> counts{}, executed{};
  std::array<int64_t, redistribute::kNumKinds> uncombined{}; // counts, were no small ones combined into one
  std::vector<int64_t> times; // per collective: the turns of the loops around it, 1 for a loop that data end
  bool unknown_trips = false; // there is such a loop around a collective
  int64_t bytes_received_max = 0; // of the device that receives most in one run
  double bytes_received_mean = 0;
};
Statistics find_statistics(const Program &program);

} // namespace tw::spmd
