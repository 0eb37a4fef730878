// SPDX-License-Identifier: Apache-2.0
// Random edits of nests beside a model that has a list of loops for each node and no bits.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "partition/nests.hpp"
#include "support/number_of.hpp"

namespace tw::test_nests {

using partition::NestEntry;
using partition::Nests;
using partition::NodeId;
using sharding::AxisId;

namespace {

// A loop reduces if its factor is odd.
bool reduces(const NestEntry &e) { return e.factor % 2 != 0; }

struct Model {
  std::vector<std::vector<NestEntry>> nests;
  std::set<NodeId> refuse;
  size_t axes = 0;

  const NestEntry *entry(NodeId n, AxisId axis) const {
    const auto found = std::ranges::find(nests[n], axis, &NestEntry::axis);
    return found == nests[n].end() ? nullptr : &*found;
  }
  void split(AxisId axis) {
    ++axes;
    for (auto &nest : nests)
      for (size_t d = 0; d < nest.size(); ++d) {
        if (nest[d].axis > axis) {
          ++nest[d].axis;
        } else if (nest[d].axis == axis) {
          nest.insert(nest.begin() + static_cast<ptrdiff_t>(d) + 1, nest[d]);
          nest[d].split += 100;
          ++nest[++d].axis;
        }
      }
  }
};

void check_same(const Nests &nests, const Model &model) {
  REQUIRE(nests.num_nodes() == model.nests.size());
  for (NodeId n = 0; n < model.nests.size(); ++n) {
    CHECK(std::ranges::equal(nests.of(n), model.nests[n]));
    for (AxisId axis = 0; axis < model.axes; ++axis) {
      const NestEntry *e = model.entry(n, axis);
      CHECK(nests.is_decided(n, axis) == (e != nullptr || model.refuse.contains(n)));
      CHECK(nests.reduces(n, axis) == (e != nullptr && reduces(*e)));
      CHECK((nests.entry(n, axis) != nullptr) == (e != nullptr));
    }
  }
}

} // namespace

TEST_CASE("nests and their bits say the same after any edits") {
  std::mt19937_64 random(7);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  for (uint64_t trial = 0; trial < test::slice_of(300, 30); ++trial) {
    Model model;
    model.axes = 1 + below(3);
    model.nests.resize(60 + below(10)); // about a word of bits
    Nests nests(model.nests.size(), model.axes);
    for (int edit = 0; edit < 60; ++edit) {
      const auto n = static_cast<NodeId>(below(model.nests.size()));
      const auto axis = static_cast<AxisId>(below(model.axes));
      auto &nest = model.nests[n];
      switch (below(7)) {
      case 0:
      case 1:
      case 2:
        if (model.entry(n, axis) == nullptr) {
          const NestEntry e{axis, static_cast<ops::FactorId>(below(6)), 0, static_cast<uint32_t>(edit)};
          const size_t depth = below(nest.size() + 1);
          nest.insert(nest.begin() + static_cast<ptrdiff_t>(depth), e);
          nests.insert(n, depth, e, reduces(e));
        }
        break;
      case 3:
        if (!nest.empty()) {
          const size_t depth = below(nest.size());
          nest.erase(nest.begin() + static_cast<ptrdiff_t>(depth));
          nests.remove(n, depth);
        }
        break;
      case 4:
        if (model.refuse.erase(n) != 0) {
          nests.accept(n);
        } else {
          model.refuse.insert(n);
          nests.refuse(n);
        }
        break;
      case 5:
        model.nests.emplace_back();
        nests.add_node();
        break;
      default: {
        if (model.axes > 6) {
          break;
        }
        const Nests before = nests;
        const auto major = [&](NodeId of, size_t depth) { return nests.of(of)[depth].split + 100; };
        nests.split_axis(axis, major);
        nests.join_axes(axis);
        CHECK(nests == before);
        nests.split_axis(axis, major);
        model.split(axis);
      }
      }
      check_same(nests, model);
    }
  }
}

TEST_CASE("a node and an axis that come and go leave nothing behind") {
  Nests nests(64, 2);
  nests.refuse(5);
  const Nests before = nests;
  nests.add_node();
  nests.append(64, {1, 0}, true);
  nests.set_num_axes(3);
  CHECK(nests.is_decided(5, 2));
  CHECK_FALSE(nests.is_decided(64, 2));
  nests.set_num_axes(2);
  nests.remove_last(64);
  nests.remove_last_node();
  CHECK(nests == before);
}

} // namespace tw::test_nests
