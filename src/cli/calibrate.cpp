// SPDX-License-Identifier: Apache-2.0
// Each figure is a difference: a program of some ops beside one of twice as many, so that what a run costs
// besides its steps is not in it.
#include "cli/calibrate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "cli/arrays.hpp"
#include "cli/calibrate_link.hpp"
#include "cli/handles.hpp"
#include "cli/json.hpp"
#include "cli/session.hpp"

namespace tw::cli {

namespace {

constexpr double kEnough = 0.1; // seconds that a probe is run, at least three times
constexpr int kRow = 1024;      // elements of a row of arrays
constexpr double kMost = 75;    // seconds in all

// What one run of a program takes, and what it computes.
struct Probe {
  double seconds = 0, flops = 0;
  Probe operator-(const Probe &less) const { return {seconds - less.seconds, flops - less.flops}; }
};

double since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string program(const std::string &type, const std::string &more, const std::string &ops, int last) {
  return fmt::format("func.func @main(%0: {0}{1}) -> {0} {{\n{2}  return %{3} : {0}\n}}\n", type, more, ops,
                     last);
}

// A chain of products of square arrays.
std::string products(const std::string &element, int side, int count) {
  const std::string type = fmt::format("tensor<{0}x{0}x{1}>", side, element);
  std::string ops;
  for (int i = 0; i < count; ++i)
    ops += fmt::format(
        "  %{0} = stablehlo.dot_general %{1}, %w, contracting_dims = [1] x [0] : ({2}, {2}) -> {2}\n", i + 1,
        i, type);
  return program(type, ", %w: " + type, ops, count);
}

// Sums of columns, each added to its column: sums of rows would make one step of all.
std::string sums(int rows, int count) {
  const std::string type = fmt::format("tensor<{}x{}xf32>", rows, kRow),
                    sum = fmt::format("tensor<{}xf32>", kRow);
  std::string ops = "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n";
  for (int i = 0; i < count; ++i)
    ops += fmt::format(
        "  %s{0} = stablehlo.reduce(%{0} init: %z) applies stablehlo.add across dimensions = [0] : "
        "({1}, tensor<f32>) -> {2}\n"
        "  %b{0} = stablehlo.broadcast_in_dim %s{0}, dims = [1] : ({2}) -> {1}\n"
        "  %{3} = stablehlo.add %{0}, %b{0} : {1}\n",
        i, type, sum, i + 1);
  return program(type, "", ops, count);
}

// What a network does element by element, in arrays that a cache holds: functions, and what processors do at
// once.
std::string elementwise(bool functions, int count) {
  const std::string type = "tensor<128x256xf32>";
  std::string ops;
  const char *const turn = functions ? "  %a{0} = stablehlo.tanh %{0} : {1}\n"
                                       "  %{2} = stablehlo.exponential %a{0} : {1}\n"
                                     : "  %a{0} = stablehlo.multiply %{0}, %w : {1}\n"
                                       "  %b{0} = stablehlo.add %a{0}, %{0} : {1}\n"
                                       "  %c{0} = stablehlo.maximum %b{0}, %w : {1}\n"
                                       "  %{2} = stablehlo.subtract %c{0}, %a{0} : {1}\n";
  for (int i = 0; i < count; ++i)
    ops += fmt::format(fmt::runtime(turn), i, type, i + 1);
  return program(type, ", %w: " + type, ops, count);
}

class Calibrator {
public:
  Calibrator(const Processes &processes, const Options &options, Progress &progress)
      : processes_(processes), options_(options), progress_(progress) {}

