// SPDX-License-Identifier: Apache-2.0
// Generated source of the random groups and of one kernel of each other kind compiles for devices, wherever
// NVRTC is found. It needs no GPU.
#include <doctest/doctest.h>

#include <algorithm>

#include "kernels/generated/box_moves.hpp"
#include "kernels/generated/numbers.hpp"
#include "kernels/generated/nvrtc.hpp"
#include "kernels/generated/reduction.hpp"
#include "kernels/generated/row_chain.hpp"
#include "kernels/generated/row_moves.hpp"
#include "kernels/generated/window.hpp"
#include "support/number_of.hpp"
#include "support/random_groups.hpp"
#include "support/unit.hpp"

namespace tw::test_generated_nvrtc {

namespace {

using namespace kernels::generated;
using graph::DType;
using sharding::Reduction;

std::vector<Source> other_kinds() {
  std::vector<Source> sources;
  for (const DType t : {DType::f32, DType::bf16, DType::c64, DType::s4, DType::f8e4m3fn})
    for (const auto &dims : {std::vector<int64_t>{1}, {0}}) {
      const std::string number = std::to_string(sources.size());
      sources.push_back(reduction_source({t, Reduction::sum, {70, 70'000}, dims, true}, "reduce_" + number));
      sources.push_back(scatter_source({t, DType::s32, 5, 6, 7, Reduction::prod}, "scatter_" + number));
    }
  sources.push_back(gather_source({DType::f16, DType::u64, 5, 6, 7}, "gather"));
  sources.push_back(dynamic_slice_source({DType::f64, DType::s32, {6, 5}, {2, 3}}, "slice"));
  sources.push_back(dynamic_update_source({DType::f64, DType::s32, {6, 5}, {2, 3}}, "update"));
  sources.push_back(box_source({{0, {3, 4}, 0, 0, {4, 1}, {4, 1}}}, 1, 4, "boxes").source);
  sources.push_back(
      window_source({DType::f32, Reduction::max, {9}, {3}, {{3, 3, 1, 1, 0, 0, false}}}, "window"));
  sources.push_back(iota_source({DType::bf16, {4, 5}, 1}, "iota"));
  sources.push_back(random_bits_source({DType::f32, true, 2, {4, 5}, {4, 5}}, "threefry"));
  sources.push_back(random_bits_source({DType::u64, false, 3, {4, 5}, {4, 5}}, "philox"));
  for (const bool normal : {false, true})
    sources.push_back(
        *random_numbers_source({DType::f16, normal, 7, {4, 5}, {4, 5}}, normal ? "normal" : "uniform"));
  RowChain chain{8, 512, {{DType::f32, 512, 1}}, {}, {0}};
  chain.members = {{std::nullopt, {0}, Reduction::max}};
  sources.push_back(*row_chain_source(chain, "chain"));
  return sources;
}

} // namespace

TEST_CASE("generated source compiles for sm_80 and sm_90") {
  const auto nvrtc = Nvrtc::open();
  if (!nvrtc) {
    test::skip(nvrtc.error().message());
    return;
  }
  const size_t count = test::number_of("TW_GENERATED", 60), begin = test::number_of("TW_SEED", 1);
  std::vector<Source> sources = other_kinds();
  for (uint64_t i = 0; i < count; ++i)
    if (auto source = group_source(random_group(begin + i).group, "group_" + std::to_string(i)))
      sources.push_back(std::move(*source));
  for (const char *architecture : {"sm_80", "sm_90"})
    for (size_t first = 0; first < sources.size(); first += 100) {
      std::vector<const Source *> some;
      for (size_t i = first; i < std::min(sources.size(), first + 100); ++i)
        some.push_back(&sources[i]);
      const auto binary = nvrtc->compile(file_of(some), architecture);
      if (!binary)
        FAIL(binary.error().message().substr(0, 3000));
      CHECK(binary->size() > 1000);
    }
  const auto wrong = nvrtc->compile("this is no source", "sm_90");
  REQUIRE(!wrong.has_value());
  CHECK(wrong.error().message().find("generated.cu") != std::string::npos);
}

} // namespace tw::test_generated_nvrtc
