// SPDX-License-Identifier: Apache-2.0
// Plans, lowers and runs what was built. What runs must have the bits of the unpartitioned run where the
// program promises them, and those of the reference evaluator where no order of additions could make others.
// Longer than other files: one sequence of calls is made, changed and judged here.
#include "support/random_calls.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capi/handles.hpp"
#include "ops/element.hpp"
#include "ops/registry.hpp"
#include <tilewright/tw_debug.h>

namespace tw::test {

void CallLog::say(const std::string &line) const {
  if (print_) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
  }
}

void CallLog::wrong(std::string what) {
  say("WRONG: " + what);
  if (problem_.empty())
    problem_ = std::move(what);
}

bool CallLog::ok(tw_status_t status, const char *call) {
  if (status == TW_OK)
    return true;
  tw_error_t *error = nullptr;
  tw_error_take(&error);
  const std::string id = tw_error_id(error), message = tw_error_text(error);
  say(fmt::format("  {}: {} {} {}", call, tw_status_name(status), id, message));
  const bool has_id = id.size() == 6 && id.starts_with("TW-") &&
                      std::ranges::all_of(id.substr(3), [](char c) { return c >= '0' && c <= '9'; });
  if (status < TW_OK || status >= TW_INTERNAL || tw_error_status(error) != status || !has_id ||
      message.empty() || message.find('\n') != std::string::npos)
    wrong(fmt::format("{} fails with {} {} \"{}\"", call, tw_status_name(status), id, message));
  tw_error_release(error);
  return false;
}

