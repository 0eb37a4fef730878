// SPDX-License-Identifier: Apache-2.0
// The closed forms of collectives, and what must hold of every price.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "cost/collective.hpp"

namespace tw::test_cost_collective {

using cost::collective_seconds;
using cost::Leg;
using redistribute::Kind;
using system::Link;

namespace {

constexpr Kind kKinds[] = {Kind::all_gather, Kind::all_reduce, Kind::reduce_scatter,
                           Kind::all_to_all, Kind::permute,    Kind::exchange};
constexpr Link::Topology kTopologies[] = {Link::Topology::ring, Link::Topology::switched,
                                          Link::Topology::torus};

double one(Kind kind, const Link &link, int64_t n, double bytes) {
  const Leg leg{&link, n};
  return collective_seconds(kind, {&leg, 1}, bytes);
}

} // namespace

TEST_CASE("each closed form, for every kind, topology and number of devices") {
  const double S = 123456789, bw = 230e9, lat = 3.4e-6, base = 8.4e-6;
  for (const Link::Topology topology : kTopologies)
    for (int64_t n = 1; n <= 4096; ++n) {
      const Link link{topology, bw, lat, base};
      const auto N = static_cast<double>(n);
      const double steps = topology == Link::Topology::switched ? std::ceil(std::log2(N)) : N - 1;
      const double moved = S * (N - 1) / N / bw;
      const auto is = [&](Kind kind, double expected) {
        CHECK(one(kind, link, n, S) == doctest::Approx(n == 1 ? 0 : expected).epsilon(1e-12));
      };
      is(Kind::all_gather, base + steps * lat + moved);
      is(Kind::reduce_scatter, base + steps * lat + moved);
      is(Kind::all_reduce, base + 2 * steps * lat + 2 * moved);
      is(Kind::all_to_all, base + steps * lat + moved / N);
      is(Kind::permute, base + lat + S / bw);
      is(Kind::exchange, base + lat + S / bw);
      is(Kind::copy, 0);
    }
}

TEST_CASE("each closed form of a collective over levels, for every number of steps") {
  const auto seconds = [](const Link &link, double steps, double bytes) {
    return steps * (link.base_s + link.step_s) + bytes / link.bytes_per_s;
  };
  for (const Link::Topology topology : kTopologies)
    for (int64_t n = 1; n <= 4096; ++n) {
      const Link node{topology, 25e9, 14e-6, 8.4e-6}, inner{topology, 230e9, 3.4e-6, 1e-6};
      const auto N = static_cast<double>(n);
      const cost::Stage outside{.links = {&node}, .steps = n, .bytes = 1000 * n},
          inside{.links = {&inner}, .steps = 1, .bytes = 70000}, none{.links = {&node}, .steps = n};
      const double first = seconds(node, N, 1000 * N), second = seconds(inner, 1, 70000);
      const cost::Stage both[] = {outside, inside}, without[] = {none, inside};
      CHECK(cost::staged_seconds(both, false) == doctest::Approx(first + second).epsilon(1e-12));
      CHECK(cost::staged_seconds(both, true) == doctest::Approx(std::max(first, second)).epsilon(1e-12));
      CHECK(cost::staged_seconds(without, false) == doctest::Approx(second).epsilon(1e-12));
      cost::Stage any{.links = {&node, &inner}, .steps = n, .bytes = 1000 * n};
      const double fast = seconds(inner, N, 1000 * N);
      CHECK(cost::staged_seconds({&any, 1}, true) == doctest::Approx(std::min(first, fast)).epsilon(1e-12));
      any.slowest = true;
      CHECK(cost::staged_seconds({&any, 1}, true) == doctest::Approx(std::max(first, fast)).epsilon(1e-12));
    }
}

TEST_CASE("over several axes the cheapest order counts, and one switch moves at once") {
  const Link fast{Link::Topology::ring, 100, 0, 0}, slow{Link::Topology::ring, 10, 0, 0};
  const Leg legs[] = {{&slow, 2}, {&fast, 4}};
  // Gathered over the slow axis first, when there is least: 8 bytes to a quarter of them, then to all.
  CHECK(collective_seconds(Kind::all_gather, legs, 8) == doctest::Approx(2 * 0.5 / 10 + 8 * 0.75 / 100));
  CHECK(collective_seconds(Kind::reduce_scatter, legs, 8) == doctest::Approx(2 * 0.5 / 10 + 8 * 0.75 / 100));
  CHECK(collective_seconds(Kind::all_reduce, legs, 8) ==
        doctest::Approx(2 * (8 * 0.75 / 100) + 2 * (2 * 0.5 / 10)));
  CHECK(collective_seconds(Kind::all_to_all, legs, 8) == doctest::Approx(1 * 0.5 / 10 + 1 * 0.75 / 100));
  const Link hub{Link::Topology::switched, 10, 1, 1};
  const Leg both[] = {{&hub, 4}, {&hub, 8}};
  CHECK(collective_seconds(Kind::all_gather, both, 32) ==
        doctest::Approx(one(Kind::all_gather, hub, 32, 32)));
}

TEST_CASE("no order of the axes is cheaper than the one that counts") {
  std::mt19937_64 random(2);
  const auto draw = [&](double most) { return std::uniform_real_distribution<double>(0, most)(random); };
  for (int round = 0; round < 300; ++round) {
    std::vector<Link> links(2 + random() % 4);
    std::vector<Leg> legs;
    for (Link &link : links) {
      link = {Link::Topology::ring, 1 + draw(1e9), draw(1e-3), draw(1e-3)};
      legs.push_back({&link, static_cast<int64_t>(2 + random() % 4)});
    }
    const double bytes = draw(1e7);
    std::vector<size_t> order(legs.size());
    std::iota(order.begin(), order.end(), size_t{0});
    do {
      double gathered = 0, reduced = 0, left = bytes;
      for (const size_t i : order) {
        const double each = one(Kind::all_gather, links[i], legs[i].devices, left);
        gathered += each;
        reduced += i == order.back() ? one(Kind::all_reduce, links[i], legs[i].devices, left) : 2 * each;
        left /= static_cast<double>(legs[i].devices);
      }
      CHECK(collective_seconds(Kind::all_gather, legs, bytes) <= gathered * (1 + 1e-12));
      CHECK(collective_seconds(Kind::reduce_scatter, legs, bytes) <= gathered * (1 + 1e-12));
      CHECK(collective_seconds(Kind::all_reduce, legs, bytes) <= reduced * (1 + 1e-12));
    } while (std::ranges::next_permutation(order).found);
  }
}

TEST_CASE("a faster link never costs more, and an axis of one device nothing") {
  std::mt19937_64 random(1);
  const auto draw = [&](double most) { return std::uniform_real_distribution<double>(0, most)(random); };
  for (int round = 0; round < 3000; ++round) {
    std::vector<Link> links(1 + random() % 9);
    for (Link &link : links)
      link = {kTopologies[random() % 3], 1 + draw(1e9), draw(1e-3), draw(1e-3)};
    std::vector<Leg> legs;
    for (const Link &link : links)
      legs.push_back({&link, static_cast<int64_t>(1 + random() % (links.size() > 3 ? 3 : 16))});
    cost::Stage stage{
        .slowest = random() % 2 == 0, .steps = static_cast<int64_t>(random() % 9), .bytes = 123456};
    for (const Link &link : links)
      stage.links.push_back(&link);
    const double staged = cost::staged_seconds({&stage, 1}, true);
    const Kind kind = kKinds[random() % std::size(kKinds)];
    const double bytes = draw(1e9), before = collective_seconds(kind, legs, bytes);
    CHECK(std::isfinite(before));
    CHECK(before >= 0);
    std::vector<Leg> more = legs;
    more.push_back({&links[0], 1});
    std::ranges::shuffle(more, random);
    CHECK(collective_seconds(kind, more, bytes) == doctest::Approx(before).epsilon(1e-12));
    Link &better = links[random() % links.size()];
    better = {better.topology, better.bytes_per_s * (1 + draw(3)), better.step_s * draw(1),
              better.base_s * draw(1)};
    CHECK(collective_seconds(kind, legs, bytes) <= before * (1 + 1e-12));
    CHECK(cost::staged_seconds({&stage, 1}, true) <= staged * (1 + 1e-12));
    CHECK(collective_seconds(kind, legs, bytes / 2) <= collective_seconds(kind, legs, bytes) * (1 + 1e-12));
  }
}

} // namespace tw::test_cost_collective
