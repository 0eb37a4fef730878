// SPDX-License-Identifier: Apache-2.0
// Asks examples/models/transformer.py and jax_zoo.py for programs.
#include "bench/training_step.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include <unistd.h>

#include <fmt/format.h>

#include "support/printed_by.hpp"

namespace tw::bench {

namespace {

std::string printed_by(const std::string &command) {
  auto text = test::printed_by(command);
  if (!text) {
    fmt::print(stderr, "cannot run: {}\n", command);
    std::exit(1);
  }
  return *std::move(text);
}

} // namespace

std::string training_step(const std::string &arguments) {
  return printed_by(fmt::format("python3 '{}/examples/models/transformer.py' {}", TW_SOURCE_ROOT, arguments));
}

std::string training_step(int64_t ops) { return training_step(fmt::format("--ops {}", ops)); }

std::string jax_program(const std::string &python, const std::string &name) {
  return printed_by(fmt::format("'{}' '{}/tests/bench/jax_zoo.py' {}", python, TW_SOURCE_ROOT, name));
}

std::vector<std::string> megatron_actions() {
  return {
      "tile(arg=tokens, dim=0, axis=\"data\"); tile(arg=targets, dim=0, axis=\"data\"); infer-propagate",
      "tile(arg=\"params*wq*\", dim=1, axis=\"model\"); tile(arg=\"params*wk*\", dim=1, axis=\"model\"); "
      "tile(arg=\"params*wv*\", dim=1, axis=\"model\"); tile(arg=\"params*w_up*\", dim=1, axis=\"model\"); "
      "infer-propagate"};
}

std::string option(int argc, char **argv, const std::string &name) {
  for (int i = 1; i + 1 < argc; ++i)
    if (argv[i] == name)
      return argv[i + 1];
  return "";
}

std::vector<int64_t> sizes(int argc, char **argv) {
  std::vector<int64_t> found;
  const std::string list = option(argc, argv, "--ops");
  for (size_t at = 0; at < list.size();) {
    const size_t comma = std::min(list.find(',', at), list.size());
    found.push_back(std::atoll(list.substr(at, comma - at).c_str()));
    at = comma + 1;
  }
  return found.empty() ? std::vector<int64_t>{30'000, 100'000, 300'000} : found;
}

int64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

} // namespace tw::bench
