// SPDX-License-Identifier: Apache-2.0
// Collectives of two kinds and several sizes, of which the closed forms of docs/estimate.md say what they
// have in common: the figures are those with the least squares of relative errors.
#include "cli/calibrate_link.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"
#include "cli/arrays.hpp"
#include "cli/handles.hpp"
#include "cli/session.hpp"

namespace tw::cli {

namespace {

constexpr double kProbed = 0.2;          // seconds that a probe is run
constexpr int32_t kDevicesOfProcess = 8; // that share the memory of one

// base + steps lat + bytes / bw
struct Sample {
  double steps, bytes, seconds;
};

double predicted(const Sample &s, const std::array<double, 3> &figures) {
  return figures[0] + s.steps * figures[1] + s.bytes * figures[2];
}

// Those of base, lat and 1 / bw that `free` names, the others 0; none where some would be negative.
std::optional<std::array<double, 3>> fitted(const std::vector<Sample> &samples,
                                            const std::vector<size_t> &free) {
  std::array<std::array<double, 4>, 3> rows{};
  for (const Sample &s : samples) {
    const std::array<double, 3> of = {1, s.steps, s.bytes};
    for (size_t i = 0; i < free.size(); ++i) {
      for (size_t j = 0; j < free.size(); ++j)
        rows[i][j] += of[free[i]] * of[free[j]] / (s.seconds * s.seconds);
      rows[i][free.size()] += of[free[i]] / s.seconds;
    }
  }
  for (size_t i = 0; i < free.size(); ++i) // each is a positive definite part, so no pivot is 0
    for (size_t k = 0; k < free.size(); ++k)
      if (k != i) {
        const double factor = rows[k][i] / rows[i][i];
        for (size_t j = 0; j <= free.size(); ++j)
          rows[k][j] -= factor * rows[i][j];
      }
  std::array<double, 3> figures{};
  for (size_t i = 0; i < free.size(); ++i)
    figures[free[i]] = rows[i][free.size()] / rows[i][i];
  const bool sound = std::ranges::all_of(figures, [](double f) { return std::isfinite(f) && f >= 0; });
  return sound ? std::optional(figures) : std::nullopt;
}

class Prober {
public:
  Prober(const Processes &processes, const Options &options)
      : processes_(processes), size_(is_alone() ? kDevicesOfProcess : tw_comm_size(processes.comm())),
        options_(options) {
    const std::string text = fmt::format("x={}", size_);
    mesh_ = make<Mesh>([&](tw_mesh_t **out) { return tw_mesh_parse(text.c_str(), out); });
  }

  // Of `count` collectives of so many elements each. What is gathered is given in tiles; what is added up is
  // one row of each device.
  double seconds(bool gathers, int64_t elements, int count) {
    std::string arguments, ops = "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n", names, types, spec;
    const std::string given =
        gathers ? fmt::format("tensor<{}xf32>", elements) : fmt::format("tensor<{}x{}xf32>", size_, elements);
    const std::string made = fmt::format("tensor<{}xf32>", elements);
    for (int i = 0; i < count; ++i) {
      const char *comma = i == 0 ? "" : ", ";
      arguments += fmt::format("{}%a{}: {}", comma, i, given);
      types += comma + made;
      names += fmt::format("{}%{}{}", comma, gathers ? "a" : "s", i);
      spec += fmt::format("tile(arg={}, dim=0, axis=x)\n", i);
      if (!gathers)
        ops += fmt::format(
            "  %s{0} = stablehlo.reduce(%a{0} init: %z) applies stablehlo.add across dimensions = "
            "[0] : ({1}, tensor<f32>) -> {2}\n",
            i, given, made);
    }
    spec += "infer-propagate\n";
    for (int i = 0; i < count; ++i)
      spec += fmt::format("shard(result={}, [{{}}])\n", i);
    return run(fmt::format("func.func @main({}) -> ({}) {{\n{}  return {} : {}\n}}\n", arguments, types, ops,
                           names, types),
               spec);
  }

