// SPDX-License-Identifier: Apache-2.0
// One thread an element. The generators are those of kernels/ref/random_bits.hpp, and their words lie in an
// array as ops/random.cpp puts them.
#include "kernels/generated/numbers.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/generated/prelude.hpp"
#include "kernels/generated/scalar_text.hpp"
#include "ops/random_draw.hpp"

namespace tw::kernels::generated {

namespace {

constexpr const char *kGenerators = R"text(
namespace tw {
struct Words4 { u32_t at[4]; };
// Threefry-2x32 with 20 rounds.
TW_FN Words4 threefry(u64_t counter, u64_t key) {
  const u32_t keys[3] = {(u32_t)key, (u32_t)(key >> 32), (u32_t)key ^ (u32_t)(key >> 32) ^ 0x1BD11BDAu};
  const int turns[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  u32_t a = (u32_t)counter + keys[0], b = (u32_t)(counter >> 32) + keys[1];
  for (u32_t group = 0; group < 5; ++group) {
    for (u32_t i = 0; i < 4; ++i) {
      const int turn = turns[group % 2 * 4 + i];
      a += b;
      b = (b << turn | b >> (32 - turn)) ^ a;
    }
    a += keys[(group + 1) % 3];
    b += keys[(group + 2) % 3] + group + 1;
  }
  return {{a, b, 0, 0}};
}
// Philox-4x32 with 10 rounds.
TW_FN Words4 philox(u64_t low, u64_t high, u64_t key) {
  Words4 x = {{(u32_t)low, (u32_t)(low >> 32), (u32_t)high, (u32_t)(high >> 32)}};
  u32_t k0 = (u32_t)key, k1 = (u32_t)(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const u64_t p = (u64_t)x.at[0] * 0xD2511F53u, q = (u64_t)x.at[2] * 0xCD9E8D57u;
    x = {{(u32_t)(q >> 32) ^ x.at[1] ^ k0, (u32_t)q, (u32_t)(p >> 32) ^ x.at[3] ^ k1, (u32_t)p}};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return x;
}
TW_FN u64_t joined(u32_t low, u32_t high) { return low | (u64_t)high << 32; }
}
)text";

int64_t elements_of(const std::vector<int64_t> &extent) {
  int64_t n = 1;
  for (const int64_t e : extent)
    n *= e;
  return n;
}

// "i0", "i1", ..: the indices of element `at` of the tile.
std::string indices_text(const std::vector<int64_t> &extent) {
  std::string text = "  tw::i64_t left = at;\n";
  for (size_t d = extent.size(); d-- > 0;)
    text += fmt::format("  const tw::i64_t i{0} = left % {1}ll;\n  left /= {1}ll;\n  (void)i{0};\n", d,
                        std::max<int64_t>(extent[d], 1));
  return text + "  (void)left;\n";
}

// Words of 32 bits and less are laid out as two arrays of half the size, put together along the first even
// dimension, else the largest. The rank where there is none.
size_t halved_dim(const RandomBitsRequest &r) {
  if (!r.threefry || graph::byte_size(r.dtype) == 8)
    return r.whole.size();
  const auto even = std::ranges::find_if(r.whole, [](int64_t n) { return n % 2 == 0; });
  return static_cast<size_t>((even != r.whole.end() ? even : std::ranges::max_element(r.whole)) -
                             r.whole.begin());
}

// Sets `place`, the element's number in the whole (of half arrays), and `half`.
std::string place_text(std::vector<int64_t> dims, size_t halved) {
  std::string text = "  tw::u64_t place = 0, half = 0;\n  (void)half;\n";
  if (halved < dims.size())
    dims[halved] = (dims[halved] + 1) / 2;
  int64_t stride = 1;
  for (size_t d = dims.size(); d-- > 0; stride *= dims[d]) {
    const std::string index = fmt::format("(i{} + (tw::i64_t)args.word[{}])", d, 3 + d);
    if (d == halved)
      text += fmt::format("  half = (tw::u64_t){} % 2;\n", index);
    text += fmt::format("  place += (tw::u64_t)({}{} * {}ll);\n", index, d == halved ? " / 2" : "", stride);
  }
  return text;
}

// How many counters the whole array takes.
int64_t counters(const RandomBitsRequest &r, size_t halved) {
  const int64_t n = elements_of(r.whole);
  const bool wide = graph::byte_size(r.dtype) == 8;
  if (!r.threefry)
    return (n * (wide ? 2 : 1) + 3) / 4;
  return wide || n == 0 || r.whole.empty() ? n : n / r.whole[halved] * ((r.whole[halved] + 1) / 2);
}

} // namespace

Source iota_source(const IotaRequest &r, const std::string &entry) {
  const std::string element = type_name(r.dtype);
  const bool narrow = graph::is_float(r.dtype) && r.dtype != graph::DType::f64;
  const std::string index = fmt::format("(i{} + (tw::i64_t)args.word[1])", r.dim);
  const std::string value =
      narrow ? fmt::format("tw::convert<tw::{}, tw::f32>((float){})", element, index) // rounds to f32 first
             : fmt::format("tw::convert<tw::{}, tw::s64>({})", element, index);
  Source source;
  source.text = element_kernel(entry, 2, elements_of(r.extent)) + indices_text(r.extent) +
                fmt::format("  tw::store<tw::{}>((void *)args.word[0], at, {});\n}}\n", element, value);
  source.launches.push_back({entry,
                             blocks_for(elements_of(r.extent)),
                             kThreads,
                             {{Word::Kind::result, 0}, {Word::Kind::number, 0}},
                             {0}});
  return source;
}

Source random_bits_source(const RandomBitsRequest &r, const std::string &entry) {
  const size_t size = graph::byte_size(r.dtype), halved = halved_dim(r);
  const bool wide = size == 8;
  const std::string element = graph::is_int(r.dtype) ? type_name(r.dtype) : fmt::format("u{}", 8 * size);
  Source source;
  source.functions.push_back(kGenerators);
  std::string &text = source.text;
  text =
      fmt::format("TW_KERNEL({}, {}) {{\n  const tw::i64_t at = (tw::i64_t)blockIdx.x * {} + threadIdx.x;\n",
                  entry, 3 + r.extent.size(), kThreads);
  text += fmt::format("  const tw::u64_t *state = (const tw::u64_t *)args.word[0];\n"
                      "  tw::u64_t *next = (tw::u64_t *)args.word[1];\n  const tw::u64_t used = {}ull;\n",
                      counters(r, halved));
  if (r.threefry || r.state == 2)
    text += r.threefry ? "  const tw::u64_t low = state[1], high = 0;\n"
                       : "  const tw::u64_t low = state[1], high = state[0];\n";
  else
    text += "  const tw::u64_t low = state[1], high = state[2];\n";
  text += "  (void)high;\n  if (at == 0) {\n    next[0] = state[0];\n    next[1] = low + used;\n";
  if (r.state == 3)
    text += "    next[2] = high + (low + used < low ? 1 : 0);\n";
  text += fmt::format("  }}\n  if (at >= {}ll)\n    return;\n", elements_of(r.extent));
  text += indices_text(r.extent) + place_text(r.whole, halved);
  if (r.threefry)
    text += fmt::format("  const tw::Words4 words = tw::threefry(low + place, state[0]);\n"
                        "  const tw::u64_t bits = {};\n",
                        wide ? "tw::joined(words.at[0], words.at[1])" : "words.at[half]");
  else
    text += fmt::format(
        "  const tw::u64_t word = place * {}, counter = low + word / 4;\n"
        "  const tw::Words4 words = tw::philox(counter, high + (counter < low ? 1 : 0), state[0]);\n"
        "  const tw::u64_t bits = {};\n",
        wide ? 2 : 1, wide ? "tw::joined(words.at[word % 4], words.at[word % 4 + 1])" : "words.at[word % 4]");
  text +=
      fmt::format("  tw::store<tw::{0}>((void *)args.word[2], at, tw::wrap<tw::{0}>(bits));\n}}\n", element);
  Launch launch{entry,
                std::max<int64_t>(blocks_for(elements_of(r.extent)), 1),
                kThreads,
                {{Word::Kind::operand, 0}, {Word::Kind::result, 0}, {Word::Kind::result, 1}},
                std::vector<int64_t>(r.extent.size())};
  for (uint32_t d = 0; d < r.extent.size(); ++d)
    launch.words.push_back({Word::Kind::number, d});
  source.launches.push_back(std::move(launch));
  return source;
}

Result<Source> random_numbers_source(const RandomNumbersRequest &r, const std::string &entry) {
  const std::string element = type_name(r.dtype);
  const auto parameter = [&](int word) {
    return fmt::format("tw::load<tw::{}>((const void *)args.word[{}], 0)", element, word);
  };
  const std::vector<std::string> operands = {"first", "second", "bits", "more"};
  TW_ASSIGN(ScalarText drawn, scalar_text(ops::drawn_number(r.dtype, r.normal), operands, "n", "  "));
  Source source;
  source.functions = std::move(drawn.functions);
  source.functions.push_back(kGenerators);
  source.text = element_kernel(entry, 3 + r.extent.size(), elements_of(r.extent)) + indices_text(r.extent) +
                place_text(r.whole, r.whole.size()) +
                fmt::format("  const tw::Words4 words = tw::philox(place, 0, {}ull);\n"
                            "  const tw::u64_t bits = tw::joined(words.at[0], words.at[1]),\n"
                            "                  more = tw::joined(words.at[2], words.at[3]);\n  (void)more;\n"
                            "  const tw::V<tw::{}> first = {}, second = {};\n{}"
                            "  tw::store<tw::{}>((void *)args.word[2], at, {});\n}}\n",
                            static_cast<uint64_t>(r.stream), element, parameter(0), parameter(1),
                            drawn.statements, element, drawn.result);
  Launch launch{entry,
                blocks_for(elements_of(r.extent)),
                kThreads,
                {{Word::Kind::operand, 0}, {Word::Kind::operand, 1}, {Word::Kind::result, 0}},
                std::vector<int64_t>(r.extent.size())};
  for (uint32_t d = 0; d < r.extent.size(); ++d)
    launch.words.push_back({Word::Kind::number, d});
  source.launches.push_back(std::move(launch));
  return source;
}

} // namespace tw::kernels::generated
