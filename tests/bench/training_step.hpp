// SPDX-License-Identifier: Apache-2.0
// Programs as StableHLO text, for the benchmarks of import, planning, lowering and search: training steps of
// transformers of any size, and what JAX prints.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tw::bench {

// The text that examples/models/transformer.py prints for these arguments, or for about `ops` ops; exits with
// a message where python3 is not there.
std::string training_step(const std::string &arguments);
std::string training_step(int64_t ops);

// The text that jax_zoo.py prints for this name under a Python that has JAX.
std::string jax_program(const std::string &python, const std::string &name);

// Batch on `data`, Megatron on `model`: the actions of examples/specs/gpt_megatron.txt, one a string.
std::vector<std::string> megatron_actions();

// Sizes that the benchmarks take by default, and --ops N[,N...] of the command line in their place.
std::vector<int64_t> sizes(int argc, char **argv);
// The value of an option, or "".
std::string option(int argc, char **argv, const std::string &name);

// Memory that the process holds now, in bytes.
int64_t resident_bytes();

// Runs `body` once to warm up and then `repeat` times; the shortest, in milliseconds.
template <class Body> double best_ms(int repeat, Body &&body) {
  double best = 0;
  for (int i = 0; i <= repeat; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    const double ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (i == 1 || (i > 1 && ms < best))
      best = ms;
  }
  return best;
}

} // namespace tw::bench
