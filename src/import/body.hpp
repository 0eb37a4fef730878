// SPDX-License-Identifier: Apache-2.0
// Reads function bodies into the graph: each statement becomes an OpText by the form of its op, and that an op of the graph.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "annotation/loop_program.hpp"
#include "import/context.hpp"
#include "import/emitter.hpp"
#include "import/op_text.hpp"
#include "import/scope.hpp"

namespace tw::import {

class BodyReader {
public:
  explicit BodyReader(Context &context) : c_(context), s_(context.s), emitter_(context) {}

  // Reads the entry function with everything it calls.
  bool read_entry(uint32_t function);
  // The loops that were read with it.
  annotation::LoopProgram take_loops() { return std::move(loops_); }

private:
  // How an op's text is read after its name, and what it then becomes.
  using Form = bool (BodyReader::*)(OpText &op);
  using Lower = bool (BodyReader::*)(OpText &op);
  struct Kind {
    std::string_view name; // empty: unknown
    graph::OpCode code = 0;
    bool registered = false;
    Form form = nullptr;
    Lower lower = nullptr;
  };
  struct Syntax {
    std::string_view name;
    Form form;
    Lower lower;
  };
  static std::span<const Syntax> syntax();
  static Kind resolve(std::string_view written);
  const Kind &kind_of(std::string_view written);

  // signature.cpp: what functions take and give
  struct Argument {
    std::string_view name; // without %
    graph::TypeId type;
    const char *at;
    uint32_t line, column;
    std::vector<AttrText> attrs;
    LocationReader::Text loc;
  };
  struct Signature {
    std::vector<Argument> arguments;
    std::vector<graph::TypeId> results;
    std::vector<std::vector<AttrText>> result_attrs;
    bool unstated = false; // nothing is said of results
  };
  bool read_signature(const Function &f, Signature &signature);
  bool read_pretty_signature(const Function &f, Signature &signature);
  bool read_generic_signature(const Function &f, Signature &signature);
  bool read_block_arguments(std::vector<Argument> &arguments, bool with_attrs);
  bool read_attr_lists(std::string_view raw, std::vector<std::vector<AttrText>> &lists);
  bool add_entry_argument(uint32_t index, const Argument &argument);
  bool add_entry_result(uint32_t index, graph::ValueId value, const std::vector<AttrText> &attrs);
  std::string argument_name(uint32_t index, const Argument &argument) const;
  static std::string spelled_name(uint32_t index, const Argument &argument);

  // body.cpp: bodies, blocks, statements
  bool read_function_body(const Function &f, const Signature &signature);
  bool read_block();
  bool read_statement(OpText &op);
  bool read_results(OpText &op);
  std::string_view with_index(std::string_view name);
  bool read_operand(OpText &op);
  bool read_operands(OpText &op); // %a, %b; may be none
  using RegionReader = bool (BodyReader::*)(OpText &op);
  bool read_generic(OpText &op, RegionReader region = &BodyReader::read_region);
  bool define(std::string_view name, std::span<const graph::ValueId> values, const char *at);
  bool bind_results(OpText &op, std::span<const graph::ValueId> values);
  static bool is_path(std::string_view name, std::string_view prefix);
  void name_value(graph::ValueId value, std::string_view name, uint32_t index, uint32_t count);
  // The prefix of names inside an op: what its first result is called, and which of its regions is meant.
  std::string inner_prefix(const OpText &op, std::string_view part) const;

  // tuples.cpp
  void flatten_types(OpText &op);
  void push_operand(OpText &op, graph::ValueId value, const char *at);
  graph::ValueId pack(graph::TypeId type, std::span<const graph::ValueId> &values);
  bool bind_tuples(OpText &op, std::span<const graph::ValueId> values);
  bool form_tuple_element(OpText &op);
  bool lower_tuple(OpText &op);
  bool lower_tuple_element(OpText &op);

  // forms.cpp: the pretty forms
  bool form_default(OpText &op);
  bool form_return(OpText &op);
  bool form_compare(OpText &op);
  bool form_constant(OpText &op);
  bool form_slice(OpText &op);
  bool form_custom_call(OpText &op);
  bool form_call(OpText &op);
  bool form_composite(OpText &op);
  bool form_expect_const(OpText &op);
  bool form_reduce(OpText &op);
  bool form_while(OpText &op);
  bool read_pretty_attr(OpText &op);
  bool read_types(OpText &op); // after ':'
  bool read_attr_dict(OpText &op);
  graph::TypeId real_part(graph::TypeId type);

