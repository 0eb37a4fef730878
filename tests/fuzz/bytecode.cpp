// SPDX-License-Identifier: Apache-2.0
// Artifacts, bare and as jax.export wraps them, under arbitrary bytes: an error that says where, or a graph
// that verifies.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "import/import.hpp"
#include "ops/builder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace tw;
  import::ImportOptions options;
  options.max_ops = 20'000;
  for (const bool allow : {false, true}) {
    options.allow_unknown = allow;
    const auto imported = import::import_text({reinterpret_cast<const char *>(data), size}, options);
    if (imported) {
      if (!ops::verify(*imported->graph))
        std::abort();
      return 0;
    }
    if (imported.error().message().empty() || imported.error().code() == Code::internal)
      std::abort();
    if (imported.error().code() != Code::unimplemented)
      return 0;
  }
  return 0;
}
