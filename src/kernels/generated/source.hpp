// SPDX-License-Identifier: Apache-2.0
// Device source of one step: kernels in CUDA C++, and how they are launched. Texts of several steps may stand
// in one file behind one prelude.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tw::kernels::generated {

// What a word, an argument of a kernel of 64 bits, is.
struct Word {
  enum class Kind : uint8_t {
    operand, // pointer to operand `index`
    result,
    scratch, // pointer to Source::scratch_bytes of memory, or null
    number,  // Launch::numbers[index], or one that the caller gives in place of it
  };
  Kind kind;
  uint32_t index = 0;
};

// One kernel of a source; they run one after the other.
struct Launch {
  std::string entry;
  int64_t blocks = 0; // 0: nothing to do
  int32_t threads = 0;
  std::vector<Word> words{};
  std::vector<int64_t> numbers{};
};

struct Source {
  std::string text;                     // without the prelude
  std::vector<std::string> functions{}; // declarations that the text needs, each once in a file
  std::vector<Launch> launches{};
  int64_t scratch_bytes = 0;
};

// Threads of a block, where no barriers ask for another number.
inline constexpr int kThreads = 256;
inline int64_t blocks_for(int64_t threads) { return (threads + kThreads - 1) / kThreads; }

// The beginning of a kernel in which one thread makes one element, number `at`.
std::string element_kernel(const std::string &entry, size_t words, int64_t elements);

// A whole file: the prelude, the functions of all sources, and their texts.
std::string file_of(const std::vector<const Source *> &sources);

// Name of what a file is compiled to, in a cache: of the text, the architecture ("sm_90") and the options.
std::string cache_key(const std::string &file, const std::string &architecture,
                      const std::vector<std::string> &options);

} // namespace tw::kernels::generated
