// SPDX-License-Identifier: Apache-2.0
// Interned values get dense ids in order of appearance; the hash below them spreads what programs hash.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/hash.hpp"
#include "base/interner.hpp"

namespace tw::test_interner {

namespace {

struct TextHash {
  size_t operator()(std::string_view text) const { return tw::hash_bytes(text.data(), text.size()); }
};

} // namespace

TEST_CASE("equal values share an id") {
  tw::Interner<std::string, TextHash> names;
  CHECK(names.find(std::string_view("a")) == names.absent);
  CHECK(names.intern("a") == 0);
  CHECK(names.intern(std::string_view("b")) == 1);
  CHECK(names.intern(std::string("a")) == 0);
  CHECK(names.find(std::string_view("b")) == 1);
  CHECK(names.find(std::string_view("c")) == names.absent);
  CHECK(names[1] == "b");
  CHECK(names.size() == 2);
}

TEST_CASE("ids stay dense and references valid while the table grows") {
  tw::Interner<int64_t> numbers;
  const int64_t &first = numbers[numbers.intern(int64_t{-1})];
  for (int64_t i = 0; i < 100000; ++i)
    REQUIRE(numbers.intern(i << 20) == static_cast<uint32_t>(i + 1));
  for (int64_t i = 0; i < 100000; ++i)
    REQUIRE(numbers.find(i << 20) == static_cast<uint32_t>(i + 1));
  CHECK(first == -1);
  CHECK(numbers.size() == 100001);
}

TEST_CASE("one changed bit changes about half of the hash") {
  int fewest = 64, most = 0;
  for (uint64_t value : {uint64_t{0}, uint64_t{1}, uint64_t{0x0123456789abcdef}, ~uint64_t{0}})
    for (int bit = 0; bit < 64; ++bit) {
      const uint64_t a = tw::Hasher().add(value).value();
      const uint64_t b = tw::Hasher().add(value ^ (uint64_t{1} << bit)).value();
      fewest = std::min(fewest, std::popcount(a ^ b));
      most = std::max(most, std::popcount(a ^ b));
    }
  CHECK(fewest >= 10);
  CHECK(most <= 54);
}

TEST_CASE("small shapes do not collide, in the whole hash or in either half") {
  std::unordered_set<uint64_t> all;
  std::unordered_set<uint32_t> low, high;
  size_t count = 0;
  for (int64_t i = 0; i < 32; ++i)
    for (int64_t j = 0; j < 32; ++j)
      for (int64_t k = 0; k < 32; ++k, ++count) {
        const std::vector<int64_t> dims{i, j, k};
        const uint64_t hash = tw::Hasher().add(std::span(dims)).value();
        all.insert(hash);
        low.insert(static_cast<uint32_t>(hash));
        high.insert(static_cast<uint32_t>(hash >> 32));
      }
  CHECK(all.size() == count);
  // 2^15 values in 2^32 cells: 1/8 of a collision is expected.
  CHECK(low.size() + 3 >= count);
  CHECK(high.size() + 3 >= count);
}

TEST_CASE("length and place count") {
  const std::string zeros(32, '\0');
  std::unordered_set<uint64_t> hashes;
  for (size_t size = 0; size <= zeros.size(); ++size)
    hashes.insert(tw::hash_bytes(zeros.data(), size));
  CHECK(hashes.size() == zeros.size() + 1);

  const std::vector<int> none, one{0};
  CHECK(tw::Hasher().add(std::span(none)).value() != tw::Hasher().add(std::span(one)).value());
  CHECK(tw::Hasher().add("ab").add("c").value() != tw::Hasher().add("a").add("bc").value());
}

} // namespace tw::test_interner
