// SPDX-License-Identifier: Apache-2.0
// tw run: plans, lowers, runs on the devices of this process or of those that mpirun started, and compares
// with the unpartitioned run.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "base/figures.hpp"
#include "cli/arrays.hpp"
#include "cli/comparison.hpp"
#include "cli/json.hpp"
#include "cli/nonfinite.hpp"
#include "cli/observe.hpp"
#include "cli/processes.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_run {

namespace {

struct Times {
  double min_ms = 0, median_ms = 0;
  size_t runs = 0;
};

// Where each process reads and writes what its own devices hold, and nobody the whole: `--outputs` is a
// folder, or not there.
bool in_tiles(const Processes &processes, const Options &options) {
  return processes.comm() != nullptr && options.check == "none" &&
         (options.outputs.empty() || options.outputs.ends_with('/'));
}

// Results of one program, and how long it took.
struct Run {
  std::vector<Tensor> outputs;
  Times times = {};
  Json profile = nullptr;    // where it was asked for
  Json on_host = nullptr;    // where devices are not the host
  int64_t peak_bytes = 0;    // of the device of this process that needs most
  std::string exchange = {}; // how what goes between processes does so; "": nothing does
};

double timed_ms(const auto &work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

Times summary(std::vector<double> ms) {
  std::ranges::sort(ms);
  const size_t n = ms.size();
  return {ms.front(), (ms[(n - 1) / 2] + ms[n / 2]) / 2, n};
}

// --repeat N: N runs after one warm-up. Without it three, or the first alone where that takes a second, or
// where several processes would have to agree whether it did.
Run run_program(const tw_program_t *program, const tw_graph_t *graph, const std::vector<Tensor> &whole_inputs,
                const Options &options, const char *what, Progress &progress, bool is_observed = false,
                tw_comm_t *comm = nullptr, bool tiles = false) {
  tw_executable_options_t how{};
  how.struct_size = sizeof how;
  how.workers = options.workers;
  how.observe = is_observed ? observed(options) : 0;
  how.comm = comm;
  how.tiles = tiles;
  how.donate = options.donate;
  how.device = options.device.c_str();
  how.tf32 = options.tf32;
  how.same_bits = options.same_bits;
  if (!options.gpus.empty())
    how.gpus = options.gpus.c_str();
  how.exchange = options.exchange.c_str();
  how.fast_sums = options.fast_sums;
  how.whole_outputs = options.check != "none" || !options.outputs.empty();
  progress.say(fmt::format("preparing the {} program", what));
  const auto executable =
      make<Executable>([&](tw_executable_t **out) { return tw_executable_create(program, &how, out); });
  const std::vector<Tensor> own =
      tiles ? make_input_tiles(graph, executable.get(), options) : std::vector<Tensor>();
  Run run{.outputs = tiles ? make_output_tiles(graph, executable.get()) : make_outputs(graph)};
  const std::vector<Tensor> &given = tiles ? own : whole_inputs;
  auto in = const_pointers(given);
  std::vector<Tensor> consumed(in.size()); // copies of what is donated
  const size_t each = tiles ? tw_executable_num_devices(executable.get()) : 1; // of one argument
  for (size_t i = 0; i < in.size(); ++i)
    if (tw_executable_donated_to(executable.get(), i / each) >= 0) {
      size_t rank = 0;
      const int64_t *dims = tw_tensor_dims(in[i], &rank);
      consumed[i] = make<Tensor>([&](tw_tensor_t **made) {
        return tw_tensor_create(nullptr, tw_tensor_dtype(in[i]), dims, rank, made);
      });
      in[i] = consumed[i].get();
    }
  const auto out = pointers(run.outputs);
  const auto once = [&] {
    for (size_t i = 0; i < in.size(); ++i)
      if (consumed[i] && tw_tensor_bytes(in[i]) > 0)
        std::memcpy(tw_tensor_data(consumed[i].get()), tw_tensor_const_data(given[i].get()),
                    tw_tensor_bytes(in[i]));
    return timed_ms([&] {
      const tw_status_t status =
          tw_executable_run(executable.get(), in.data(), in.size(), out.data(), out.size());
      if (status == TW_OK)
        return;
      const Failure failure = last_failure();
      if (is_observed)
        write_observations(executable.get(), options, true);
      throw failure;
    });
  };
  progress.say(fmt::format("running the {} program", what));
  const double first = once();
  constexpr double long_ms = 1000;
  const size_t repeat = options.repeat > 0                   ? static_cast<size_t>(options.repeat)
                        : comm == nullptr && first < long_ms ? 3
                                                             : 0;
  std::vector<double> ms;
  Progress timing(options);
  for (size_t i = 0; i < repeat; ++i) {
    timing.step(fmt::format("timing the {} program", what), i, repeat);
    ms.push_back(once());
  }
  if (ms.empty())
    ms.push_back(first);
  run.times = summary(std::move(ms));
  if (is_observed)
    write_observations(executable.get(), options, false);
  for (size_t d = 0; d < tw_executable_num_devices(executable.get()); ++d)
    run.peak_bytes = std::max(run.peak_bytes, tw_executable_peak_bytes(executable.get(), d));
  if (comm != nullptr)
    run.exchange = exchange_of(executable.get());
  if (is_observed && options.profile)
    run.profile = profile_of(executable.get());
  if (options.device != "host")
    run.on_host =
        Json::parse(text_of([&](tw_blob_t **blob) { return tw_executable_on_host(executable.get(), blob); }));
  if (tiles && !options.outputs.empty())
    write_output_tiles(options.outputs, graph, executable.get(), run.outputs);
  return run;
}

Run evaluate(const tw_graph_t *graph, const std::vector<Tensor> &inputs, Progress &progress) {
  Run run{.outputs = make_outputs(graph)};
  const auto in = const_pointers(inputs);
  const auto out = pointers(run.outputs);
  progress.say("running the reference evaluator (slow)");
  run.times = summary(
      {timed_ms([&] { check(tw_graph_evaluate(graph, in.data(), in.size(), out.data(), out.size())); })});
  return run;
}

std::string milliseconds(double ms) { return fmt::format("{:.{}f} ms", ms, ms < 1 ? 3 : 1); }

std::string times_line(const char *what, const Times &t) {
  if (t.runs == 1)
    return fmt::format("  {:<14} {} (one run)", what, milliseconds(t.min_ms));
  return fmt::format("  {:<14} min {}, median {} ({} runs)", what, milliseconds(t.min_ms),
                     milliseconds(t.median_ms), t.runs);
}

Json to_json(const Times &t) { return {{"min", t.min_ms}, {"median", t.median_ms}}; }

// What decides the arrays, and in which order what is run: other processes must have been told the same.
Processes::Facts facts_of(const Options &options, bool tiles) {
  std::string fills;
  for (const auto &[arguments, pattern] : options.fills)
    fills += fmt::format("{}{}={}", fills.empty() ? "" : " ", arguments, pattern);
  const char *outputs = options.outputs.empty() ? "none" : tiles ? "a folder" : "a file";
  return {{"the inputs", options.inputs},
          {"the fills", fills},
          {"the seed", fmt::format("{}", options.seed)},
          {"the number of repeats", fmt::format("{}", options.repeat)},
          {"the check", options.check.empty() ? "the default" : options.check},
          {"donation", options.donate ? "on" : "off"},
          {"the exchange", options.exchange},
          {"fast sums", options.fast_sums ? "on" : "off"},
          {"TF32", options.tf32 ? "on" : "off"},
          {"the bits of functions", options.same_bits ? "the host's" : "the device's"},
          {"where outputs go", outputs}};
}

// Of all arrays, in their order.
std::string hash_of(const std::vector<Tensor> &arrays) {
  uint64_t hash = 0;
  for (const Tensor &array : arrays) {
    const auto *bytes = static_cast<const char *>(tw_tensor_const_data(array.get()));
    const size_t size = tw_tensor_bytes(array.get());
    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, bytes + at, std::min(sizeof word, size - at));
      hash = (std::rotl(hash, 5) ^ word) * 0x9e3779b97f4a7c15;
    }
  }
  return fmt::format("{:016x}", hash);
}

