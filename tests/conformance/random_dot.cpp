// SPDX-License-Identifier: Apache-2.0
// Draws dot_generals.
#include "conformance/random_dot.hpp"

#include <algorithm>

#include "ops/attributes.hpp"

namespace tw::test {

Dot make_dot(Rng &rng, const Sizes &sizes, graph::DType operand, graph::DType result, bool shuffle,
             bool integers) {
  Dot dot;
  struct Dim {
    Group group;
    size_t index;
    int64_t size;
  };
  const auto side = [&](const std::vector<int64_t> &free, std::vector<Group> &groups,
                        std::vector<int64_t> &batch, std::vector<int64_t> &k) {
    std::vector<Dim> dims;
    for (size_t i = 0; i < sizes.batch.size(); ++i)
      dims.push_back({Group::batch, i, sizes.batch[i]});
    for (size_t i = 0; i < free.size(); ++i)
      dims.push_back({Group::free, i, free[i]});
    for (size_t i = 0; i < sizes.k.size(); ++i)
      dims.push_back({Group::contracting, i, sizes.k[i]});
    if (shuffle)
      std::shuffle(dims.begin(), dims.end(), rng);
    // Free dimensions keep their order, since the result has it.
    size_t next = 0;
    std::vector<int64_t> shape;
    batch.resize(sizes.batch.size());
    k.resize(sizes.k.size());
    for (size_t d = 0; d < dims.size(); ++d) {
      groups.push_back(dims[d].group);
      if (dims[d].group == Group::free)
        shape.push_back(free[next++]);
      else
        shape.push_back(dims[d].size);
      if (dims[d].group == Group::batch)
        batch[dims[d].index] = static_cast<int64_t>(d);
      if (dims[d].group == Group::contracting)
        k[dims[d].index] = static_cast<int64_t>(d);
    }
    return shape;
  };
  const auto lhs = side(sizes.m, dot.lhs_groups, dot.lhs_batch, dot.lhs_k);
  const auto rhs = side(sizes.n, dot.rhs_groups, dot.rhs_batch, dot.rhs_k);
  std::vector<int64_t> out = sizes.batch;
  out.insert(out.end(), sizes.m.begin(), sizes.m.end());
  out.insert(out.end(), sizes.n.begin(), sizes.n.end());
  dot.call.op = "stablehlo.dot_general";
  dot.call.attrs.resize(6);
  dot.call.attrs[ops::slot::dot_general::lhs_batching_dimensions] = dot.lhs_batch;
  dot.call.attrs[ops::slot::dot_general::rhs_batching_dimensions] = dot.rhs_batch;
  dot.call.attrs[ops::slot::dot_general::lhs_contracting_dimensions] = dot.lhs_k;
  dot.call.attrs[ops::slot::dot_general::rhs_contracting_dimensions] = dot.rhs_k;
  dot.call.operands = {whole(operand, lhs), whole(operand, rhs)};
  dot.call.results = {whole(result, out)};
  dot.call.idle_cores = uniform(rng, 0, 1) != 0;
  for (const auto &a : dot.call.operands)
    dot.call.data.push_back(random_data(rng, operand, a.type.elements(), integers));
  return dot;
}

std::vector<int64_t> random_sizes(Rng &rng, int64_t dims, std::initializer_list<int64_t> choices) {
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < dims; ++i)
    sizes.push_back(*(choices.begin() + uniform(rng, 0, static_cast<int64_t>(choices.size()) - 1)));
  return sizes;
}

} // namespace tw::test
