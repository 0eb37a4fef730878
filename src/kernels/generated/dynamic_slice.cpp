// SPDX-License-Identifier: Apache-2.0
// One thread an element. An index is read as its type, and compared as an integer of 64 bits.
#include "kernels/generated/dynamic_slice.hpp"

#include <fmt/format.h>

#include "kernels/generated/prelude.hpp"

namespace tw::kernels::generated {

std::string index_text(graph::DType index, const std::string &pointer, const std::string &at) {
  const std::string value =
      fmt::format("tw::load<tw::{}>((const void *){}, {})", type_name(index), pointer, at);
  return index == graph::DType::u64 ? fmt::format("tw::index_of({})", value)
                                    : fmt::format("(tw::i64_t){}", value);
}

const char *index_functions() {
  return R"text(
namespace tw {
TW_FN i64_t index_of(u64_t v) { return v >> 63 != 0 ? (i64_t)(~0ull >> 1) : (i64_t)v; }
TW_FN i64_t clamped(i64_t v, i64_t last) { return v < 0 ? 0 : v > last ? last : v; }
TW_FN i64_t within(i64_t v, i64_t most) { return v < -most ? -most : v > most ? most : v; }
}
)text";
}

namespace {

// Where element `at` of a part lies in the whole, and whether that is here.
std::string place_text(const DynamicSlice &r) {
  std::string text = "  tw::i64_t left = at, place = 0;\n  bool here = true;\n";
  int64_t stride = 1;
  for (size_t d = r.part.size(); d-- > 0; stride *= r.whole[d]) {
    const bool in_parts = !r.most.empty();
    text += fmt::format("  const tw::i64_t s{0} = tw::clamped({1}, {2}ll) - {3}ll;\n", d,
                        index_text(r.index, fmt::format("args.word[{}]", d + 1), "0"),
                        in_parts ? r.most[d] : r.whole[d] - r.part[d], in_parts ? r.begin[d] : 0);
    text += fmt::format("  const tw::i64_t a{0} = left % {1}ll + s{0};\n  left /= {1}ll;\n", d, r.part[d]);
    if (in_parts)
      text += fmt::format("  here = here && a{0} >= 0 && a{0} < {1}ll;\n", d, r.whole[d]);
    text += fmt::format("  place += a{} * {}ll;\n", d, stride);
  }
  return text + "  (void)left;\n";
}

Source dynamic_source(const DynamicSlice &r, const std::string &entry, bool updates) {
  int64_t elements = 1;
  for (const int64_t n : r.part)
    elements *= n;
  const auto operands = static_cast<uint32_t>(r.part.size() + 1);
  Source source;
  source.functions.emplace_back(index_functions());
  source.text = element_kernel(entry, operands + 1, elements);
  if (elements > 0)
    source.text += place_text(r);
  else
    source.text += "  const tw::i64_t place = 0;\n  const bool here = true;\n";
  source.text += fmt::format("  typedef tw::{0}::Storage Element;\n"
                             "  const Element *from = (const Element *)args.word[0];\n"
                             "  Element *to = (Element *)args.word[{1}];\n",
                             type_name(r.dtype), operands);
  source.text += updates ? "  if (here)\n    to[place] = from[at];\n}\n"
                         : "  to[at] = here ? from[place] : Element();\n}\n";
  Launch launch{entry, blocks_for(elements), kThreads};
  for (uint32_t i = 0; i < operands; ++i)
    launch.words.push_back({Word::Kind::operand, i});
  launch.words.push_back({Word::Kind::result, 0});
  source.launches.push_back(std::move(launch));
  return source;
}

} // namespace

Source dynamic_slice_source(const DynamicSlice &request, const std::string &entry) {
  return dynamic_source(request, entry, false);
}

Source dynamic_update_source(const DynamicSlice &request, const std::string &entry) {
  return dynamic_source(request, entry, true);
}

} // namespace tw::kernels::generated
