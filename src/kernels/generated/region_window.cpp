// SPDX-License-Identifier: Apache-2.0
// One thread a place: loops over the taps, one inside the other.
#include "kernels/generated/region_window.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/generated/prelude.hpp"
#include "kernels/generated/window.hpp"

namespace tw::kernels::generated {

Result<Source> region_window_source(const RegionWindow &r, const std::string &entry) {
  const size_t n = r.region.yields.size();
  int64_t elements = 1;
  for (const int64_t places : r.places)
    elements *= places;
  Source source;
  Launch launch{entry, blocks_for(elements), kThreads};
  for (uint32_t i = 0; i < 2 * n; ++i)
    launch.words.push_back({Word::Kind::operand, i});
  for (uint32_t i = 0; i < n; ++i)
    launch.words.push_back({Word::Kind::result, i});
  const auto type = [&](size_t i) { return type_name(r.region.arguments[i]); };
  std::string &text = source.text;
  text = element_kernel(entry, launch.words.size(), elements) + places_text(r.places, "p");
  std::vector<std::string> names;
  for (size_t i = 0; i < n; ++i) {
    text +=
        fmt::format("  const tw::V<tw::{0}> init{1} = tw::load<tw::{0}>((const void *)args.word[{2}], 0);\n"
                    "  tw::V<tw::{0}> r{1} = init{1};\n",
                    type(i), i, n + i);
    names.push_back(fmt::format("r{}", i));
  }
  text += taps_text(r.windows) + "{\n" + under_text(r.windows, r.extent);
  for (size_t i = 0; i < n; ++i) {
    text += fmt::format(
        "    const tw::V<tw::{0}> x{1} = inside ? tw::load<tw::{0}>((const void *)args.word[{1}], "
        "from) : init{1};\n",
        type(i), i);
    names.push_back(fmt::format("x{}", i));
  }
  TW_ASSIGN(const auto made, region_text(r.region, std::move(names), text, source.functions));
  for (size_t i = 0; i < n; ++i) // what is yielded may be another one's running value
    text += fmt::format("    const tw::V<tw::{}> y{} = {};\n", type(i), i, made[i]);
  for (size_t i = 0; i < n; ++i)
    text += fmt::format("    r{0} = y{0};\n", i);
  text += "  }\n";
  for (size_t i = 0; i < n; ++i)
    text += fmt::format("  tw::store<tw::{}>((void *)args.word[{}], at, r{});\n", type(i), 2 * n + i, i);
  text += "}\n";
  source.launches.push_back(std::move(launch));
  return source;
}

} // namespace tw::kernels::generated