  // convolution_form.cpp
  bool form_convolution(OpText &op);
  bool lower_convolution(OpText &op);
  bool read_conv_fields(OpText &op, std::string_view raw);

  // region_forms.cpp
  bool read_region(OpText &op); // { [^bb0(...):] ops }
  bool read_region_body(OpText &op, std::span<const Argument> arguments);
  static bool is_choice(const OpText &op); // an if or case
  bool read_choice(OpText &op);
  bool carry_yields(OpText &op);
  bool lower_control(OpText &op);
  bool compact_reducer(OpText &op, std::string_view reducer, const char *at);

  // lower.cpp: what is more than adding the op
  bool lower_op(OpText &op);
  bool lower_return(OpText &op);
  bool lower_constant(OpText &op);
  bool lower_custom_call(OpText &op);
  bool gather_call_attributes(OpText &op, std::string &text);
  bool lower_sharding_call(OpText &op);
  bool lower_identity(OpText &op);
  bool lower_expect_const(OpText &op);
  bool lower_dot(OpText &op);
  bool lower_static(OpText &op);
  bool pass_through(OpText &op);
  bool emit(OpText &op);
  bool bind_op(OpText &op, graph::OpId id); // the op's results to the names that the text gives them
  // The op was other ops, or a value that is there already: these are its results.
  bool stand_for(OpText &op, const std::vector<graph::ValueId> &values);
  // Attributes of ops that have no schema; absent ones are errors.
  bool read_attr(const OpText &op, std::string_view name, int64_t &value);
  bool read_attr(const OpText &op, std::string_view name, double &value);

  // batch_norm.cpp, constant_shapes.cpp, shorthands.cpp: ops that stand for others
  bool lower_batch_norm(OpText &op);
  bool lower_folded(OpText &op);
  bool lower_dimension_size(OpText &op);
  bool lower_set_dimension_size(OpText &op);
  bool lower_einsum(OpText &op);
  bool lower_unary_einsum(OpText &op);
  bool lower_index_select(OpText &op);
  bool lower_broadcasting(OpText &op);
  bool lower_constant_like(OpText &op);
  bool lower_device_id(OpText &op);
  bool lower_rng(OpText &op);
  bool lower_top_k(OpText &op);

  // sdy_ops.cpp: what says how values are sharded
  bool form_sharding_constraint(OpText &op);
  bool form_held(OpText &op);
  bool hold(OpText &op, const AttrText &sharding);
  bool lower_sharding_constraint(OpText &op);
  bool lower_held_sum(OpText &op);
  bool lower_data_flow_edge(OpText &op);
  bool lower_propagation_barrier(OpText &op);
  bool lower_sharding_group(OpText &op);
  bool read_one_sharding(std::string_view raw, annotation::ShardingAnnotation &sharding);

  // named_computation.cpp: bodies that are read in place, in either form
  struct Inlined {
    std::string name;
    std::vector<annotation::ShardingAnnotation> in, out;
    std::vector<std::string> manual;
    std::vector<Argument> arguments;
  };
  bool read_inlined_head(OpText &op, Inlined &head); // up to the body's '{', which is taken
  bool read_inlined_tail(OpText &op);                // behind its '}': attributes and types
  bool read_sharding_list(std::string_view name, std::vector<annotation::ShardingAnnotation> &shardings);
  bool read_quoted_list(std::string_view raw, std::vector<std::string> &names);
  bool form_named_computation(OpText &op);
  bool lower_inlined(OpText &op);
  bool constrain(graph::ValueId &v, annotation::ShardingAnnotation sharding, const OpText &op);

  // manual.cpp: device-local code
  bool form_manual_computation(OpText &op);
  bool enter_mesh(const OpText &op, const Inlined &head, MeshAxes &manual);
  bool lower_full_to_shard(OpText &op);
  bool lower_shard_to_full(OpText &op);
  Result<graph::ValueId> leave_local(graph::ValueId v, std::span<const MeshAxes> dims, const MeshAxes &manual,
                                     const OpText &op);
  void annotate_local(graph::ValueId v, const OpText &op, int32_t priority);
  bool bind_local(OpText &op, std::span<const graph::ValueId> values);

