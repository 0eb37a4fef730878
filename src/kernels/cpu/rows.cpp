// SPDX-License-Identifier: Apache-2.0
// gather and scatter of whole rows, as embeddings and their gradients do: index vectors name leading
// dimensions of the array, slices are its trailing dimensions. Rows that another device holds read as zeros,
// and updates of them are left to it.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "kernels/entry.hpp"
#include "kernels/ref/combiner.hpp"
#include "kernels/ref/indexing.hpp"
#include "ops/attributes.hpp"
#include "ops/reduction.hpp"

namespace tw::kernels::cpu::rows_kernel {

namespace {

// Where the rows of an array lie, and which row each index vector names.
struct Rows {
  struct Component {                        // one indexed dimension of the array
    int64_t global, offset, extent, stride; // stride in rows
    int64_t column;                         // in the index vector
  };
  std::vector<Component> components;
  Tile indices;
  int64_t count = 1; // index vectors
  int64_t components_each = 1;
  int64_t row_bytes = 0, row_elements = 1;

  // False where the op is not about whole rows. `slices` is gather's result or scatter's updates.
  bool make(const ops::IndexingLists &lists, const Tile &array, const Tile &index, const Tile &slices) {
    const ops::Indexing picture(lists, array.extent.size(), index.extent.size(), slices.extent.size());
    indices = index;
    const size_t batch = picture.batch_dims.size();
    for (size_t i = 0; i < batch; ++i) // slices are batch dimensions, then the row
      if (picture.batch_dims[i] != i)
        return false;
    if (picture.has_vector_dim && picture.vector_dim + 1 != static_cast<int64_t>(index.extent.size()))
      return false;
    components_each = picture.has_vector_dim ? index.extent.back() : 1;
    if (components_each != static_cast<int64_t>(lists.map.size()))
      return false;
    for (size_t i = 0; i < batch; ++i) {
      if (slices.extent[i] != index.extent[i] || slices.offset[i] != index.offset[i])
        return false;
      count *= index.extent[i];
    }
    size_t next = batch;
    int64_t stride = 1;
    bool in_row = false;
    for (size_t d = 0; d < array.extent.size(); ++d) {
      const ops::IndexedDim &dim = picture.array[d];
      if (dim.kind == ops::IndexedDim::Kind::removed && !in_row) {
        components.push_back({array.global[d], array.offset[d], array.extent[d], 0, dim.component});
        continue;
      }
      in_row = true;
      if (dim.kind != ops::IndexedDim::Kind::window || dim.slices_dim != next || dim.component >= 0 ||
          slices.global[next] != array.global[d] || slices.extent[next] != array.extent[d] ||
          slices.offset[next] != array.offset[d])
        return false;
      row_elements *= array.extent[d];
      ++next;
    }
    row_bytes = row_elements * static_cast<int64_t>(graph::byte_size(array.dtype));
    for (size_t i = components.size(); i-- > 0; stride *= components[i].extent)
      components[i].stride = stride;
    return true;
  }

  // The local row that index vector `i` names; -1 where it is elsewhere. Gather clamps indices into the
  // array, scatter drops those outside.
  int64_t row(const Buffer &buffer, int64_t i, bool clamp) const {
    int64_t row = 0;
    for (const Component &c : components) {
      int64_t at = c.column < 0 ? 0 : ref::load_index(buffer, i * components_each + c.column);
      if (clamp)
        at = std::clamp<int64_t>(at, 0, c.global - 1);
      else if (at < 0 || at >= c.global)
        return -1;
      at -= c.offset;
      if (at < 0 || at >= c.extent)
        return -1;
      row += at * c.stride;
    }
    return row;
  }

