// SPDX-License-Identifier: Apache-2.0
// The kernel of last resort: an op's reference on the tiles of a request. Slow, and right by
// definition.
#include <memory>
#include <new>
#include <vector>

#include "kernels/entry.hpp"
#include "kernels/ref/references.hpp"

namespace tw::kernels::ref::reference_kernel {

namespace {

class ReferenceKernel final : public Kernel {
public:
  explicit ReferenceKernel(const Request &r)
      : graph_(r.op.graph), attrs_(r.op.attrs), regions_(r.op.regions.begin(), r.op.regions.end()),
        tiles_(r.operands.begin(), r.operands.end()), num_operands_(r.operands.size()),
        reference_(*reference_of(r.def)), use_init_(r.use_init) {
    tiles_.insert(tiles_.end(), r.results.begin(), r.results.end());
    types_.reserve(tiles_.size());
    for (const auto *type : r.op.operands)
      types_.push_back(*type);
    for (const auto *type : r.op.results)
      types_.push_back(*type);
    for (const auto &type : types_)
      type_pointers_.push_back(&type);
  }

  const char *name() const override { return "ref"; }
  int64_t scratch_bytes() const override { return static_cast<int64_t>(tiles_.size() * sizeof(Buffer)); }

  Status run(int64_t, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    auto *buffers = static_cast<Buffer *>(scratch);
    for (size_t i = 0; i < tiles_.size(); ++i) {
      const Tile &t = tiles_[i];
      void *data = i < num_operands_ ? const_cast<void *>(operands[i]) : results[i - num_operands_];
      new (buffers + i) Buffer{data, t.dtype, t.global, t.offset, t.extent};
    }
    const std::span types(type_pointers_);
    const std::span all(buffers, tiles_.size());
    return reference_(
        KernelArgs{{graph_, attrs_, types.first(num_operands_), types.subspan(num_operands_), regions_},
                   all.first(num_operands_),
                   all.subspan(num_operands_),
                   use_init_});
  }

private:
  const graph::Graph &graph_; // regions and constants live there; it outlives its kernels
  graph::Attrs attrs_;
  std::vector<graph::RegionId> regions_;
  std::vector<Tile> tiles_;
  std::vector<graph::TensorType> types_;
  std::vector<const graph::TensorType *> type_pointers_;
  size_t num_operands_;
  const Reference &reference_;
  bool use_init_;
};

std::unique_ptr<Kernel> bind(const Request &r) {
  return reference_of(r.def) != nullptr ? std::make_unique<ReferenceKernel>(r) : nullptr;
}

} // namespace

Entry entry() { return {"ref", {}, bind}; }

} // namespace tw::kernels::ref::reference_kernel