  // processes.cpp
  bool lower_run_parallel(OpText &op);

  // collectives.cpp
  bool lower_collective(OpText &op);
  bool lower_device_number(OpText &op);
  bool read_groups(const OpText &op, DeviceGroups &groups);
  std::vector<int64_t> among_devices(const OpText &op, const std::vector<int64_t> &pairs) const;
  bool read_id_table(const OpText &op, std::string_view name, std::vector<int64_t> &ids, size_t &width);
  bool read_dimension(const OpText &op, std::string_view name, size_t rank, size_t &dim);

  // calls.cpp
  bool lower_call(OpText &op);
  bool lower_composite(OpText &op);
  bool constrain(graph::ValueId &v, const std::vector<AttrText> &attrs, const OpText &op);
  bool constrain_results(const OpText &op, std::vector<graph::ValueId> &results);
  bool inline_function(OpText &op, std::string_view callee, const char *at);

  // loops.cpp: the loop language
  SourcePos statement_position(const OpText &op) const;
  bool read_loop_attributes(const Function &f);
  bool resolve_bonds(const Function &f);
  bool read_range(sharding::Range &range);
  bool read_action(annotation::LoopAction &action);
  bool form_loop(OpText &op);
  bool form_loop_slice(OpText &op);
  bool form_yield(OpText &op);
  bool form_matmul(OpText &op);
  bool lower_loop(OpText &op);
  bool lower_loop_slice(OpText &op);
  bool lower_yield(OpText &op);
  bool begin_loop_op(OpText &op);
  void end_loop_op(const OpText &op, graph::OpId id);
  const annotation::LoopView *
  view(const char *definition) const; // null: the name stands for all of its value
  uint32_t find_range(std::string_view name) const;

  // unknown_ops.cpp
  bool fail_unknown(std::string_view written, const char *at);
  bool form_unknown(OpText &op);
  bool lower_unknown(OpText &op);
  bool read_unknown_statement(OpText &op, Cursor &types);
  bool read_unknown_types(OpText &op);
  bool capture_region(OpText &op);
  bool unsupported(const char *at, std::string message);

  Context &c_;
  Scanner &s_;
  Emitter emitter_;
  std::unordered_map<std::string_view, Kind> kinds_; // by written name
  std::deque<OpText> texts_;                         // by nesting depth
  std::vector<std::vector<graph::ValueId>> tuples_;  // elements of those that names stand for
  Scope *scope_ = nullptr;
  std::string prefix_;                 // of the names of values: "%0." inside the function called at %0
  std::vector<uint32_t> calls_;        // functions being read, outermost first
  uint32_t module_ = 0;                // of the function being read
  uint32_t depth_ = 0;                 // nested regions and calls
  uint32_t ops_ = 0;                   // statements read, calls included
  int64_t rngs_ = 0;                   // among them those that draw from a hidden state
  bool free_axes_ = false;             // of the mesh, in the device-local code at hand
  bool ended_ = false;                 // the block's terminator was read
  std::vector<graph::ValueId> yields_; // its operands
  std::vector<const char *> yields_at_, yields_def_;
  bool untyped_return_ = false; // the last return said no types
  OpText captured_;             // what the regions of an unknown op take from outside: operands of it

  annotation::LoopProgram loops_;
  annotation::LoopOp loop_op_;                                   // of the op at hand
  uint32_t loop_ = graph::kNone;                                 // innermost open one
  graph::RegionId region_ = 0;                                   // innermost open one
  std::unordered_map<std::string, graph::ValueId> bonded_;       // names, where bonds speak of values
  bool yielded_ = false;                                         // the block ended with a yield
  size_t first_value_ = 0;                                       // that the loop read last made
  std::vector<std::pair<std::string_view, uint32_t>> ranges_;    // in scope, with their loops
  std::unordered_map<const char *, annotation::LoopView> views_; // of names, by where they are defined
  std::unordered_map<const char *, annotation::LoopIdentity>
      identity_; // results of loops around nothing but a slice
};

} // namespace tw::import
