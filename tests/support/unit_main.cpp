// SPDX-License-Identifier: Apache-2.0
// Runs the unit tests of one file; exits 77, the sign of a skip, when a test said that it could not run here.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "support/unit.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace tw::test {
namespace {

int skips = 0;
unsigned tests_run = 0;

// Counts what ran: a filter that matches nothing must not look like success.
struct Counter : doctest::IReporter {
  explicit Counter(const doctest::ContextOptions &) {}
  void report_query(const doctest::QueryData &) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats &stats) override {
    tests_run = stats.numTestCasesPassingFilters;
  }
  void test_case_start(const doctest::TestCaseData &) override {}
  void test_case_reenter(const doctest::TestCaseData &) override {}
  void test_case_end(const doctest::CurrentTestCaseStats &) override {}
  void test_case_exception(const doctest::TestCaseException &) override {}
  void subcase_start(const doctest::SubcaseSignature &) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData &) override {}
  void log_message(const doctest::MessageData &) override {}
  void test_case_skipped(const doctest::TestCaseData &) override {}
};

} // namespace

void skip(const std::string &why) {
  ++skips;
  std::printf("skipped: %s\n", why.c_str());
}

std::string source_path(const std::string &relative) {
  const char *root = std::getenv("TW_SOURCE_ROOT");
  return (root ? std::string(root) : std::string(".")) + "/" + relative;
}

std::optional<std::string> real_program(const std::string &name) {
  const char *folder = std::getenv("TW_REAL_PROGRAMS");
  std::string path = (folder ? std::string(folder) : source_path("../shared/real_programs")) + "/" + name;
  if (std::filesystem::exists(path))
    return path;
  skip("real program " + name + " is not here (set TW_REAL_PROGRAMS to its folder)");
  return std::nullopt;
}

} // namespace tw::test

REGISTER_LISTENER("counter", 1, tw::test::Counter);

int main(int argc, char **argv) {
  doctest::Context context(argc, argv);
  context.setOption("no-version", true);
  const int failed = context.run();
  if (context.shouldExit() || failed != 0)
    return failed;
  if (tw::test::tests_run == 0) {
    std::printf("no test case ran\n");
    return 1;
  }
  return tw::test::skips != 0 ? 77 : 0;
}
