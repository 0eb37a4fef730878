// SPDX-License-Identifier: Apache-2.0
// Conversions of blocks, of which many go through a third type, beside those of one value at a time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernels/ref/convert.hpp"
#include "ops/conversion.hpp"

namespace tw::test_convert {

namespace {

using ops::DType;

// What is converted in one step, or in several that must not differ from it.
constexpr ops::TypeSet kPlain = {DType::f64, DType::f32, DType::f16, DType::bf16, DType::i1,
                                 DType::s8,  DType::s16, DType::s32, DType::s64,  DType::u8,
                                 DType::u16, DType::u32, DType::u64, DType::c64,  DType::c128};
constexpr int64_t kElements = 1500; // some chunks and a part of one

// Any bits, and numbers near those that halves and integers just hold.
template <class E> std::vector<typename E::Storage> draw() {
  std::mt19937_64 random(7);
  std::vector<typename E::Storage> elements(kElements);
  for (size_t i = 0; i < elements.size(); ++i) {
    using V = typename E::Value;
    const int64_t bits = static_cast<int64_t>(random());
    if constexpr (std::is_same_v<V, bool>) {
      elements[i] = E::store((bits & 1) != 0);
    } else if constexpr (ops::is_int_value<V>) {
      elements[i] = E::store(static_cast<V>(bits >> (random() % 64)));
    } else if (i % 2 == 0) {
      for (size_t byte = 0; byte < sizeof elements[i]; byte += 8) {
        const uint64_t some = random();
        std::memcpy(reinterpret_cast<std::byte *>(&elements[i]) + byte, &some,
                    std::min<size_t>(8, sizeof elements[i] - byte));
      }
    } else {
      const auto number = static_cast<double>(bits) / static_cast<double>(uint64_t{1} << (random() % 64));
      if constexpr (ops::is_complex_value<V>)
        elements[i] = E::store(V(static_cast<typename V::value_type>(number)));
      else
        elements[i] = E::store(static_cast<V>(number));
    }
  }
  return elements;
}

// One pair; whether one value at a time gives the same bits as the block.
template <class E, class R> bool agree() {
  const auto from = draw<E>();
  std::vector<typename R::Storage> block(from.size()), single(from.size());
  for (size_t i = 0; i < from.size(); ++i)
    single[i] = ops::converted<E, R>(E::load(from[i]));
  const void *in = from.data();
  kernels::ref::convert_block(E::dtype, R::dtype)(&in, block.data(), kElements);
  return std::memcmp(block.data(), single.data(), block.size() * sizeof(typename R::Storage)) == 0;
}

} // namespace

TEST_CASE("converting a block is converting each of its elements") {
  int pairs = 0;
  for (int from = 1; from < static_cast<int>(DType::count_); ++from)
    for (int to = 1; to < static_cast<int>(DType::count_); ++to)
      ops::visit_dtype(static_cast<DType>(from), [&]<class E>(E) {
        ops::visit_dtype(static_cast<DType>(to), [&]<class R>(R) {
          if constexpr (kPlain.has(E::dtype) && (kPlain.has(R::dtype) || E::dtype == DType::f64)) {
            CAPTURE(std::string(graph::name(E::dtype)));
            CAPTURE(std::string(graph::name(R::dtype)));
            const bool same = agree<E, R>();
            CHECK(same);
            ++pairs;
          }
        });
      });
  CHECK(pairs == 15 * 15 + 15);
}

} // namespace tw::test_convert