  std::string text() {
    say("steps");
    constexpr int kTiny = 1000; // each a step
    launch_s_ = doubled(kTiny, [](int n) { return products("f32", 8, n); }).seconds / kTiny;
    const std::vector<std::string> types = {"f32", "bf16", "f64"};
    std::string flops, matmul;
    double peak_f32 = 0;
    for (const std::string &type : types) {
      const Ladder found = ladder_of_products(type);
      peak_f32 = type == "f32" ? found.peak : peak_f32;
      flops += fmt::format(" flops.{}={:.3g}", type, found.peak);
      matmul += fmt::format(" {}={}", type == "f32" ? "matmul" : "matmul." + type, found.text());
    }
    const Ladder memory = ladder_of_memory();
    say("elementwise ops");
    const Probe other = doubled(24, [](int n) { return elementwise(false, n); });
    const Probe functions = doubled(12, [](int n) { return elementwise(true, n); });
    const auto part = [&](const Probe &probe) {
      return std::clamp(probe.flops / probe.seconds / peak_f32, 1e-4, 1.0);
    };
    say("what moves between devices");
    const MeasuredLink link = measured_link(processes_, memory.peak, options_, progress_);
    const Between between = processes_.comm() == nullptr ? in_one_process(link) : in_many(link);
    return fmt::format("{}Measured by\n"
                       "# `tw info --calibrate`, version {}.\n"
                       "[device]  name=this-machine{}\n"
                       "          hbm_bytes={:.4g} hbm_bw={:.3g} launch_s={:.2g}{}\n"
                       "[eff]     by=flops{}\n"
                       "          hbm={} other={:.2g} functions={:.2g}\n"
                       "[axis *]  {}\n"
                       "[overlap] enabled=0\n",
                       between.who, TW_VERSION, flops, physical_memory() / between.sharers, memory.peak,
                       launch_s_, between.device, matmul, memory.text(), part(other), part(functions),
                       between.link);
  }

private:
  // Whose figures they are, how many share the memory, and what the file says of that and of the links.
  struct Between {
    std::string who;
    double sharers;
    std::string device, link;
  };
  static std::string link_text(const MeasuredLink &link, const char *topology) {
    return fmt::format("topology={} bw={:.3g} lat={:.2g} base={:.2g}", topology, link.bytes_per_s,
                       link.step_s, link.base_s);
  }
  static Between in_one_process(const MeasuredLink &link) {
    return {"# Devices of one process, which share the processors of this machine. ", 1,
            " at_once=1 shared_memory=1", link_text(link, "switch")};
  }
  Between in_many(const MeasuredLink &link) const {
    const int32_t size = tw_comm_size(processes_.comm());
    return {fmt::format("# {} processes on {} host{} over MPI, each a device, all at work. ", size,
                        link.hosts, link.hosts == 1 ? "" : "s"),
            std::max(1.0, static_cast<double>(size) / static_cast<double>(link.hosts)), "",
            link_text(link, "ring")};
  }

  // Rates by size.
  struct Ladder {
    std::vector<std::pair<double, double>> rates; // ascending by size
    double peak = 0;
    // A rate holds from half way to the size before it, which is a factor.
    std::string text() const {
      std::string all;
      for (size_t i = 0; i < rates.size(); ++i)
        all += fmt::format("{}{:.3g}:{:.3g}", i == 0 ? "" : ",",
                           i == 0 ? 0 : std::sqrt(rates[i - 1].first * rates[i].first),
                           std::clamp(rates[i].second / peak, 1e-4, 1.0));
      return all;
    }
    // Sizes ascend, and by so much that they are printed as two.
    void add(double size, double rate) {
      peak = std::max(peak, rate);
      if (rates.empty() || size > 1.1 * rates.back().first)
        rates.emplace_back(size, rate);
    }
  };

  static double physical_memory() {
    const auto pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? static_cast<double>(pages) * static_cast<double>(bytes) : 1e9;
  }

