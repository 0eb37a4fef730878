// SPDX-License-Identifier: Apache-2.0
// What a copy is: a strided box of any number of dimensions that goes from one buffer to another. Transposes,
// slices, broadcasts, packing and exchanges are all this one thing. Who runs it, on which device and how, is
// said elsewhere (cpu/copy.hpp, device/queue.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tw::kernels {

class StridedCopy {
public:
  StridedCopy() = default; // copies nothing

  // Strides in elements, any sign; a source stride of 0 repeats the element. Destination elements must not
  // coincide. Both sides begin at the box's first element (index 0 in every dimension).
  StridedCopy(std::span<const int64_t> extent, std::span<const int64_t> src_strides,
              std::span<const int64_t> dst_strides, int64_t element_size);

  int64_t bytes() const { return bytes_; } // written

  // Calls visit(src, dst, bytes) with the offsets of each piece that is one run on both sides.
  template <class Visit> void each_run(Visit &&visit) const {
    if (bytes_ != 0)
      runs_from(0, 0, 0, visit);
  }
  int64_t num_runs() const;   // how many they are
  bool fills_one_run() const; // together the destination is contiguous
  // From the first element of the source to the end of the last: where it begins and its bytes.
  struct Reach {
    int64_t offset = 0, bytes = 0;
  };
  Reach source() const;

protected:
  struct Dim {
    int64_t n, src, dst; // strides in bytes
  };

  // As the destination lies, merged where both sides permit: outer loops over runs, by falling stride there;
  // at least one where something is copied.
  std::vector<Dim> dims_;
  int64_t run_ = 0; // bytes that lie together on both sides
  int64_t bytes_ = 0;

private:
  template <class Visit> void runs_from(size_t dim, int64_t src, int64_t dst, Visit &visit) const {
    if (dim == dims_.size())
      return visit(src, dst, run_);
    for (int64_t i = 0; i < dims_[dim].n; ++i)
      runs_from(dim + 1, src + i * dims_[dim].src, dst + i * dims_[dim].dst, visit);
  }
};

} // namespace tw::kernels