// What came of a run: how it went, beside another where there is one.
struct Outcome {
  const Graph &graph;
  const Program &program;
  const std::string &found_levels;       // empty: none
  const std::vector<std::string> &drawn; // arguments
  const Run &partitioned;
  bool against_reference; // the other run: that of the reference evaluator, else the unpartitioned one
  const std::optional<Run> &expected;
  const std::optional<Comparison> &comparison;

  const char *baseline() const { return against_reference ? "reference" : "unpartitioned"; }
};

void print_json(const Outcome &o) {
  Json json = report_of(o.program.get());
  json["peak_measured_bytes"] = o.partitioned.peak_bytes;
  json["drawn"] = o.drawn;
  if (!o.found_levels.empty())
    json["found_levels"] = o.found_levels;
  if (!o.partitioned.exchange.empty())
    json["exchange"] = o.partitioned.exchange;
  json["check"] = o.comparison ? o.comparison->json(o.baseline()) : Json{{"against", "none"}};
  json["time_ms"]["partitioned"] = to_json(o.partitioned.times);
  if (!o.partitioned.profile.is_null())
    json["profile"] = o.partitioned.profile;
  if (!o.partitioned.on_host.is_null())
    json["on_host"] = o.partitioned.on_host;
  if (o.expected)
    json["time_ms"][o.baseline()] = to_json(o.expected->times);
  print(json.dump(2) + "\n");
}

