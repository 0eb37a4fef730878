// SPDX-License-Identifier: Apache-2.0
// Arrays of the host and of devices.
#include "runtime/tensor.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>

#include <fmt/format.h>

#include "graph/limits.hpp"

namespace tw::runtime {
namespace {
constexpr size_t kTensorAlignment = 64;
}

int64_t TensorView::elements() const {
  int64_t n = 1;
  for (const int64_t d : dims)
    n *= d;
  return n;
}

bool TensorView::is_dense() const {
  int64_t stride = 1;
  for (size_t dim = strides.size(); dim-- > 0;) {
    if (dims[dim] != 1 && strides[dim] != stride)
      return false;
    stride *= dims[dim];
  }
  return true;
}

bool TensorView::overlaps_itself() const {
  if (strides.empty() || elements() == 0)
    return false;
  // By falling stride each dimension steps over all that lies in the smaller ones.
  std::vector<size_t> order;
  for (size_t d = 0; d < dims.size(); ++d)
    if (dims[d] > 1)
      order.push_back(d);
  std::ranges::sort(order, {}, [&](size_t d) { return std::abs(strides[d]); });
  int64_t inner = 0;
  for (const size_t d : order) {
    if (std::abs(strides[d]) <= inner)
      return true;
    inner += (dims[d] - 1) * std::abs(strides[d]);
  }
  return false;
}

std::pair<const std::byte *, int64_t> TensorView::reach() const {
  const auto *begin = static_cast<const std::byte *>(data);
  if (strides.empty() || elements() == 0)
    return {begin, bytes()};
  const auto size = static_cast<int64_t>(graph::byte_size(dtype));
  int64_t most = 1;
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t last = (dims[d] - 1) * strides[d];
    most += std::abs(last);
    begin += std::min<int64_t>(0, last) * size;
  }
  return {begin, most * size};
}

namespace {

// Whether a distance is a sum of steps: each of `stride` bytes, and between `least` and `most` times. Long
// strides are settled first, since few multiples of them leave a rest that the others reach.
class StrideSums {
public:
  void add(int64_t stride, int64_t least, int64_t most) {
    if (least == 0 && most == 0)
      return;
    for (Step &step : std::span(steps_).first(count_))
      if (step.stride == stride) {
        step.least += least;
        step.most += most;
        return;
      }
    steps_[count_++] = {stride, least, most};
  }
  bool reach(int64_t distance) {
    std::ranges::sort(std::span(steps_).first(count_), std::greater<>(), &Step::stride);
    return reach(0, distance);
  }

private:
  struct Step {
    int64_t stride = 0, least = 0, most = 0;
  };
  static constexpr int kPatience = 10000;

  bool reach(size_t from, int64_t distance) {
    if (from == count_)
      return distance == 0;
    if (++looks_ > kPatience)
      return true;
    const Step &step = steps_[from];
    int64_t least = 0, most = 0; // what the others add up to
    for (const Step &other : std::span(steps_).subspan(from + 1, count_ - from - 1)) {
      least += other.stride * other.least;
      most += other.stride * other.most;
    }
    const auto floor = [&](int64_t n) { return n / step.stride - (n % step.stride < 0); };
    const int64_t first = std::max(step.least, -floor(most - distance)),
                  last = std::min(step.most, floor(distance - least));
    for (int64_t times = first; times <= last; ++times)
      if (reach(from + 1, distance - times * step.stride))
        return true;
    return false;
  }

  std::array<Step, 2 * graph::kMaxRank + 1> steps_;
  size_t count_ = 0;
  int looks_ = 0;
};

} // namespace

bool overlap(const TensorView &a, const TensorView &b) {
  const auto [first, n] = a.reach();
  const auto [second, m] = b.reach();
  if (n == 0 || m == 0 || first >= second + m || second >= first + n)
    return false;
  if (a.is_dense() && b.is_dense())
    return true;
  // A byte of `a` lies at `first` and steps of its own, one of `b` at `second` and others: they are one where
  // the steps of `a` less those of `b` lead from `first` to `second`.
  StrideSums sums;
  for (const auto &[array, sign] : {std::pair(&a, 1), std::pair(&b, -1)}) {
    const auto size = static_cast<int64_t>(graph::byte_size(array->dtype));
    const auto add = [&sums, sign = sign](int64_t stride, int64_t times) {
      sums.add(stride, sign < 0 ? -times : 0, sign < 0 ? 0 : times);
    };
    add(1, size - 1);
    int64_t dense = size;
    for (size_t d = array->dims.size(); d-- > 0; dense *= array->dims[d]) {
      const int64_t stride = array->strides.empty() ? dense : std::abs(array->strides[d]) * size;
      if (stride != 0)
        add(stride, array->dims[d] - 1);
    }
  }
  return sums.reach(second - first);
}

