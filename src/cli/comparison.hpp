// SPDX-License-Identifier: Apache-2.0
// How the results of a run compare with those of another: a row for each, and a verdict.
#pragma once

#include <string>
#include <vector>

#include "cli/handles.hpp"
#include "cli/json.hpp"
#include "cli/terminal.hpp"

namespace tw::cli {

class Comparison {
public:
  struct Output {
    std::string name, type;
    bool promised = false; // to be equal bit for bit
    tw_comparison_t figures{};
    std::string equal_argument = {}; // "": it equals none
  };
  Comparison(std::vector<Output> outputs, std::string note)
      : outputs_(std::move(outputs)), note_(std::move(note)) {}

  bool pass() const;
  bool has_nonfinite() const;
  // All outputs say little. `ours`: the inputs are the defaults, so that this is no success.
  bool is_mistrusted(bool ours) const;
  // Where NaN or Inf come from: an object of find_nonfinite.
  void set_nonfinite(Json found) { nonfinite_ = std::move(found); }

  Json json(const char *against) const;
  // A row an output. Of many, without `all`, those that agree make one line together but for the five that
  // differ most.
  std::string table(size_t width, bool all) const;
  // One line or a few.
  std::string verdict(const char *against, bool ours, bool color) const;

private:
  std::vector<Output> outputs_;
  std::string note_; // why there was no second opinion where one was due
  Json nonfinite_ = nullptr;

  std::string little_text() const;
};

// `keeps_bits`: the unpartitioned run made what is expected, of devices that sum a tile as they sum the
// whole. So bits are promised; else another run, or the reference evaluator, did.
Comparison compare_outputs(const tw_graph_t *graph, const tw_program_t *program,
                           const std::vector<Tensor> &inputs, const std::vector<Tensor> &results,
                           const std::vector<Tensor> &expected, bool keeps_bits, Progress &progress);

} // namespace tw::cli