void print_tables(const Outcome &o, const Options &options) {
  print_report(o.program.get(), options);
  const size_t arguments = tw_graph_num_arguments(o.graph.get());
  const bool all = o.drawn.size() == arguments;
  if (!o.found_levels.empty())
    print(fmt::format("levels      {}, found; sums keep the order of devices (--levels states others)\n",
                      o.found_levels));
  if (!o.partitioned.exchange.empty())
    print(fmt::format("exchange    {}\n", o.partitioned.exchange));
  if (!o.drawn.empty())
    print(fmt::format("inputs      {} drawn at random (--seed {}){}\n",
                      all ? fmt::format("all {} arguments", arguments)
                          : fmt::format("{} of {} arguments", o.drawn.size(), arguments),
                      options.seed, all ? "" : ": " + listed(o.drawn)));
  if (o.comparison)
    print(fmt::format("\ncheck against the {} run\n{}", o.baseline(),
                      o.comparison->table(report_width(), options.all_rows)));
  print(fmt::format("\ntime\n{}\n", times_line("partitioned", o.partitioned.times)));
  if (o.expected)
    print(fmt::format("{}\n", times_line(o.baseline(), o.expected->times)));
  if (o.expected && !o.against_reference)
    print(fmt::format(
        "  {:<14} {:.2f}x (medians)\n\nmemory\n  {:<14} measured peak {} on the device that needs most\n"
        "  {:<14} measured peak {}\n",
        "ratio", o.partitioned.times.median_ms / o.expected->times.median_ms, "partitioned",
        bytes_text(o.partitioned.peak_bytes), "unpartitioned", bytes_text(o.expected->peak_bytes)));
  print("\n");
}

int run_on(const Processes &processes, const Options &options) {
  const bool tiles = in_tiles(processes, options);
  processes.agree(facts_of(options, tiles));
  Progress progress(options);
  progress.say("reading " + options.file);
  const Graph graph = import_program(options);
  const bool compare = options.check != "none";
  const bool against_reference =
      options.check == "reference" || (options.check.empty() && tw_graph_grid_rank(graph.get()) > 0);
  progress.say("planning");
  const Plan plan = make_plan(graph.get(), options);
  const std::string found_levels = options.levels.empty() ? processes.levels(plan.get()) : "";
  const Program program = lower(plan.get(), options, found_levels);
  const std::vector<std::string> drawn = drawn_arguments(graph.get(), options);
  const std::vector<Tensor> inputs = tiles ? std::vector<Tensor>() : make_inputs(graph.get(), options);

  if (!tiles && processes.comm() != nullptr)
    processes.agree({{"the values of the arguments", hash_of(inputs)}});

  const Run partitioned = run_program(program.get(), graph.get(), inputs, options, "partitioned", progress,
                                      processes.is_first(), processes.comm(), tiles);
  if (!processes.is_first())
    return kGood;
  std::optional<Run> expected;
  Program unpartitioned;
  if (against_reference)
    expected = evaluate(graph.get(), inputs, progress);
  else if (compare) {
    unpartitioned =
        make<Program>([&](tw_program_t **out) { return tw_program_unpartitioned(graph.get(), out); });
    expected = run_program(unpartitioned.get(), graph.get(), inputs, options, "unpartitioned", progress);
  }
  std::optional<Comparison> comparison;
  // Libraries for GPUs choose an algorithm for a product's sizes, so a tile may be summed in another order.
  const bool keeps_bits = options.device != "cuda";
  if (expected)
    comparison = compare_outputs(graph.get(), program.get(), inputs, partitioned.outputs, expected->outputs,
                                 !against_reference && keeps_bits, progress);
  if (comparison && comparison->has_nonfinite())
    comparison->set_nonfinite(find_nonfinite(graph.get(), inputs, options.seed, progress));
  progress.clear();
  if (!options.outputs.empty() && !tiles)
    write_outputs(options.outputs, graph.get(), partitioned.outputs);

  // Inputs that somebody chose are theirs to judge; ours must not pass by accident.
  const bool ours = options.inputs.empty() && options.fills.empty() && !inputs.empty();
  int status = verdict_of_plan(plan.get(), program.get(), options);
  if (comparison && (!comparison->pass() || comparison->is_mistrusted(ours)))
    status = kAnswerNo;

  const Outcome outcome{graph,       program,           found_levels, drawn,
                        partitioned, against_reference, expected,     comparison};
  if (options.json) {
    print_json(outcome);
    return status;
  }
  if (!options.quiet)
    print_tables(outcome, options);
  if (!partitioned.profile.is_null())
    print(fmt::format("profile (processor time of all workers; rates of one worker)\n{}\n",
                      profile_table(partitioned.profile, report_width())));
  if (!partitioned.on_host.is_null() && (!options.quiet || options.profile))
    print(on_host_table(partitioned.on_host, report_width()) + "\n");
  if (comparison)
    print(comparison->verdict(outcome.baseline(), ours, use_color(options, STDOUT_FILENO)));
  else
    print("ran; not compared (--check none)\n");
  return status;
}

int run(CommandLine &line) {
  const Options &options = line.options;
  line.take_file();
  line.take_plan();
  line.take_run();
  line.parse();
  return in_processes(options.mpi, [&](const Processes &processes) { return run_on(processes, options); });
}

} // namespace

const Verb verb = {
    "run", "plan, lower, run on devices of this process or of several, compare with the unpartitioned run",
    run};

} // namespace tw::cli::verb_run