  Ladder ladder_of_products(const std::string &type) {
    Ladder ladder;
    for (const int side : {16, 32, 64, 128, 256, 512, 1024}) {
      say(fmt::format("products of {}, {} x {}", type, side, side));
      const double each = 2.0 * side * side * side;
      const int count = std::clamp(static_cast<int>(2e7 / each), 2, 600);
      if (!ladder.rates.empty() && !has_time_for(10 * 6 * count * each / ladder.rates.back().second))
        break; // a type that this machine computes slowly: larger products reach no more
      const Probe probe = doubled(count, [&](int n) { return products(type, side, n); });
      const double step = probe.seconds / count;
      ladder.add(each / 1e9,
                 each / std::max(step - launch_s_, step / 2)); // launches are not known that exactly
    }
    return ladder;
  }

  Ladder ladder_of_memory() {
    Ladder ladder;
    for (const int rows : {4, 16, 64, 256, 1024, 4096, 16384}) {
      say(fmt::format("memory, arrays of {} kB", rows * kRow * 4 / 1024));
      const int count = std::clamp(2000 / rows, 2, 400);
      const Probe probe = doubled(count, [&](int n) { return sums(rows, n); });
      // A sum reads the array; an addition reads it and writes one.
      const double array = rows * kRow * 4.0, step = probe.seconds / count / 2;
      ladder.add(1.5 * array, 1.5 * array / std::max(step - launch_s_, step / 2));
    }
    return ladder;
  }

  void say(std::string what) {
    progress_.say(what);
    what_ = std::move(what);
  }

  // Again where something else was in the way, so that the longer program took hardly longer.
  template <class Write> Probe doubled(int count, Write &&write) {
    do {
      const Probe twice = measured(write(2 * count)), once = measured(write(count));
      if (twice.seconds > 1.2 * once.seconds)
        return twice - once;
    } while (since(begin_) < kMost);
    throw fail(
        "unavailable", "TW-812",
        fmt::format(
            "--calibrate: what runs beside it on this machine takes more than what is measured ({}): try "
            "again when nothing does",
            what_));
  }
  // Whether a probe that takes so much may begin.
  bool has_time_for(double seconds) const { return since(begin_) + seconds < kMost; }

  Probe measured(const std::string &text) {
    Options how = options_;
    how.fills = {{"*", "zeros"}};
    const Graph graph = import_text(text, "probe", how);
    const auto program =
        make<Program>([&](tw_program_t **out) { return tw_program_unpartitioned(graph.get(), out); });
    const std::vector<Tensor> in = make_inputs(graph.get(), how), out = make_outputs(graph.get());
    const auto inputs = const_pointers(in);
    const auto outputs = pointers(out);
    tw_executable_options_t options{};
    options.struct_size = sizeof options;
    options.workers = options_.workers;
    const auto executable = make<Executable>(
        [&](tw_executable_t **made) { return tw_executable_create(program.get(), &options, made); });
    const auto once = [&] {
      const auto begin = std::chrono::steady_clock::now();
      check(
          tw_executable_run(executable.get(), inputs.data(), inputs.size(), outputs.data(), outputs.size()));
      return since(begin);
    };
    once();
    // The least: whatever else runs on this machine only adds.
    Probe probe{once(), flops_of(graph.get())};
    size_t runs = 1;
    for (const auto begin = std::chrono::steady_clock::now(); runs < 3 || since(begin) < kEnough; ++runs)
      probe.seconds = std::min(probe.seconds, once());
    return probe;
  }

  static double flops_of(const tw_graph_t *graph) {
    return Json::parse(text_of([&](tw_blob_t **out) { return tw_graph_info(graph, 0, out); }))
        .at("flops")
        .get<double>();
  }

  const Processes &processes_;
  const Options &options_;
  Progress &progress_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double launch_s_ = 0;
  std::string what_; // that is measured
};

} // namespace

std::string calibrated_system(const Processes &processes, const Options &options, Progress &progress) {
  if (processes.comm() != nullptr && tw_comm_size(processes.comm()) < 2)
    throw usage("--calibrate --comm mpi measures between processes: start two at least, with mpirun");
  return Calibrator(processes, options, progress).text();
}

} // namespace tw::cli
