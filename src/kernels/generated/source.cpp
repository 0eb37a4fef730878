// SPDX-License-Identifier: Apache-2.0
// Puts texts of steps together, and names what they are compiled to.
#include "kernels/generated/source.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "kernels/generated/prelude.hpp"

namespace tw::kernels::generated {

std::string file_of(const std::vector<const Source *> &sources) {
  std::string text = prelude();
  std::set<std::string> declared;
  for (const Source *source : sources)
    for (const std::string &function : source->functions)
      if (declared.insert(function).second)
        text += function;
  for (const Source *source : sources)
    text += source->text;
  return text;
}

std::string element_kernel(const std::string &entry, size_t words, int64_t elements) {
  return fmt::format("TW_KERNEL({}, {}) {{\n"
                     "  const tw::i64_t at = (tw::i64_t)blockIdx.x * {} + threadIdx.x;\n"
                     "  if (at >= {}ll)\n    return;\n",
                     entry, words, kThreads, elements);
}

std::string cache_key(const std::string &file, const std::string &architecture,
                      const std::vector<std::string> &options) {
  std::string all = architecture;
  for (const std::string &option : options)
    all += '\0' + option;
  all += '\0' + file;
  // Two hashes: one of 64 bits meets another before anybody has made as many kernels as fit on a disk.
  return fmt::format("{}-{:016x}{:016x}", architecture, hash_bytes(all.data(), all.size(), 1),
                     hash_bytes(all.data(), all.size(), 2));
}

} // namespace tw::kernels::generated
