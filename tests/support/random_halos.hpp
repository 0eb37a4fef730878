// SPDX-License-Identifier: Apache-2.0
// Random changes of halos and of cuts, and what they mean for one element, from the definitions.
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "redistribute/problem.hpp"
#include "support/elements.hpp"
#include "support/random_sharding.hpp"

namespace tw::test {

// Halos of dimensions that have no explicit cuts: often of one or two cells, sometimes wider than tiles, than
// the array.
inline sharding::Halos random_halos(Random &random, const sharding::Sharding &s,
                                    std::span<const int64_t> shape) {
  sharding::Halos halos(shape.size());
  for (size_t d = 0; d < shape.size(); ++d) {
    if (s.dims[d].rule.kind == sharding::SplitRule::Kind::cuts || draw(random, 0, 3) == 0)
      continue;
    const int64_t most = draw(random, 0, 5) == 0   ? 2 * shape[d] + 3
                         : draw(random, 0, 2) == 0 ? shape[d] + 1
                                                   : 2;
    halos[d] = {draw(random, 0, most), draw(random, 0, most),
                static_cast<sharding::Border>(draw(random, 0, 1))};
  }
  return halos;
}

// Of f32; partial values of the source are summed. One mesh, another order of its devices, or another mesh on
// some of them.
inline std::shared_ptr<const redistribute::Problem> random_halo_problem(Random &random) {
  using namespace redistribute;
  const auto mesh_on = [&](const sharding::Mesh &mesh, int64_t first) {
    std::vector<int64_t> ids;
    for (sharding::Position p; p < mesh.num_devices(); ++p)
      ids.push_back(first + p);
    std::ranges::shuffle(ids, random);
    return *sharding::Mesh::create({mesh.axes().begin(), mesh.axes().end()}, std::move(ids));
  };
  const sharding::Mesh plain = random_mesh(random, 12);
  Layout src{plain, {}, {}}, dst = src;
  switch (draw(random, 0, 7)) {
  case 0: dst.mesh = mesh_on(plain, 0); break;
  case 1: dst.mesh = mesh_on(random_mesh(random, 12), draw(random, 0, plain.num_devices())); break;
  default: break;
  }
  graph::TensorType type{graph::DType::f32, std::vector<int64_t>(static_cast<size_t>(draw(random, 1, 3)))};
  const int64_t most = type.dims.size() == 1 ? 24 : type.dims.size() == 2 ? 9 : 5;
  for (int64_t &n : type.dims)
    n = draw(random, draw(random, 0, 19) == 0 ? 0 : 1, most);
  src.sharding = random_sharding(random, type.dims, src.mesh, draw(random, 0, 4) == 0);
  dst.sharding = draw(random, 0, 2) == 0 && src.mesh == dst.mesh && src.sharding.partial.empty()
                     ? src.sharding // only the halos change
                     : random_sharding(random, type.dims, dst.mesh);
  if (src.mesh == dst.mesh)
    for (const sharding::Partial &s : src.sharding.partial)
      if (!dst.sharding.uses(s.axis) && draw(random, 0, 1) == 0)
        dst.sharding.partial.push_back(s);
  if (draw(random, 0, 3) != 0)
    src.halos = random_halos(random, src.sharding, type.dims);
  if (draw(random, 0, 3) != 0)
    dst.halos = random_halos(random, dst.sharding, type.dims);
  auto problem = Problem::create(type, std::move(src), std::move(dst));
  return problem ? std::make_shared<const Problem>(std::move(*problem)) : nullptr;
}

// The element that a coordinate of a layout stands for, row-major; -1 where it has none.
inline int64_t element_number(const redistribute::Layout &layout, std::span<const int64_t> shape,
                              std::span<const int64_t> at) {
  int64_t number = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    int64_t c = at[d];
    if (layout.halo(d).border == sharding::Border::wrap && shape[d] > 0) {
      while (c < 0)
        c += shape[d];
      while (c >= shape[d])
        c -= shape[d];
    }
    if (c < 0 || c >= shape[d])
      return -1;
    number = number * shape[d] + c;
  }
  return number;
}

// The elements in a tile.
inline std::set<int64_t> elements_held(const redistribute::Layout &layout, std::span<const int64_t> shape,
                                       const sharding::Box &tile) {
  std::set<int64_t> all;
  each_element(tile, [&](std::span<const int64_t> at) { all.insert(element_number(layout, shape, at)); });
  all.erase(-1);
  return all;
}

} // namespace tw::test
