// SPDX-License-Identifier: Apache-2.0
// Compilation, from top to bottom: the module is read, planned by what it states, lowered and bound.
#include "pjrt/compiled.hpp"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <optional>

#include <nlohmann/json.hpp>

#include "pjrt/element_type.hpp"
#include "pjrt/ffi.hpp"
#include "pjrt/fingerprint.hpp"
#include "pjrt/identity.hpp"
#include "pjrt/policy.hpp"
#include "pjrt/strided.hpp"

namespace tw::pjrt {

namespace {

constexpr int64_t kQuickBytes = 128 << 10; // read and written in a run

GraphHandle import(std::string_view code) {
  const CustomCallsHandle calls = foreign_calls();
  tw_import_options_t how{};
  how.struct_size = sizeof how;
  how.file = "program";
  how.custom_calls = calls.get();
  return make<GraphHandle>(
      [&](tw_graph_t **out) { return tw_graph_import(code.data(), code.size(), &how, out); });
}

// The mesh of a program: the one that it declares (null), or where it declares none a line of all devices.
MeshHandle mesh_for(const tw_graph_t *graph, int64_t num_partitions) {
  const char *declared = tw_graph_mesh(graph);
  if (*declared == '\0') {
    const char *name = "partition";
    return make<MeshHandle>([&](tw_mesh_t **out) { return tw_mesh_create(&name, &num_partitions, 1, out); });
  }
  const auto mesh = make<MeshHandle>([&](tw_mesh_t **out) { return tw_mesh_parse(declared, out); });
  if (tw_mesh_num_devices(mesh.get()) != num_partitions)
    throw Failure{abi::Code::unimplemented, std::string("a mesh of other devices (") + declared +
                                                ") than the program's " + std::to_string(num_partitions) +
                                                " partitions"};
  return nullptr;
}

// `spec`: actions that the plan gets beside what the module states.
ProgramHandle lower(const tw_graph_t *graph, int64_t num_partitions, const std::string &policy,
                    const std::string &spec = {}) {
  if (num_partitions == 1)
    return make<ProgramHandle>([&](tw_program_t **out) { return tw_program_unpartitioned(graph, out); });
  return lower_by(policy, graph, mesh_for(graph, num_partitions).get(), spec);
}

// What mhlo.memory_kind says of the n-th argument or result.
std::vector<std::string> memory_kinds(const tw_graph_t *graph, const char *op_name, size_t count) {
  std::vector<std::string> kinds;
  any_op(graph, [&](tw_op_t op, const tw_op_view_t &view) {
    if (kinds.size() < count && view.name == std::string_view(op_name)) {
      const tw_attr_t attr = attribute_of(graph, op, view, "memory_kind");
      kinds.emplace_back(attr.kind == TW_ATTR_STRING ? attr.string : "");
    }
    return kinds.size() == count;
  });
  kinds.resize(count);
  return kinds;
}

void describe_arrays(const Client &client, const tw_graph_t *graph, Compiled &compiled) {
  std::optional<StatedShardings> stated;
  if (compiled.num_partitions > 1)
    stated.emplace(graph, compiled.num_partitions);
  const auto describe = [&](std::vector<ArraySpec> &specs, size_t count, const char *op, auto dtype,
                            auto dims, auto sharding) {
    const std::vector<std::string> kinds = memory_kinds(graph, op, count);
    for (size_t i = 0; i < count; ++i) {
      ArraySpec &spec = specs.emplace_back();
      size_t rank = 0;
      const int64_t *sizes = dims(graph, i, &rank);
      spec.dtype = dtype(graph, i);
      spec.type = type_of(spec.dtype);
      spec.dims.assign(sizes, sizes + rank);
      spec.memory_kind = kinds[i].empty() ? kDefaultMemory : kinds[i];
      spec.local = spec.dims;
      if (compiled.num_partitions == 1 || spec.dtype == TW_TOKEN)
        continue;
      const auto lies =
          make<ShardingHandle>([&](tw_sharding_t **out) { return sharding(compiled.program.get(), i, out); });
      const bool is_result = &specs == &compiled.results;
      const auto holding = stated->of(is_result, i, spec.dims);
      describe_sharding(lies.get(), compiled.partitions, holding ? &*holding : nullptr, spec);
      if (!is_result && spec.held.num_addends > 1)
        make_sum(client.context.get(), spec);
    }
  };
  describe(compiled.arguments, tw_graph_num_arguments(graph), "func.argument", tw_graph_argument_dtype,
           tw_graph_argument_dims, tw_program_argument_sharding);
  describe(compiled.results, tw_graph_num_results(graph), "func.result", tw_graph_result_dtype,
           tw_graph_result_dims, tw_program_result_sharding);
}

void bind(Client &client, Compiled &compiled) {
  compiled.is_whole = compiled.num_partitions == 1;
  const tw_executable_options_t how = options_of(compiled, client.context.get());
  compiled.executable = make<ExecutableHandle>(
      [&](tw_executable_t **out) { return tw_executable_create(compiled.program.get(), &how, out); });
}

size_t bytes_of(const ArraySpec &spec) { return count_of(spec.local) * tw_dtype_size(spec.dtype); }

// What JAX calls a donor may be written over by any result of its size: where there is none it stays the
// caller's. What names its result (tf.aliasing_output) is given away in any case.
std::vector<bool> given_away(const tw_graph_t *graph, const Compiled &compiled) {
  std::vector<bool> given(compiled.arguments.size()), taken(compiled.results.size());
  for (size_t i = 0; i < given.size(); ++i)
    if (const int64_t result = tw_graph_donated_to(graph, i); result >= 0)
      given[i] = taken[static_cast<size_t>(result)] = true;
  for (size_t i = 0; i < given.size(); ++i) {
    if (tw_graph_donated_to(graph, i) != -2)
      continue;
    for (size_t r = 0; r < taken.size() && !given[i]; ++r)
      if (!taken[r] && bytes_of(compiled.results[r]) == bytes_of(compiled.arguments[i]))
        given[i] = taken[r] = true;
  }
  return given;
}

void find_donations(const tw_graph_t *graph, Compiled &compiled) {
  compiled.is_donated = given_away(graph, compiled);
  compiled.argument_of.assign(compiled.results.size(), -1);
  for (size_t i = 0; i < compiled.arguments.size(); ++i) {
    const int64_t result = tw_executable_donated_to(compiled.executable.get(), i);
    compiled.result_in.push_back(result);
    if (result >= 0)
      compiled.argument_of[static_cast<size_t>(result)] = static_cast<int64_t>(i);
  }
}

// What several processes run keeps a place for each device: who shares is known with the first run.
void find_owners(Compiled &compiled) {
  const bool has_own_places = compiled.is_whole || compiled.team != nullptr;
  for (size_t i = 0; i < compiled.results.size(); ++i)
    for (size_t k = 0; k < compiled.positions.size(); ++k) {
      const int64_t owner =
          has_own_places ? -1 : tw_executable_tile_owner(compiled.executable.get(), 1, i, k);
      compiled.result_owners.push_back(owner < 0 ? k : static_cast<size_t>(owner));
    }
}

// Loops may take any time. Foreign functions do too, and must not see what the caller's thread has set for
// itself.
bool may_take_long(const tw_graph_t *graph) {
  return any_op(graph, [&](tw_op_t op, const tw_op_view_t &view) {
    return view.name == std::string_view("stablehlo.while") ||
           (view.name == std::string_view("stablehlo.custom_call") &&
            is_foreign_function(attribute_of(graph, op, view, "call_target_name").string));
  });
}

void count(const tw_graph_t *graph, Compiled &compiled) {
  tw_counters_t counters{};
  counters.struct_size = sizeof counters;
  check(tw_executable_counters(compiled.executable.get(), &counters));
  compiled.is_quick = counters.bytes <= kQuickBytes && counters.steps < 256 && !may_take_long(graph);
  const auto add_up = [](const std::vector<ArraySpec> &specs) {
    size_t bytes = 0;
    for (const ArraySpec &spec : specs)
      bytes += bytes_of(spec);
    return static_cast<int64_t>(bytes);
  };
  compiled.bytes.arguments = add_up(compiled.arguments);
  compiled.bytes.outputs = add_up(compiled.results);
  for (size_t i = 0; i < compiled.arguments.size(); ++i)
    if (compiled.result_in[i] >= 0)
      compiled.bytes.aliased += static_cast<int64_t>(bytes_of(compiled.arguments[i]));
  for (int64_t p = 0; p < compiled.num_partitions; ++p)
    compiled.peak_bytes = std::max(
        compiled.peak_bytes, tw_executable_peak_bytes(compiled.executable.get(), static_cast<size_t>(p)));
  compiled.bytes.temporaries = tw_executable_arena_bytes(compiled.executable.get()) / compiled.num_partitions;
  compiled.bytes_accessed = counters.bytes;
}

void list_answers(Compiled &compiled) {
  for (const ArraySpec &spec : compiled.arguments) {
    compiled.argument_shardings.add(spec.sharding);
    compiled.argument_kinds.add(spec.memory_kind);
  }
  for (const ArraySpec &spec : compiled.results) {
    compiled.result_types.push_back(spec.type);
    compiled.result_dims.insert(compiled.result_dims.end(), spec.local.begin(), spec.local.end());
    compiled.result_ranks.push_back(spec.local.size());
    compiled.result_shardings.add(spec.sharding);
    compiled.result_kinds.add(spec.memory_kind);
  }
}

// The positions of this process's partitions, which are in a row.
void find_positions(Compiled &compiled) {
  const int64_t processes = compiled.team == nullptr ? 1 : std::ssize(compiled.team->processes());
  const int64_t rank = compiled.team == nullptr ? 0 : static_cast<int64_t>(compiled.team->rank());
  std::vector<int64_t> own; // in the order of positions
  for (const int64_t partition : compiled.partitions)
    if (partition * processes / compiled.num_partitions == rank)
      own.push_back(partition);
  const int64_t first = std::ranges::min(own);
  compiled.positions.resize(own.size());
  for (size_t position = 0; position < own.size(); ++position)
    compiled.positions[static_cast<size_t>(own[position] - first)] = position;
}

// Of arrays that JAX has whole everywhere, since it has no word for how they lie in the program: actions that
// make them so there too. One process moves them itself.
std::string whole_arrays(const Compiled &compiled) {
  std::string spec;
  const auto add = [&](const char *what, const std::vector<ArraySpec> &specs) {
    for (size_t i = 0; i < specs.size(); ++i)
      if (specs[i].is_moved && specs[i].sharding.empty()) {
        spec += std::string("shard(") + what + "=" + std::to_string(i) + ", [";
        for (size_t d = 0; d < specs[i].dims.size(); ++d)
          spec += d ? ", {}" : "{}";
        spec += "])\n";
      }
  };
  add("arg", compiled.arguments);
  add("result", compiled.results);
  return spec;
}

// What several processes run is bound once more with the first run, when all of them are there.
void leave_to_team(Compiled &compiled) {
  const auto check_place = [&](const char *what, const std::vector<ArraySpec> &specs) {
    for (size_t i = 0; i < specs.size(); ++i)
      if (specs[i].is_moved)
        throw Failure{abi::Code::unimplemented,
                      std::string(what) + " " + std::to_string(i) + " of " + compiled.name +
                          " lies otherwise for JAX than in the program, and no process has all of it: state "
                          "a sharding that divides it into tiles of one size and has no unreduced axes"};
  };
  check_place("argument", compiled.arguments);
  check_place("result", compiled.results);
  compiled.identity = identity_of(compiled);
  compiled.executable.reset();
  compiled.is_quick = false; // its runs wait for others
}

// For whoever asked: what the program does, in a text and a page of its own.
void write_report(const std::string &folder, const Compiled &compiled) {
  static std::atomic<int> number{0};
  const std::string begin = folder + "/" + std::to_string(number++) + "_" + compiled.name;
  const auto write = [&](const char *ending, auto make_blob) {
    std::ofstream out(begin + ending);
    out << text_of(make_blob);
    if (!out.flush())
      throw Failure{abi::Code::unavailable, "the report cannot be written to " + begin + ending};
  };
  const tw_program_t *const program = compiled.program.get();
  write(".txt", [&](tw_blob_t **blob) { return tw_program_report(program, 0, blob); });
  write(".html", [&](tw_blob_t **blob) { return tw_program_page(program, nullptr, nullptr, blob); });
}

} // namespace

tw_executable_options_t options_of(const Compiled &compiled, const tw_context_t *context) {
  tw_executable_options_t how{};
  how.struct_size = sizeof how;
  how.context = context;
  how.tiles = !compiled.is_whole;
  how.donate = 1;
  return how;
}

std::span<const abi::NamedValue> Compiled::costs() const {
  std::call_once(costs_known_, [&] {
    // Custom calls count nothing, so it does not matter whose they are.
    tw_import_options_t how{};
    how.struct_size = sizeof how;
    const auto graph = make<GraphHandle>(
        [&](tw_graph_t **out) { return tw_graph_import(code.data(), code.size(), &how, out); });
    const auto info =
        nlohmann::json::parse(text_of([&](tw_blob_t **out) { return tw_graph_info(graph.get(), 0, out); }));
    costs_.add("flops", info.at("flops").get<float>());
    costs_.add("bytes accessed", static_cast<float>(bytes_accessed));
  });
  return costs_.list();
}

void Compiled::Texts::add(const std::string &text) {
  data.push_back(text.data());
  sizes.push_back(text.size());
}

std::shared_ptr<const Compiled> compile(Client &client, std::string_view code, int64_t num_partitions,
                                        const std::string &policy, std::shared_ptr<Team> team) {
  auto compiled = std::make_shared<Compiled>();
  compiled->code = code;
  compiled->num_partitions = num_partitions;
  compiled->policy = policy;
  compiled->team = std::move(team);
  compiled->fingerprint =
      hex_of(hash_of(policy + client.version, hash_of(code, static_cast<uint64_t>(num_partitions))));
  const GraphHandle graph = import(code);
  compiled->name = tw_graph_name(graph.get());
  compiled->program = lower(graph.get(), num_partitions, policy);
  const auto mesh =
      make<MeshHandle>([&](tw_mesh_t **out) { return tw_program_mesh(compiled->program.get(), out); });
  for (int64_t p = 0; p < num_partitions; ++p)
    compiled->partitions.push_back(tw_mesh_device_id(mesh.get(), p));
  find_positions(*compiled);
  describe_arrays(client, graph.get(), *compiled);
  if (const std::string spec = compiled->team != nullptr ? whole_arrays(*compiled) : ""; !spec.empty()) {
    compiled->program = lower(graph.get(), num_partitions, policy, spec);
    compiled->arguments.clear();
    compiled->results.clear();
    describe_arrays(client, graph.get(), *compiled);
  }
  bind(client, *compiled);
  find_donations(graph.get(), *compiled);
  find_owners(*compiled);
  count(graph.get(), *compiled);
  list_answers(*compiled);
  if (compiled->team != nullptr) {
    check_effects(graph.get());
    leave_to_team(*compiled);
  }
  if (!client.options.report.empty())
    write_report(client.options.report, *compiled);
  return compiled;
}

} // namespace tw::pjrt
