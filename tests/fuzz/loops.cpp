// SPDX-License-Identifier: Apache-2.0
// Loop text under arbitrary bytes: an error with its place, or a plan whose text reads as itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "annotation/loop_program.hpp"
#include "import/import.hpp"
#include "loops/loops.hpp"

namespace {

void require(bool condition) {
  if (!condition)
    std::abort();
}

// The text of a plan read from `text`; empty where there is an error.
std::string printed(std::string_view text) {
  using namespace tw;
  import::ImportOptions options;
  options.max_ops = 20'000; // a few lines of calls can ask for any number of ops
  const auto imported = import::import_text(text, options);
  if (!imported || !imported->loops)
    return {};
  partition::Plan plan(imported->graph, sharding::Mesh());
  if (const auto status = loops::apply(plan, *imported->loops); !status) {
    require(!status.error().message().empty());
    require(status.error().code() != Code::internal);
    return {};
  }
  return loops::print(plan, sharding::Style::counts).text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string once = printed({reinterpret_cast<const char *>(data), size});
  if (!once.empty() && once.find("partir.") != std::string::npos)
    require(printed(once) == once);
  return 0;
}