namespace {

void look_at(const tw_graph_t *graph, CallBytes &bytes, CallLog &log) {
  const auto side = [&](const char *what, size_t n, auto name, auto dtype, auto dims) {
    for (size_t i = 0; i < n + 2; ++i) {
      size_t rank = 77;
      const char *named = name(graph, i);
      const int64_t *shape = dims(graph, i, &rank);
      const bool there = i < n;
      if ((named != nullptr) != there || (shape != nullptr) != there ||
          (dtype(graph, i) != TW_DTYPE_INVALID) != there || (there ? rank > 32 : rank != 0))
        log.wrong(fmt::format("{} {} of {} has a name, a type or dimensions, but not all", what, i, n));
    }
  };
  side("argument", tw_graph_num_arguments(graph), tw_graph_argument_name, tw_graph_argument_dtype,
       tw_graph_argument_dims);
  side("result", tw_graph_num_results(graph), tw_graph_result_name, tw_graph_result_dtype,
       tw_graph_result_dims);
  if (tw_graph_name(graph) == nullptr || tw_graph_mesh(graph) == nullptr || tw_graph_grid_rank(graph) > 64)
    log.wrong("a graph without a name");
  if (!bytes.chance(4))
    return;
  const std::string json = log.text("tw_graph_info", [&](tw_blob_t **out) {
    return tw_graph_info(graph, static_cast<int>(bytes.below(2)), out);
  });
  if (!nlohmann::json::accept(json))
    log.wrong("tw_graph_info gives no JSON");
}

MeshHandle random_mesh(CallBytes &bytes, CallLog &log) {
  static constexpr const char *usual[] = {"a=2",         "a=2,b=2", "a=3", "a=4", "a=2,b=3",
                                          "b=2,a=2,c=2", "a=1",     "",    "a=5", "a=4,b=2"};
  static constexpr const char *wild[] = {
      "a=0", "a=2,a=2", "a=-1", "=2", "a=65537", "a=9223372036854775807,b=2", "a=2,", "a:2"};
  const char *text = bytes.chance(24) ? bytes.of(wild) : bytes.of(usual);
  log.say(fmt::format("mesh {}", text));
  return log.made<MeshHandle>("tw_mesh_parse", [&](tw_mesh_t **out) { return tw_mesh_parse(text, out); });
}

// Names as the library prints them, by index and of nothing.
std::string value_name(const tw_graph_t *graph, CallBytes &bytes) {
  const size_t arguments = tw_graph_num_arguments(graph), results = tw_graph_num_results(graph);
  switch (bytes.below(8)) {
  case 0:
  case 1:
  case 2:
  case 3:
    if (arguments != 0)
      return tw_graph_argument_name(graph, bytes.below(std::min<size_t>(arguments, 256)));
    [[fallthrough]];
  case 4:
  case 5: return fmt::format("%{}", bytes.below(24));
  case 6:
    if (results != 0)
      return tw_graph_result_name(graph, bytes.below(std::min<size_t>(results, 256)));
    [[fallthrough]];
  default: {
    static constexpr const char *wild[] = {"arg0", "arg99", "", "*", "nobody", "%", "%r1.2", "x*"};
    return bytes.of(wild);
  }
  }
}

std::string spec_line(const tw_graph_t *graph, CallBytes &bytes) {
  static constexpr const char *axes[] = {"a", "b", "a", "c", "s", "t", "a:(1)2", ""};
  static constexpr const char *rewrites[] = {"add-tile-0", "dot_general-sum", "dot_general-tile-0",
                                             "matmul-sum", "reduce-sum",      "tanh-tile-1",
                                             "nothing"};
  const std::string name = value_name(graph, bytes), axis = bytes.of(axes);
  const int64_t dim = bytes.index(3),
                size = bytes.chance(16) ? bytes.wild() : static_cast<int64_t>(bytes.below(4)) + 1;
  switch (bytes.below(22)) {
  case 0:
  case 1: return fmt::format("tile(arg=\"{}\", dim={}, axis=\"{}\")", name, dim, axis);
  case 2: return fmt::format("tile(value=\"{}\", dim={}, axis=\"{}\")", name, dim, axis);
  case 3: return fmt::format("tile(result={}, dim={}, axis=\"{}\")", bytes.index(3), dim, axis);
  case 4: return fmt::format("shard(arg={}, [{{{}}}, {{}}])", bytes.index(3), axis);
  case 5: return fmt::format("shard(result={}, [{{{}}}])", bytes.index(3), axis);
  case 6: return fmt::format("atomic(arg=\"{}\", axis=\"{}\")", name, axis);
  case 7: return "propagate";
  case 8:
  case 9: return "infer-propagate";
  case 10:
    return fmt::format("serial(axis=\"s\", size={}); tile(arg={}, dim={}, axis=\"s\"); infer-propagate", size,
                       bytes.index(3), dim);
  case 11:
    return fmt::format("threads(axis=\"t\", size={}); tile(arg={}, dim={}, axis=\"t\"); infer-propagate",
                       size, bytes.index(3), dim);
  case 12: return fmt::format("split(arg={}, dim={}, axis=\"{}\", rule=ceil)", bytes.index(3), dim, axis);
  case 13:
    return fmt::format("split(arg={}, dim={}, axis=\"{}\", rule=cuts=[0,{},{}])", bytes.index(3), dim, axis,
                       size, size < INT64_MAX - 2 ? size + 2 : size);
  case 14: return fmt::format("arg-tile {} {} {}", bytes.index(3), dim, size);
  case 15: return fmt::format("dumb-tile(value=\"{}\", dim={}, range={})", name, dim, size);
  case 16:
    return fmt::format("rule(op=\"{}\", \"{}\", axis=\"{}\"{})", name, bytes.of(rewrites), axis,
                       bytes.chance(4) ? ", inverse" : "");
  case 17: {
    static constexpr const char *verbs[] = {"inline", "hoist", "materialise", "fuse"};
    return fmt::format("{}(value=\"{}\", axis=\"{}\")", bytes.of(verbs), name, axis);
  }
  case 18:
    return fmt::format("expect no all_gather; expect all_reduce over {} == {}; expect peak < {}", axis, size,
                       size);
  case 19: return "rule @same \"i j -> i j\"";
  case 20: return fmt::format("rule @other \"{} -> {}\"", name, axis);
  default: {
    static constexpr const char *wild[] = {"tile(", "tile)",       "mesh a=2", "# nothing",
                                           ";;",    "tile(arg=0)", "expect",   "propagate(1)"};
    return bytes.of(wild);
  }
  }
}

void act(tw_plan_t *plan, const tw_graph_t *graph, CallBytes &bytes, CallLog &log,
         std::vector<uint64_t> &stamps) {
  static constexpr const char *axes[] = {"a", "a", "b", "c", "zz", ""};
  stamps.push_back(tw_plan_stamp(plan));
  const std::string name = value_name(graph, bytes);
  const char *axis = bytes.of(axes);
  switch (bytes.below(16)) {
  case 0:
  case 1:
  case 2:
  case 3: {
    const int64_t dim = bytes.index(3);
    log.say(fmt::format("tile {} {} {}", name, dim, axis));
    log.ok(tw_plan_tile(plan, name.c_str(), dim, axis), "tw_plan_tile");
    break;
  }
  case 4:
    log.say(fmt::format("atomic {} {}", name, axis));
    log.ok(tw_plan_atomic(plan, name.c_str(), axis), "tw_plan_atomic");
    break;
  case 5:
  case 6:
  case 7: {
    const auto mode = static_cast<tw_propagate_mode_t>(bytes.chance(16) ? bytes.byte() : bytes.below(2));
    log.say(fmt::format("propagate {}", mode));
    log.ok(tw_plan_propagate(plan, mode), "tw_plan_propagate");
    break;
  }
  case 8:
  case 9:
  case 10:
  case 11:
  case 12: {
    const std::string line = spec_line(graph, bytes);
    log.say("spec " + line);
    log.ok(tw_plan_apply(plan, line.data(), line.size(), nullptr), "tw_plan_apply");
    break;
  }
  case 13: {
    const uint64_t stamp = bytes.chance(8) ? tw_plan_stamp(plan) + bytes.byte() : bytes.any(stamps);
    log.say(fmt::format("undo to {}", stamp));
    log.ok(tw_plan_undo(plan, stamp), "tw_plan_undo");
    break;
  }
  case 14:
    log.say(fmt::format("explain {} {}", name, axis));
    log.text("tw_plan_explain", [&](tw_blob_t **out) {
      return tw_plan_explain(plan, name.c_str(), *axis ? axis : nullptr, out);
    });
    log.text("tw_plan_sharding", [&](tw_blob_t **out) { return tw_plan_sharding(plan, name.c_str(), out); });
    tw_plan_num_conflicts(plan);
    break;
  default: {
    static constexpr const char *forms[] = {
        "loops",      "loops-extents", "stablehlo+sdy", "stablehlo+sdy-all", "stablehlo+sdy-bytecode",
        "spmd-naive", "nothing"};
    const char *form = bytes.of(forms);
    log.say(fmt::format("emit {}", form));
    log.text("tw_plan_emit", [&](tw_blob_t **out) {
      return std::string_view(form) == "spmd-naive" ? tw_debug_emit_after(plan, form, nullptr, out)
                                                    : tw_plan_emit(plan, form, out);
    });
  }
  }
}

PlanHandle random_plan(const tw_graph_t *graph, CallBytes &bytes, CallLog &log) {
  const MeshHandle mesh = random_mesh(bytes, log);
  static constexpr const char *policies[] = {nullptr, "conservative", "seeds", "shardy", "explicit"};
  tw_plan_options_t options{};
  options.struct_size = sizeof options;
  options.policy = bytes.chance(64) ? "nothing" : bytes.of(policies);
  options.ignore_annotations = static_cast<int32_t>(bytes.below(2));
  log.say(fmt::format("plan, policy {}", options.policy ? options.policy : "default"));
  PlanHandle plan = log.made<PlanHandle>("tw_plan_create", [&](tw_plan_t **out) {
    return tw_plan_create(graph, mesh.get(), bytes.chance(4) ? nullptr : &options, out);
  });
  if (!plan)
    return plan;
  std::vector<uint64_t> stamps;
  for (size_t n = bytes.below(7); stamps.size() < n && !log.is_wrong();)
    act(plan.get(), graph, bytes, log, stamps);
  return plan;
}

ProgramHandle lower(const tw_plan_t *plan, CallBytes &bytes, CallLog &log) {
  static constexpr const char *passes[] = {"combine_all_reduces", "defer_sums",  "fuse_moves",
                                           "hoist_moves",         "join_slices", "scatter_sums",
                                           "share_moves",         "nothing"};
  tw_lower_options_t options{};
  options.struct_size = sizeof options;
  const char *without[2] = {bytes.of(passes), passes[1]};
  options.without = without;
  options.num_without = bytes.chance(3) ? 1 + bytes.below(2) : 0;
  options.gather_per_use = static_cast<int>(bytes.below(2));
  options.bucket_bytes = bytes.chance(4) ? 64 : bytes.chance(32) ? bytes.wild() : 0;
  static constexpr const char *levels[] = {"node=2", "node=2,socket=2", "node=[[0,1],[2,3]]", "node=0",
                                           "node="};
  options.levels = bytes.chance(4) ? bytes.of(levels) : nullptr;
  options.keep_sum_order = static_cast<int>(bytes.below(2));
  options.scratch_bytes = bytes.chance(16) ? 64 : bytes.chance(64) ? bytes.wild() : 0;
  log.say("lower");
  ProgramHandle program = log.made<ProgramHandle>(
      "tw_program_lower", [&](tw_program_t **out) { return tw_program_lower(plan, &options, out); });
  if (!program)
    return program;
  const tw_program_t *p = program.get();
  if (tw_program_num_devices(p) < 1 || tw_program_bytes_received(p) < 0 || tw_program_peak_bytes(p) < 0)
    log.wrong(fmt::format("{} devices receive {} bytes and hold {}", tw_program_num_devices(p),
                          tw_program_bytes_received(p), tw_program_peak_bytes(p)));
  size_t counted = 0;
  for (const char *kind : {"all_gather", "all_reduce", "reduce_scatter", "all_to_all", "permute", "exchange"})
    counted += tw_program_count(p, kind);
  if (counted != tw_program_num_collectives(p))
    log.wrong(fmt::format("{} collectives, but of all kinds {}", tw_program_num_collectives(p), counted));
  tw_program_num_failed_expectations(p);
  if (bytes.chance(3) && !nlohmann::json::accept(log.text(
                             "tw_program_json", [&](tw_blob_t **out) { return tw_program_json(p, out); })))
    log.wrong("tw_program_json gives no JSON");
  if (bytes.chance(4)) {
    const bool all = bytes.chance(2);
    log.text("tw_program_report", [&](tw_blob_t **out) {
      return (all ? tw_program_report_all : tw_program_report)(p, bytes.byte(), out);
    });
  }
  if (bytes.chance(4)) {
    static constexpr const char *forms[] = {"spmd", "stablehlo", "nothing"};
    const char *form = bytes.of(forms);
    log.text("tw_program_emit", [&](tw_blob_t **out) { return tw_program_emit(p, form, out); });
  }
  if (bytes.chance(4))
    log.text("tw_program_explain_collective",
             [&](tw_blob_t **out) { return tw_program_explain_collective(p, bytes.below(3), out); });
  return program;
}

// Whether evaluating a graph takes no more than some milliseconds.
bool is_small(const graph::Graph &g) {
  double elements = 0, flops = 0;
  for (const graph::Value &v : g.values()) {
    const graph::TensorType &type = g.type_at(v.type);
    elements += static_cast<double>(type.elements());
    for (const int64_t d : type.dims)
      if (d > 1 << 12)
        return false;
  }
  for (graph::OpId id = 0; id < g.ops().size(); ++id)
    flops += ops::op_cost(g, id).flops;
  return elements < 1 << 14 && flops < 1 << 18;
}

using Tensors = std::vector<TensorHandle>;

std::vector<tw_tensor_t *> pointers(const Tensors &tensors) {
  std::vector<tw_tensor_t *> all;
  for (const TensorHandle &t : tensors)
    all.push_back(t.get());
  return all;
}

// One a type that the graph says; empty where a type has no arrays.
template <class Dtype, class Dims>
std::optional<Tensors> make_tensors(const tw_graph_t *graph, size_t n, Dtype dtype, Dims dims,
                                    const char *pattern) {
  Tensors all;
  for (size_t i = 0; i < n; ++i) {
    size_t rank = 0;
    const int64_t *shape = dims(graph, i, &rank);
    tw_tensor_t *made = nullptr;
    if (tw_tensor_create(nullptr, dtype(graph, i), shape, rank, &made) != TW_OK)
      return std::nullopt;
    all.emplace_back(made);
    if (tw_tensor_fill(made, pattern, 0, i) != TW_OK)
      return std::nullopt;
  }
  return all;
}

std::optional<Tensors> make_results(const tw_graph_t *graph) {
  return make_tensors(graph, tw_graph_num_results(graph), tw_graph_result_dtype, tw_graph_result_dims,
                      "ones");
}

// Floats up to which sums and products of some dozens are exact in a type.
double most_exact(graph::DType dtype) {
  switch (dtype) {
  case graph::DType::f64:
  case graph::DType::c128: return 1 << 16;
  case graph::DType::f32:
  case graph::DType::c64: return 1 << 8;
  case graph::DType::f16: return 4;
  default: return 1;
  }
}

// Whole numbers so small that no order of additions rounds any. Integers wrap, in any order.
bool is_exact(const tw_tensor_t *tensor) {
  const runtime::TensorView view = tensor->tensor.view();
  const double most = most_exact(view.dtype);
  const auto exact = [&](double x) { return std::fabs(x) <= most && std::floor(x) == x; };
  return ops::visit_dtype(view.dtype, [&]<class E>(E) {
    for (int64_t i = 0; i < view.elements(); ++i) {
      const auto x = E::load(static_cast<const typename E::Storage *>(view.data)[i]);
      if constexpr (ops::is_complex_value<typename E::Value>) {
        if (!exact(x.real()) || !exact(x.imag()))
          return false;
      } else if constexpr (std::is_floating_point_v<typename E::Value>) {
        if (!exact(static_cast<double>(x)))
          return false;
      }
    }
    return true;
  });
}

// Equal in every bit, but that zeros may differ in sign.
bool is_equal(const tw_tensor_t *a, const tw_tensor_t *b) {
  tw_comparison_t c{};
  c.struct_size = sizeof c;
  return tw_tensor_compare(a, b, 1, &c) == TW_OK && (c.bit_equal || c.max_abs == 0);
}

std::optional<Tensors> execute(const tw_program_t *program, const tw_graph_t *graph, const Tensors &inputs,
                               const tw_executable_options_t &how, CallLog &log) {
  const auto executable = log.made<ExecutableHandle>("tw_executable_create", [&](tw_executable_t **out) {
    return tw_executable_create(program, &how, out);
  });
  auto outputs = make_results(graph);
  if (!executable || !outputs)
    return std::nullopt;
  auto in = pointers(inputs), out = pointers(*outputs);
  for (int twice = 0; twice < 2; ++twice) // the second run finds what the first left
    if (!log.ok(tw_executable_run(executable.get(), in.data(), in.size(), out.data(), out.size()),
                "tw_executable_run"))
      return std::nullopt;
  return outputs;
}

std::optional<Tensors> evaluate(const tw_graph_t *graph, const Tensors &inputs, CallLog &log) {
  auto outputs = make_results(graph);
  if (!outputs)
    return std::nullopt;
  const auto in = pointers(inputs), out = pointers(*outputs);
  if (!log.ok(tw_graph_evaluate(graph, in.data(), in.size(), out.data(), out.size()), "tw_graph_evaluate"))
    return std::nullopt;
  return outputs;
}

void run(const BuiltCalls &built, const tw_graph_t *graph, const tw_program_t *program, CallBytes &bytes,
         CallLog &log) {
  static constexpr const char *patterns[] = {"randint(0,3)", "ones", "zeros", "default", "iota"};
  const char *pattern = bytes.of(patterns);
  const auto inputs = make_tensors(graph, tw_graph_num_arguments(graph), tw_graph_argument_dtype,
                                   tw_graph_argument_dims, pattern);
  if (!inputs)
    return;
  tw_executable_options_t how{};
  how.struct_size = sizeof how;
  how.workers = 1 + static_cast<int32_t>(bytes.below(2));
  how.observe = static_cast<int32_t>(bytes.below(4));
  how.donate = static_cast<int32_t>(bytes.below(2));
  log.say(fmt::format("run on {} workers, {}", how.workers, pattern));
  const auto results = execute(program, graph, *inputs, how, log);
  const auto whole = log.made<ProgramHandle>(
      "tw_program_unpartitioned", [&](tw_program_t **out) { return tw_program_unpartitioned(graph, out); });
  const auto unpartitioned = whole ? execute(whole.get(), graph, *inputs, how, log) : std::nullopt;
  if (!results != !unpartitioned)
    log.wrong("one of the partitioned and the unpartitioned program runs");
  if (!results || !unpartitioned)
    return;
  for (size_t i = 0; i < results->size(); ++i)
    if (tw_program_result_exact(program, i) && !is_equal((*results)[i].get(), (*unpartitioned)[i].get()))
      log.wrong(
          fmt::format("result {} is promised to have the bits of the unpartitioned run, and has others", i));
  const auto reference = evaluate(graph, *inputs, log);
  const GraphHandle all = built.finish_with_all();
  const auto values = all ? evaluate(all.get(), *inputs, log) : std::nullopt;
  if (!reference || !values ||
      !std::ranges::all_of(*values, [](const TensorHandle &t) { return is_exact(t.get()); }))
    return;
  for (size_t i = 0; i < results->size(); ++i)
    if (!is_equal((*results)[i].get(), (*reference)[i].get()))
      log.wrong(fmt::format("result {} differs from the reference evaluator's", i));
}

} // namespace

std::string run_random_calls(std::span<const uint8_t> data, bool print) {
  CallBytes bytes(data);
  CallLog log(print);
  BuiltCalls built(log);
  for (size_t n = 2 + bytes.below(12), i = 0; i < n && !log.is_wrong(); ++i)
    built.add_one(bytes);
  const GraphHandle graph = built.num_values() != 0 && !log.is_wrong() ? built.finish(bytes) : nullptr;
  if (!graph || log.is_wrong())
    return log.problem();
  look_at(graph.get(), bytes, log);
  PlanHandle plan = random_plan(graph.get(), bytes, log);
  if (!plan || log.is_wrong())
    return log.problem();
  const ProgramHandle program = lower(plan.get(), bytes, log);
  if (bytes.chance(2))
    plan.reset(); // objects keep what they are made of alive
  if (program && !log.is_wrong() && is_small(graph->graph()))
    run(built, graph.get(), program.get(), bytes, log);
  return log.problem();
}

} // namespace tw::test
