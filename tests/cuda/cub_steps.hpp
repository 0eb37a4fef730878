// SPDX-License-Identifier: Apache-2.0
// The steps of libtilewright_cub.so on the host: what CUB does is done by the standard library, in the memory
// that was asked for and no more.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "device/cuda/cub/steps.hpp"

namespace tw::test {

class CubOnHost {
public:
  static constexpr size_t kTemporary = 1000;

  // Backwards: no body may need another one's result.
  template <class Body> int32_t each(int64_t n, Body body) const {
    for (int64_t i = n; i-- > 0;)
      body(i);
    return 0;
  }

  template <class Key>
  int32_t sort(void *temporary, size_t &bytes, const cub::SortPairs<Key> &pairs, const tw_cuda_lines &lines,
               int32_t bits) const {
    if (!takes(temporary, bytes))
      return temporary == nullptr ? 0 : 1;
    const uint64_t mask = cub::ones(bits);
    std::vector<int64_t> order(static_cast<size_t>(lines.length));
    for (int64_t line = 0; line < lines.count; ++line) {
      const int64_t first = line * lines.length;
      std::iota(order.begin(), order.end(), first);
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return (pairs.keys_in[a] & mask) < (pairs.keys_in[b] & mask);
      });
      for (int64_t i = 0; i < lines.length; ++i) {
        const int64_t from = order[static_cast<size_t>(i)];
        pairs.keys_out[first + i] = pairs.keys_in[from];
        pairs.places_out[first + i] = pairs.places_in[from];
      }
    }
    return 0;
  }

  // In pairs of pairs, as a GPU may: from the end of each line to its beginning.
  int32_t scan(void *temporary, size_t &bytes, const cub::LoadScanned &load, uint64_t *out) const {
    if (!takes(temporary, bytes))
      return temporary == nullptr ? 0 : 1;
    const tw_cuda_lines &lines = load.form.lines;
    const cub::CombineScanned combined{load.form.combine};
    for (int64_t i = 0; i < lines.count * lines.length; ++i) {
      out[i] = load(i);
      for (int64_t j = i - 1; j >= i / lines.length * lines.length; --j)
        out[i] = combined(load(j), out[i]);
    }
    return 0;
  }

private:
  static bool takes(void *temporary, size_t &bytes) {
    if (temporary == nullptr)
      bytes = kTemporary;
    else if (bytes >= kTemporary)
      std::fill_n(static_cast<char *>(temporary), kTemporary, static_cast<char>(0x5a));
    return temporary != nullptr && bytes >= kTemporary;
  }
};

} // namespace tw::test
