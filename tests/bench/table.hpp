// SPDX-License-Identifier: Apache-2.0
// Figures beside their limits: printed one a line, and written as the JSON rows that `./dev bench runtime`
// gathers.
#pragma once

#include <cstdio>
#include <fstream>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tw::bench {

class Table {
public:
  explicit Table(std::string bench) : bench_(std::move(bench)) {}

  // A ratio of two figures in one unit, measured in the same run. It is to be at most the limit, or at least.
  void ratio(const std::string &name, double ours, const std::string &peer, double theirs,
             const std::string &unit, double limit, bool at_least = false) {
    row(name, ours / theirs, "", limit, at_least,
        fmt::format("{:.4g} / {} {:.4g} {}", ours, peer, theirs, unit),
        {{"ours", ours}, {"peer", peer}, {"theirs", theirs}, {"unit", unit}});
  }
  // A figure beside a limit in the same unit.
  void figure(const std::string &name, double value, const std::string &unit, double limit) {
    row(name, value, unit, limit, false, "", {{"unit", unit}});
  }

  void write(const std::string &file) const {
    if (!file.empty())
      std::ofstream(file) << nlohmann::ordered_json{{"bench", bench_}, {"rows", rows_}}.dump(2) << '\n';
  }

private:
  void row(const std::string &name, double value, const std::string &unit, double limit, bool at_least,
           const std::string &how, const nlohmann::ordered_json &more) {
    const bool kept = at_least ? value >= limit : value <= limit;
    fmt::print("{:<58} {:>9.4g} {:<3} {} {:<8.4g} {:6}  {}\n", name, value, unit,
               at_least ? ">=" : "<=", limit, kept ? "" : "MISSED", how);
    std::fflush(stdout);
    nlohmann::ordered_json json{
        {"name", name}, {"value", value}, {"limit", limit}, {"at_least", at_least}, {"kept", kept}};
    json.update(more);
    rows_.push_back(std::move(json));
  }

  std::string bench_;
  nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
};

} // namespace tw::bench
