// SPDX-License-Identifier: Apache-2.0
// Sorts the dimensions of a dot_general into batch, free and contracting groups and says where each matrix
// lies.
#include "kernels/dot_layout.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/entry.hpp"
#include "ops/attributes.hpp"

namespace tw::kernels {

namespace {

using Dim = DotOperand::Dim;

void merge(std::vector<Dim> &dims) {
  std::vector<Dim> merged;
  for (const Dim &d : dims) {
    if (d.extent == 1)
      continue;
    if (!merged.empty() && merged.back().stride == d.extent * d.stride)
      merged.back() = {merged.back().extent * d.extent, d.stride};
    else
      merged.push_back(d);
  }
  dims = std::move(merged);
}

int64_t product(const std::vector<Dim> &dims) {
  int64_t n = 1;
  for (const Dim &d : dims)
    n *= d.extent;
  return n;
}

bool contains(std::span<const int64_t> list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// `contracting` in the order in which both operands are to be walked.
DotOperand make_operand(const Tile &tile, std::span<const int64_t> batching,
                        std::span<const int64_t> contracting) {
  const std::vector<int64_t> strides = dense_strides(tile.extent);
  const auto dim = [&](int64_t d) {
    return Dim{tile.extent[static_cast<size_t>(d)], strides[static_cast<size_t>(d)]};
  };
  std::vector<Dim> batch, free, k;
  for (int64_t d : batching)
    batch.push_back(dim(d));
  for (int64_t d : contracting)
    k.push_back(dim(d));
  bool k_inner = true;
  for (int64_t d = 0; d < static_cast<int64_t>(tile.extent.size()); ++d) {
    if (contains(batching, d))
      continue;
    k_inner = contains(contracting, d);
    if (!k_inner)
      free.push_back(dim(d));
  }
  return {std::move(batch), std::move(free), std::move(k), k_inner};
}

// Contracting dimensions in the order of the left operand's storage.
std::pair<std::vector<int64_t>, std::vector<int64_t>> sorted_contracting(const Request &r) {
  using namespace ops::slot::dot_general;
  const auto lhs = r.op.ints(lhs_contracting_dimensions), rhs = r.op.ints(rhs_contracting_dimensions);
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (size_t i = 0; i < lhs.size(); ++i)
    pairs.emplace_back(lhs[i], rhs[i]);
  std::sort(pairs.begin(), pairs.end());
  std::pair<std::vector<int64_t>, std::vector<int64_t>> sorted;
  for (const auto &[l, r_dim] : pairs) {
    sorted.first.push_back(l);
    sorted.second.push_back(r_dim);
  }
  return sorted;
}

class EmptyDot final : public Kernel {
public:
  explicit EmptyDot(int64_t bytes) : bytes_(bytes) {}
  const char *name() const override { return "cpu:matmul empty"; }
  Status run(int64_t, std::span<const void *const>, std::span<void *const> results, void *) const override {
    if (bytes_ > 0)
      std::memset(results[0], 0, static_cast<size_t>(bytes_));
    return {};
  }

private:
  int64_t bytes_;
};

} // namespace

DotOperand::DotOperand(std::vector<Dim> batch, std::vector<Dim> free, std::vector<Dim> k, bool k_inner)
    : batch_(std::move(batch)), free_(std::move(free)), k_(std::move(k)), k_inner_(k_inner),
      free_extent_(product(free_)) {
  merge(batch_);
  merge(free_);
  merge(k_);
}

bool DotOperand::is_dense() const {
  int64_t step = 1;
  for (const auto *group : {k_inner_ ? &k_ : &free_, k_inner_ ? &free_ : &k_, &batch_})
    for (auto d = group->rbegin(); d != group->rend(); step *= d->extent, ++d)
      if (d->stride != step)
        return false;
  return true;
}

std::optional<DotOperand::Strides> DotOperand::strides() const {
  if (free_.size() > 1 || k_.size() > 1)
    return std::nullopt;
  return Strides{free_.empty() ? 0 : free_[0].stride, k_.empty() ? 0 : k_[0].stride};
}

int64_t DotOperand::granule() const { return free_.empty() ? 1 : free_extent_ / free_[0].extent; }

int64_t DotOperand::offset(int64_t batch, int64_t free_begin) const {
  int64_t at = free_.empty() ? 0 : free_begin / granule() * free_[0].stride;
  for (auto d = batch_.rbegin(); d != batch_.rend(); batch /= d->extent, ++d)
    at += batch % d->extent * d->stride;
  return at;
}

cpu::CopyPlan DotOperand::pack(int64_t free_count, int64_t element_size, bool k_inner) const {
  std::vector<Dim> free = free_;
  if (!free.empty())
    free[0].extent = free_count / granule();
  std::vector<int64_t> extent, stride;
  for (const auto *group : {k_inner ? &free : &k_, k_inner ? &k_ : &free})
    for (const Dim &d : *group) {
      extent.push_back(d.extent);
      stride.push_back(d.stride);
    }
  return {extent, stride, dense_strides(extent), element_size, cpu::CopyPlan::Stream::never};
}

DotLayout::DotLayout(const Request &r)
    : lhs(make_operand(r.operands[0], r.op.ints(ops::slot::dot_general::lhs_batching_dimensions),
                       sorted_contracting(r).first)),
      rhs(make_operand(r.operands[1], r.op.ints(ops::slot::dot_general::rhs_batching_dimensions),
                       sorted_contracting(r).second)) {
  const auto extent_of = [&](std::span<const int64_t> dims) {
    int64_t n = 1;
    for (int64_t d : dims)
      n *= r.operands[0].extent[static_cast<size_t>(d)];
    return n;
  };
  batch = extent_of(r.op.ints(ops::slot::dot_general::lhs_batching_dimensions));
  k = extent_of(r.op.ints(ops::slot::dot_general::lhs_contracting_dimensions));
  m = lhs.free_extent();
  n = rhs.free_extent();
}

std::unique_ptr<Kernel> bind_empty_dot(const Request &request, const DotLayout &dot) {
  if (dot.batch > 0 && dot.m > 0 && dot.n > 0 && dot.k > 0)
    return nullptr;
  return std::make_unique<EmptyDot>(request.results[0].bytes());
}

DotParts::DotParts(const DotLayout &dot, double flops_each, int64_t most, int64_t fewest_rows)
    : batch(dot.batch), m(dot.m), batch_each(dot.batch), rows_each(dot.m) {
  const double one =
      2.0 * static_cast<double>(dot.m) * static_cast<double>(dot.n) * static_cast<double>(dot.k);
  const auto wanted = static_cast<int64_t>(
      std::clamp(one * static_cast<double>(batch) / flops_each, 1.0, static_cast<double>(most)));
  if (batch >= wanted) {
    batch_each = (batch + wanted - 1) / wanted;
  } else {
    batch_each = 1;
    const int64_t rows = std::max((m * batch + wanted - 1) / wanted, fewest_rows),
                  unit = std::max<int64_t>(1, dot.lhs.granule());
    rows_each = std::min(m, (rows + unit - 1) / unit * unit);
  }
  batch_parts = (batch + batch_each - 1) / batch_each;
  row_parts = (m + rows_each - 1) / rows_each;
}

} // namespace tw::kernels
