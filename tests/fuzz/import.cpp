// SPDX-License-Identifier: Apache-2.0
// The importer under arbitrary bytes: an error or a graph that verifies, never anything else.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "import/import.hpp"
#include "ops/builder.hpp"

namespace {

tw::Result<tw::import::Imported> import_checked(std::string_view text,
                                                const tw::import::ImportOptions &options) {
  auto imported = tw::import::import_text(text, options);
  if (imported && !tw::ops::verify(*imported->graph))
    std::abort();
  if (!imported && (imported.error().message().empty() || imported.error().code() == tw::Code::internal))
    std::abort();
  return imported;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tw::import::ImportOptions options;
  options.max_ops = 20'000; // a few lines of calls can ask for any number of ops
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  for (const tw::import::TextPart &part : tw::import::split_text(text)) {
    options.first_line = part.first_line;
    options.allow_unknown = false;
    const auto imported = import_checked(part.text, options);
    options.allow_unknown = true;
    if (!imported && imported.error().code() == tw::Code::unimplemented)
      (void)import_checked(part.text, options);
  }
  return 0;
}
