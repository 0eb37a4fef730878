// SPDX-License-Identifier: Apache-2.0
// One thread an element of the result. So nobody writes where another one does, and the order is the
// reference's, at a cost of each window being looked at by every element under it.
#include "kernels/generated/select_and_scatter.hpp"

#include <fmt/format.h>

#include "kernels/generated/prelude.hpp"
#include "kernels/generated/window.hpp"
#include "ops/strided.hpp"

namespace tw::kernels::generated {

namespace {

using Dims = std::vector<SelectAndScatter::Dim>;

// "(e0 - 3ll) * 5ll + ..": the offset in a dense part of the element at places "e0", "e1", ..
std::string offset_in(const Dims &dims, const char *name, int64_t SelectAndScatter::Dim::*begin,
                      int64_t SelectAndScatter::Dim::*extent) {
  std::string text = "0ll";
  int64_t step = 1;
  for (size_t d = dims.size(); d-- > 0; step *= dims[d].*extent)
    text += fmt::format(" + ({}{} - {}ll) * {}ll", name, d, dims[d].*begin, step);
  return text;
}

// Loops over the windows that reach the element, of those whose sources are here: numbers "w0", "w1", ..
std::string windows_text(const Dims &dims) {
  std::string text;
  for (size_t d = 0; d < dims.size(); ++d) {
    const auto &dim = dims[d];
    const ops::SlidingWindow &w = dim.window;
    text +=
        fmt::format("  const tw::i64_t g{0} = i{0} + {1}ll, low{0} = g{0} + {2}ll, high{0} = g{0} + {3}ll;\n"
                    "  const tw::i64_t least{0} = low{0} <= 0 ? 0 : (low{0} + {4}ll) / {5}ll,\n"
                    "                  beyond{0} = high{0} < 0 ? 0 : high{0} / {5}ll + 1;\n",
                    d, dim.result, w.low - w.size + 1, w.low, w.stride - 1, w.stride);
    text += fmt::format("  const tw::i64_t first{0} = least{0} > {1}ll ? least{0} : {1}ll,\n"
                        "                  last{0} = beyond{0} < {2}ll ? beyond{0} : {2}ll;\n",
                        d, dim.source, dim.source + dim.source_extent);
  }
  for (size_t d = 0; d < dims.size(); ++d)
    text += fmt::format("  for (tw::i64_t w{0} = first{0}; w{0} < last{0}; ++w{0})\n", d);
  return text;
}

} // namespace

Result<Source> select_and_scatter_source(const SelectAndScatter &r, const std::string &entry) {
  std::vector<int64_t> extent;
  std::vector<ops::SlidingWindow> windows;
  for (const auto &dim : r.dims) {
    extent.push_back(dim.result_extent);
    windows.push_back(dim.window);
  }
  const int64_t elements = ops::product(extent);
  const std::string type = type_name(r.scatter.arguments[0]);
  Source source;
  std::string &text = source.text;
  text = element_kernel(entry, 4, elements) + places_text(extent, "i");
  text += fmt::format("  tw::V<tw::{0}> total = tw::load<tw::{0}>((const void *)args.word[2], 0);\n", type);
  text += windows_text(r.dims);
  text += fmt::format("  {{\n    bool any = false, mine = false;\n    tw::V<tw::{}> best = total;\n", type);
  text += taps_text(windows) + "    {\n      bool inside = true, here = true;\n";
  for (size_t d = 0; d < r.dims.size(); ++d)
    text += fmt::format(
        "      const tw::i64_t e{0} = w{0} * {1}ll + t{0} - {2}ll;\n"
        "      inside = inside && e{0} >= 0 && e{0} < {3}ll;\n      here = here && e{0} == g{0};\n",
        d, windows[d].stride, windows[d].low, r.dims[d].whole);
  text += fmt::format(
      "      if (inside) {{\n      const tw::V<tw::{0}> next = "
      "tw::load<tw::{0}>((const void *)args.word[0], {1});\n"
      "      bool keep = false;\n      if (any) {{\n",
      type, offset_in(r.dims, "e", &SelectAndScatter::Dim::array, &SelectAndScatter::Dim::array_extent));
  TW_ASSIGN(const auto kept, region_text(r.select, {"best", "next"}, text, source.functions));
  text += fmt::format(
      "        keep = {};\n      }}\n      if (!keep) {{\n        best = next;\n        mine = here;\n"
      "      }}\n      any = true;\n      }}\n    }}\n    if (any && mine) {{\n",
      kept[0]);
  text += fmt::format(
      "      const tw::V<tw::{0}> from = tw::load<tw::{0}>((const void *)args.word[1], {1});\n", type,
      offset_in(r.dims, "w", &SelectAndScatter::Dim::source, &SelectAndScatter::Dim::source_extent));
  TW_ASSIGN(const auto combined, region_text(r.scatter, {"total", "from"}, text, source.functions));
  text += fmt::format(
      "      total = {};\n    }}\n  }}\n  tw::store<tw::{}>((void *)args.word[3], at, total);\n}}\n",
      combined[0], type);
  source.launches.push_back({entry,
                             blocks_for(elements),
                             kThreads,
                             {{Word::Kind::operand, 0},
                              {Word::Kind::operand, 1},
                              {Word::Kind::operand, 2},
                              {Word::Kind::result, 0}}});
  return source;
}

} // namespace tw::kernels::generated
