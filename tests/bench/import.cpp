// SPDX-License-Identifier: Apache-2.0
// How fast text becomes a verified graph, and how much memory an op takes, against the time to read every
//   byte once. ./dev bench import [--ops N,N] [--repeat N] [--json FILE]
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/training_step.hpp"
#include "import/import.hpp"

int main(int argc, char **argv) {
  using namespace tw;
  const std::string repeat_text = bench::option(argc, argv, "--repeat");
  const int repeat = repeat_text.empty() ? 5 : std::atoi(repeat_text.c_str());
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  fmt::print("import and verify, limit >= 60 MB/s and <= 1024 bytes an op\n"
             "{:>9} {:>8} {:>9} {:>8} {:>13} {:>12}\n",
             "ops", "MB", "ms", "MB/s", "x byte sum", "bytes an op");
  for (const int64_t size : bench::sizes(argc, argv)) {
    const std::string text = bench::training_step(size);
    size_t ops = 0, bytes = 0;
    const double ms = bench::best_ms(repeat, [&] {
      auto imported = import::import_text(text);
      if (!imported) {
        fmt::print(stderr, "{}\n", imported.error().message());
        std::exit(1);
      }
      ops = imported->graph->ops().size();
      bytes = imported->graph->memory_bytes();
    });
    volatile unsigned sink = 0;
    const double floor = bench::best_ms(repeat, [&] {
      sink = std::accumulate(text.begin(), text.end(), 0u,
                             [](unsigned sum, char c) { return sum + static_cast<unsigned char>(c); });
    });
    const double megabytes = static_cast<double>(text.size()) / 1e6,
                 an_op = static_cast<double>(bytes) / static_cast<double>(ops);
    fmt::print("{:>9} {:>8.1f} {:>9.1f} {:>8.1f} {:>13.1f} {:>12.0f}\n", ops, megabytes, ms,
               megabytes / ms * 1e3, ms / floor, an_op);
    json.push_back({{"ops", ops},
                    {"bytes", text.size()},
                    {"ms", ms},
                    {"mb_per_s", megabytes / ms * 1e3},
                    {"limit_mb_per_s", 60},
                    {"bytes_an_op", an_op}});
  }
  if (const auto path = bench::option(argc, argv, "--json"); !path.empty())
    std::ofstream(path) << json.dump(2) << "\n";
}
