// SPDX-License-Identifier: Apache-2.0
// How fast C walks a graph: every op with its operands and attributes, every value with its uses, against the
// time to read the graph's memory once. ./dev bench walk [--ops N,N] [--repeat N]
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "bench/training_step.hpp"
#include <tilewright/tw.h>

namespace {

void need_ok(tw_status_t status) {
  if (status == TW_OK)
    return;
  fmt::print(stderr, "{}\n", tw_error_message());
  std::exit(1);
}

} // namespace

int main(int argc, char **argv) {
  using namespace tw;
  const std::string repeat_text = bench::option(argc, argv, "--repeat");
  const int repeat = repeat_text.empty() ? 5 : std::atoi(repeat_text.c_str());
  fmt::print("walk of a graph through the C interface, limit <= 10 ms for 300,000 ops\n"
             "{:>9} {:>9} {:>9} {:>11}\n",
             "ops", "ops ms", "values ms", "ns an op");
  for (const int64_t size : bench::sizes(argc, argv)) {
    const std::string text = bench::training_step(size);
    tw_graph_t *graph = nullptr;
    need_ok(tw_graph_import(text.data(), text.size(), nullptr, &graph));
    const auto ops = static_cast<tw_op_t>(tw_graph_op_end(graph));
    volatile uint64_t sink = 0;
    const double ops_ms = bench::best_ms(repeat, [&] {
      uint64_t sum = 0;
      tw_op_view_t view{};
      view.struct_size = sizeof view;
      for (tw_op_t op = 0; op < ops; ++op) {
        need_ok(tw_graph_op(graph, op, &view));
        for (uint32_t i = 0; i < view.num_operands; ++i)
          sum += view.operands[i];
        sum += view.num_attrs;
      }
      sink = sum;
    });
    const double values_ms = bench::best_ms(repeat, [&] {
      uint64_t sum = 0;
      tw_value_view_t view{};
      view.struct_size = sizeof view;
      for (tw_value_t v = 0; v < tw_graph_value_end(graph); ++v) {
        need_ok(tw_graph_value(graph, v, &view));
        for (uint32_t i = 0; i < view.num_uses; ++i)
          sum += view.uses[i].op;
      }
      sink = sum;
    });
    fmt::print("{:>9} {:>9.2f} {:>9.2f} {:>11.1f}\n", ops, ops_ms, values_ms,
               (ops_ms + values_ms) / ops * 1e6);
    tw_graph_release(graph);
  }
  return 0;
}