bool is_owners_tile(std::span<const TensorView> tiles, std::span<const uint32_t> owners, size_t i) {
  if (owners.empty() || owners[i] == i)
    return false;
  const TensorView &owner = tiles[owners[i]];
  return tiles[i].data == owner.data && tiles[i].where == owner.where &&
         std::ranges::equal(tiles[i].strides, owner.strides);
}

// By rising address an array can only lie over those that begin before it ends.
Status check_apart(std::span<const TensorView> outputs, std::span<uint32_t> order,
                   const std::function<std::string(uint32_t)> &name, std::span<const uint32_t> owners) {
  const auto begin_of = [&](uint32_t i) { return outputs[i].reach().first; };
  const auto is_owners = [&](uint32_t i) { return is_owners_tile(outputs, owners, i); };
  order = {order.begin(), std::partition(order.begin(), order.end(), std::not_fn(is_owners))};
  std::ranges::sort(order, {}, begin_of);
  for (size_t i = 0; i < order.size(); ++i) {
    const auto [begin, bytes] = outputs[order[i]].reach();
    for (size_t k = i + 1; k < order.size() && begin_of(order[k]) < begin + bytes; ++k)
      if (overlap(outputs[order[i]], outputs[order[k]])) {
        const auto [first, second] = std::minmax(order[i], order[k]);
        return fail(Code::invalid_argument, "TW-625",
                    fmt::format("{} has memory of {}: give each result an array of its own", name(second),
                                name(first)));
      }
  }
  return {};
}

Tensor::Tensor(graph::TensorType type) {
  auto made = create(std::move(type), {});
  if (!made)
    throw std::bad_alloc();
  *this = std::move(*made);
}

Result<Tensor> Tensor::create(graph::TensorType type, const Allocator &allocator) {
  Tensor tensor;
  tensor.owned_bytes_ = static_cast<size_t>(std::max<int64_t>(type.bytes(), 1));
  tensor.allocator_ = allocator;
  tensor.data_ = static_cast<std::byte *>(allocator.allocate(tensor.owned_bytes_, kTensorAlignment));
  if (!tensor.data_)
    return fail(Code::resource_exhausted, "TW-662",
                fmt::format("no memory for {}: {} bytes", graph::to_short_text(type), tensor.owned_bytes_));
  std::memset(tensor.data_, 0, tensor.owned_bytes_);
  tensor.type_ = std::move(type);
  return tensor;
}

Tensor Tensor::wrap(graph::TensorType type, void *data, void (*destroy)(void *user), void *user) {
  Tensor tensor;
  tensor.type_ = std::move(type);
  tensor.data_ = static_cast<std::byte *>(data);
  tensor.destroy_ = destroy;
  tensor.user_ = user;
  return tensor;
}

Result<Tensor> Tensor::create_at(graph::TensorType type, const device::Where &where) {
  Tensor tensor;
  const auto bytes = static_cast<size_t>(std::max<int64_t>(type.bytes(), 1));
  TW_ASSIGN(tensor.memory_, device::allocate(*where.kind, where.unit, bytes, {}));
  tensor.data_ = tensor.memory_.get();
  tensor.type_ = std::move(type);
  tensor.where_ = where;
  return tensor;
}

Tensor Tensor::wrap_at(graph::TensorType type, std::vector<int64_t> strides, const device::Where &where,
                       void *data, void (*destroy)(void *user), void *user) {
  Tensor tensor = wrap(std::move(type), data, destroy, user);
  tensor.strides_ = std::move(strides);
  tensor.where_ = where;
  return tensor;
}

Tensor &Tensor::operator=(Tensor &&other) noexcept {
  if (this != &other) {
    reset();
    type_ = std::move(other.type_);
    strides_ = std::move(other.strides_);
    where_ = other.where_;
    memory_ = std::move(other.memory_);
    data_ = std::exchange(other.data_, nullptr);
    owned_bytes_ = std::exchange(other.owned_bytes_, 0);
    allocator_ = other.allocator_;
    destroy_ = std::exchange(other.destroy_, nullptr);
    user_ = other.user_;
  }
  return *this;
}

void Tensor::reset() {
  if (owned_bytes_ && data_)
    allocator_.release(data_, owned_bytes_, kTensorAlignment);
  memory_.reset();
  if (destroy_)
    destroy_(user_);
}

} // namespace tw::runtime
