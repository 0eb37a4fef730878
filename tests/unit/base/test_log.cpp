// SPDX-License-Identifier: Apache-2.0
// Log lines reach the sink only where their level and area were asked for.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/log.hpp"

namespace tw::test_log {

using tw::Log;
using tw::LogLevel;

namespace {

struct Lines {
  std::vector<std::string> lines;
  static void sink(LogLevel level, const char *area, const char *text, void *user) {
    static_cast<Lines *>(user)->lines.push_back(std::to_string(static_cast<int>(level)) + " " + area + " " +
                                                text);
  }
};

} // namespace

TEST_CASE("a host's sink gets lines up to its level") {
  Lines seen;
  const Log log(LogLevel::warning, Lines::sink, &seen);
  log.print(LogLevel::error, "import", "{} of {}", 1, 2);
  log.print(LogLevel::warning, "plan", "plain");
  log.print(LogLevel::info, "plan", "too much");
  log.write(LogLevel::debug, "plan", "far too much");
  CHECK(seen.lines == std::vector<std::string>{"1 import 1 of 2", "2 plan plain"});
}

TEST_CASE("areas have levels of their own") {
  Lines seen;
  Log log(LogLevel::off, Lines::sink, &seen);
  CHECK(!log.enabled(LogLevel::error, "plan"));
  log.set_levels("info,plan=debug,nonsense,import=off,run=loud");
  CHECK(log.enabled(LogLevel::info, "spmd"));
  CHECK(!log.enabled(LogLevel::debug, "spmd"));
  CHECK(log.enabled(LogLevel::debug, "plan"));
  CHECK(!log.enabled(LogLevel::error, "import"));
  CHECK(log.enabled(LogLevel::info, "run"));
  CHECK(!log.enabled(LogLevel::off, "plan"));
}

} // namespace tw::test_log
