// SPDX-License-Identifier: Apache-2.0
// Questions that readers of annotations ask: devices of tiles, meshes by name, whether anything is said at
// all.
#include "annotation/annotations.hpp"

#include <algorithm>
#include <iterator>

namespace tw::annotation {

std::vector<int64_t> TileAssignment::device_list() const {
  if (iota.empty())
    return devices;
  const size_t rank = iota.size();
  std::vector<size_t> order(rank);
  for (size_t i = 0; i < rank; ++i)
    order[i] = transpose.empty() ? i : static_cast<size_t>(transpose[i]);
  std::vector<int64_t> strides(rank, 1), list{0};
  for (size_t i = rank - 1; i-- > 0;)
    strides[i] = strides[i + 1] * iota[i + 1];
  for (const size_t i : order) { // each digit is more minor than those before it
    std::vector<int64_t> longer;
    for (const int64_t device : list)
      for (int64_t digit = 0; digit < iota[i]; ++digit)
        longer.push_back(device + digit * strides[i]);
    list = std::move(longer);
  }
  return list;
}

bool ShardingAnnotation::constrains() const {
  if (kind != Kind::axes || !unreduced.empty())
    return true;
  return std::any_of(dims.begin(), dims.end(), [](const DimAnnotation &dim) { return !dim.axes.empty(); });
}

bool Annotations::states_moves_of(graph::OpId op) const {
  const auto behind = std::ranges::upper_bound(moves, op, {}, &StatedMoves::first);
  return behind != moves.begin() && op < std::prev(behind)->end;
}

const MeshDecl *Annotations::find_mesh(std::string_view name) const {
  const auto mesh =
      std::find_if(meshes.begin(), meshes.end(), [&](const MeshDecl &m) { return m.name == name; });
  return mesh == meshes.end() ? nullptr : &*mesh;
}

const MeshDecl *Annotations::declared_mesh() const {
  const MeshDecl *decl = nullptr;
  for (const Annotation &a : all)
    if (const MeshDecl *named = find_mesh(a.sharding.mesh); decl == nullptr && named && !named->axes.empty())
      decl = named;
  for (const MeshDecl &m : meshes)
    if (decl == nullptr && !m.axes.empty())
      decl = &m;
  return decl;
}

} // namespace tw::annotation
