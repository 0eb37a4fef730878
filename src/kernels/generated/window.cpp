// SPDX-License-Identifier: Apache-2.0
// One thread a place: loops over the taps, one inside the other.
#include "kernels/generated/window.hpp"

#include <fmt/format.h>

#include "kernels/generated/index_text.hpp"
#include "kernels/generated/prelude.hpp"
#include "kernels/generated/scalar_text.hpp"
#include "ops/expression.hpp"

namespace tw::kernels::generated {

namespace {

// The element under tap t{d} of place p{d}: `e{d}`, and whether there is one.
std::string element_text(const ops::SlidingWindow &w, size_t d, int64_t extent) {
  const std::string step = w.reversed ? fmt::format("({}ll - t{})", w.size - 1, d) : fmt::format("t{}", d);
  return fmt::format("const tw::i64_t a{0} = p{0} * {1}ll + {2} * {3}ll - {4}ll, e{0} = a{0} / {5}ll;\n"
                     "inside = inside && a{0} >= 0 && a{0} % {5}ll == 0 && e{0} < {6}ll;\n",
                     d, w.stride, step, w.dilation, w.low, w.base_dilation, extent);
}

} // namespace

Source window_source(const WindowFold &r, const std::string &entry) {
  int64_t elements = 1;
  for (const int64_t n : r.places)
    elements *= n;
  const std::string element = type_name(r.dtype), wide = type_name(ops::wide_type(r.dtype));
  Source source;
  std::string &text = source.text;
  text = element_kernel(entry, 3, elements) + "  tw::i64_t left = at;\n";
  for (size_t d = r.places.size(); d-- > 0;)
    text += fmt::format("const tw::i64_t p{0} = left % {1}ll;\nleft /= {1}ll;\n", d,
                        std::max<int64_t>(r.places[d], 1));
  text += fmt::format("const tw::V<tw::{0}> init = tw::load<tw::{0}>((const void *)args.word[1], 0);\n"
                      "tw::V<tw::{0}> total = init;\n",
                      element);
  for (size_t d = 0; d < r.windows.size(); ++d)
    text += fmt::format("for (tw::i64_t t{0} = 0; t{0} < {1}ll; ++t{0})\n", d, r.windows[d].size);
  text += "{\nbool inside = true;\n";
  std::string offset = "0";
  int64_t stride = 1;
  for (size_t d = r.windows.size(); d-- > 0; stride *= r.extent[d]) {
    text += element_text(r.windows[d], d, r.extent[d]);
    offset += fmt::format(" + e{} * {}ll", d, stride);
  }
  text += fmt::format(
      "const tw::V<tw::{0}> next = inside ? tw::load<tw::{0}>((const void *)args.word[0], {1}) : init;\n"
      "total = tw::convert<tw::{0}, tw::{2}>({3}(tw::convert<tw::{2}, tw::{0}>(total), "
      "tw::convert<tw::{2}, tw::{0}>(next)));\n}}\n"
      "  tw::store<tw::{0}>((void *)args.word[2], at, total);\n}}\n",
      element, offset, wide, combining_text(r.kind, ops::wide_type(r.dtype)));
  source.launches.push_back({entry,
                             blocks_for(elements),
                             kThreads,
                             {{Word::Kind::operand, 0}, {Word::Kind::operand, 1}, {Word::Kind::result, 0}}});
  return source;
}

} // namespace tw::kernels::generated
