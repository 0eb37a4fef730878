// SPDX-License-Identifier: Apache-2.0
// What it takes to get from a program's text to an executable on 8 devices, the first time and again in the
//   same process. ./dev bench compile [--ops N] [--json FILE]
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "bench/need.hpp"
#include "bench/peak.hpp"
#include "bench/table.hpp"
#include "bench/training_step.hpp"
#include "import/import.hpp"
#include "partition/plan.hpp"
#include "partition/spec.hpp"
#include "runtime/executable.hpp"
#include "spmd/program.hpp"

namespace {

using namespace tw;
using bench::need;
using bench::now;

struct Figures {
  double plan_ms, executable_ms;
};

Figures compile(const std::string &text) {
  const double begin = now();
  const auto imported = need(import::import_text(text));
  partition::Plan plan(imported.graph, need(sharding::Mesh::parse("data=2,model=4")));
  for (const std::string &action : bench::megatron_actions())
    need(partition::apply_spec(plan, action, "action"));
  const auto program = need(spmd::lower(plan));
  const double planned = now();
  const auto executable = need(runtime::Executable::create(program));
  return {(planned - begin) * 1e3, (now() - planned) * 1e3};
}

} // namespace

int main(int argc, char **argv) {
  bench::Table table("compile");
  const std::string ops = bench::option(argc, argv, "--ops");
  const std::string text = bench::training_step(ops.empty() ? 1000 : std::atoll(ops.c_str()));
  const Figures first = compile(text);
  Figures again = compile(text);
  for (int i = 0; i < 5; ++i)
    if (const Figures f = compile(text); f.plan_ms + f.executable_ms < again.plan_ms + again.executable_ms)
      again = f;
  const auto line = [&](const char *when, const Figures &f, double limit) {
    table.figure(fmt::format("{} ops on 8 devices, {} (plan {:.0f} ms, executable {:.0f} ms)",
                             ops.empty() ? "1000" : ops, when, f.plan_ms, f.executable_ms),
                 f.plan_ms + f.executable_ms, "ms", limit);
  };
  line("first", first, 1000);
  line("again", again, 50);
  table.write(bench::option(argc, argv, "--json"));
}
