// SPDX-License-Identifier: Apache-2.0
// Redistribution: how long plans take to make, and how close running them comes to a plain copy.
//   ./dev bench redistribute [--rounds N] [--json FILE]
//   ./dev bench redistribute --problems FILE [--workers W] [--rounds N] --json FILE
//   ./dev bench redistribute --run [--shape 256,256,256] [--workers W] [--rounds N] [--json FILE] [FILTER]
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/redistribute_run.hpp"
#include "bench/redistribute_synthesis.hpp"

int main(int argc, char **argv) {
  std::string json_file, problems_file, filter;
  unsigned workers = 2;
  int rounds = 21;
  std::vector<int64_t> shape{256, 256, 256};
  bool run = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    const bool more = i + 1 < argc;
    if (arg == "--run")
      run = true;
    else if (arg == "--workers" && more)
      workers = static_cast<unsigned>(std::atoi(argv[++i]));
    else if (arg == "--rounds" && more)
      rounds = std::max(std::atoi(argv[++i]), 1);
    else if (arg == "--shape" && more)
      for (shape.clear(), ++i; shape.size() < 3; argv[i] += *argv[i] == ',')
        shape.push_back(std::strtoll(argv[i], &argv[i], 10));
    else if (arg == "--problems" && more)
      problems_file = argv[++i];
    else if (arg == "--json" && more)
      json_file = argv[++i];
    else
      filter = arg;
  }
  nlohmann::ordered_json json = {{"bench", "redistribute"}};
  if (!problems_file.empty())
    json["problems"] =
        tw::bench::run_problems(nlohmann::json::parse(std::ifstream(problems_file)), workers, rounds);
  else if (!run)
    json["synthesis"] = tw::bench::run_synthesis(rounds);
  else
    json["axis_pairs"] = tw::bench::run_axis_pairs(shape, workers, rounds, filter);
  if (!json_file.empty())
    std::ofstream(json_file) << json.dump(2) << '\n';
  return 0;
}