  Buffer buffer(const void *data) const {
    return {const_cast<void *>(data), indices.dtype, indices.global, indices.offset, indices.extent};
  }
};

class GatherRows final : public Kernel {
public:
  explicit GatherRows(Rows rows)
      : rows_(std::move(rows)),
        parts_(std::clamp<int64_t>(rows_.count * rows_.row_bytes / kPartBytes, 1, 8)) {}
  const char *name() const override { return "cpu:rows"; }
  int64_t parts() const override { return parts_; }
  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *) const override {
    const Buffer indices = rows_.buffer(operands[1]);
    const auto bytes = static_cast<size_t>(rows_.row_bytes);
    for (int64_t i = rows_.count * part / parts_; i < rows_.count * (part + 1) / parts_; ++i) {
      const int64_t row = bytes > 0 ? rows_.row(indices, i, true) : -1;
      std::byte *out = static_cast<std::byte *>(results[0]) + i * rows_.row_bytes;
      if (row >= 0)
        std::memcpy(out, static_cast<const std::byte *>(operands[0]) + row * rows_.row_bytes, bytes);
      else if (bytes > 0)
        std::memset(out, 0, bytes);
    }
    return {};
  }

private:
  static constexpr int64_t kPartBytes = int64_t{1} << 19;
  Rows rows_;
  int64_t parts_;
};

// Updates are combined in their order, whatever the machine; the result may be the operand itself.
class ScatterRows final : public Kernel {
public:
  ScatterRows(Rows rows, BlockFn combine, int64_t bytes, std::vector<std::byte> identity)
      : rows_(std::move(rows)), combine_(combine), bytes_(bytes), identity_(std::move(identity)) {}
  const char *name() const override { return "cpu:rows"; }
  Status run(int64_t, std::span<const void *const> operands, std::span<void *const> results,
             void *) const override {
    auto *out = static_cast<std::byte *>(results[0]);
    for (int64_t at = 0; at < bytes_ && !identity_.empty(); at += static_cast<int64_t>(identity_.size()))
      std::memcpy(out + at, identity_.data(), identity_.size());
    if (identity_.empty() && operands[0] != results[0] && bytes_ > 0)
      std::memcpy(out, operands[0], static_cast<size_t>(bytes_));
    const Buffer indices = rows_.buffer(operands[1]);
    for (int64_t i = 0; i < rows_.count && rows_.row_bytes > 0; ++i) {
      const int64_t row = rows_.row(indices, i, false);
      if (row < 0)
        continue;
      std::byte *to = out + row * rows_.row_bytes;
      const std::array<const void *, 2> in{to,
                                           static_cast<const std::byte *>(operands[2]) + i * rows_.row_bytes};
      combine_(in.data(), to, rows_.row_elements);
    }
    return {};
  }

private:
  Rows rows_;
  BlockFn combine_;
  int64_t bytes_;                   // of the result
  std::vector<std::byte> identity_; // in place of the input; empty: use that
};

std::unique_ptr<Kernel> gather(const Request &r) {
  Rows rows;
  if (!rows.make(ops::gather_lists(r.op), r.operands[0], r.operands[1], r.results[0]))
    return nullptr;
  return std::make_unique<GatherRows>(std::move(rows));
}

std::unique_ptr<Kernel> scatter(const Request &r) {
  if (r.results.size() != 1)
    return nullptr;
  const auto kind = ops::reduction_of(r.op.graph, r.op.regions[0]);
  const graph::DType dtype = r.results[0].dtype;
  const BlockFn combine = kind ? ref::combine_block(*kind, dtype) : nullptr;
  Rows rows;
  if (!combine || r.operands[0].extent != r.results[0].extent ||
      r.operands[0].offset != r.results[0].offset ||
      !rows.make(ops::scatter_lists(r.op), r.results[0], r.operands[1], r.operands[2]))
    return nullptr;
  return std::make_unique<ScatterRows>(std::move(rows), combine, r.results[0].bytes(),
                                       r.use_init ? std::vector<std::byte>()
                                                  : ops::identity_of(*kind, dtype));
}

constexpr std::array kOps{ops::OpKind::gather, ops::OpKind::scatter};

std::unique_ptr<Kernel> bind(const Request &r) { return r.def.kind == kOps[0] ? gather(r) : scatter(r); }

} // namespace

Entry entry() { return {"cpu:rows", kOps, bind}; }

} // namespace tw::kernels::cpu::rows_kernel