  bool is_alone() const { return processes_.comm() == nullptr; }
  int32_t size() const { return size_; }
  size_t hosts() const { return hosts_; }

private:
  // The least of some runs, of which all processes make as many.
  double run(const std::string &text, const std::string &spec) {
    Options how = options_;
    how.fills = {{"*", "zeros"}};
    const Graph graph = import_text(text, "probe", how);
    const Plan plan =
        make<Plan>([&](tw_plan_t **out) { return tw_plan_create(graph.get(), mesh_.get(), nullptr, out); });
    check(tw_plan_apply(plan.get(), spec.data(), spec.size(), "probe"));
    if (!is_alone()) {
      const std::string levels = processes_.levels(plan.get()); // "host=[[0,1],[2,3]]"
      hosts_ = std::max<size_t>(static_cast<size_t>(std::ranges::count(levels, '[')), 2) - 1;
    }
    const char *const overlap = "overlap_messages"; // one collective after the other
    tw_lower_options_t lowering{};
    lowering.struct_size = sizeof lowering;
    lowering.without = &overlap;
    lowering.num_without = 1;
    const Program program =
        make<Program>([&](tw_program_t **out) { return tw_program_lower(plan.get(), &lowering, out); });
    tw_executable_options_t options{};
    options.struct_size = sizeof options;
    options.workers = options_.workers;
    options.comm = processes_.comm();
    options.tiles = 1;
    const auto executable = make<Executable>(
        [&](tw_executable_t **out) { return tw_executable_create(program.get(), &options, out); });
    const std::vector<Tensor> in = make_input_tiles(graph.get(), executable.get(), how),
                              out = make_output_tiles(graph.get(), executable.get());
    const auto inputs = const_pointers(in);
    const auto outputs = pointers(out);
    const auto once = [&] {
      const auto begin = std::chrono::steady_clock::now();
      check(
          tw_executable_run(executable.get(), inputs.data(), inputs.size(), outputs.data(), outputs.size()));
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    once();
    double least = once();
    auto runs = static_cast<int64_t>(std::clamp(kProbed / std::max(least, 1e-7), 5.0, 1000.0));
    if (!is_alone())
      check(tw_comm_share(processes_.comm(), 0, &runs));
    for (int64_t i = 0; i < runs; ++i)
      least = std::min(least, once());
    return least;
  }

  const Processes &processes_;
  const int32_t size_;
  const Options &options_;
  Mesh mesh_;
  size_t hosts_ = 1;
};

} // namespace

MeasuredLink measured_link(const Processes &processes, double memory_bytes_per_s, const Options &options,
                           Progress &progress) {
  constexpr int kCount = 4; // and twice as many: the difference has nothing of what a run costs besides
  Prober prober(processes, options);
  const double n = prober.size();
  // What devices of one process gather one of them copies for all; what they add up they do in turns.
  const double turns = prober.is_alone() ? n : 1;
  std::vector<Sample> samples;
  for (const bool gathers : {true, false})
    for (const int64_t part : {64, 4096, 65536, 1 << 20}) {
      const int64_t elements = part * static_cast<int64_t>(n);
      const double bytes = 4.0 * static_cast<double>(elements);
      progress.say(fmt::format("{} between {}, {}", gathers ? "all_gather" : "all_reduce",
                               prober.is_alone() ? "devices" : "processes", bytes_text(bytes)));
      const double twice = prober.seconds(gathers, elements, 2 * kCount),
                   once = prober.seconds(gathers, elements, kCount);
      // Each device reads its row of what is added up, and writes it for the others.
      const double computing = gathers ? 0 : turns * 2 * bytes / memory_bytes_per_s;
      const double rounds = gathers || prober.is_alone() ? 1 : 2;
      const double steps =
          prober.is_alone() ? std::bit_width(static_cast<uint64_t>(prober.size() - 1)) : n - 1;
      samples.push_back({rounds * steps, rounds * (gathers ? 1 : turns) * bytes * (n - 1) / n,
                         std::max((twice - once) / kCount - computing, once / kCount / 20)});
    }
  std::optional<std::array<double, 3>> best;
  double least = 0;
  for (const std::vector<size_t> &free : {std::vector<size_t>{0, 1, 2}, std::vector<size_t>{1, 2},
                                          std::vector<size_t>{0, 2}, std::vector<size_t>{2}})
    if (const auto found = fitted(samples, free); found && (*found)[2] > 0) {
      double error = 0;
      for (const Sample &s : samples)
        error += std::pow(predicted(s, *found) / s.seconds - 1, 2);
      if (!best || error < least) {
        best = found;
        least = error;
      }
    }
  return {1 / (*best)[2], (*best)[1], (*best)[0], prober.hosts()}; // bytes alone always fit
}

} // namespace tw::cli
