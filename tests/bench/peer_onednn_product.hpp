// SPDX-License-Identifier: Apache-2.0
// A product of dense f32 matrices by oneDNN as any program would call it: its own threads, its own scratch
// memory.
#pragma once

#include <cstdint>
#include <memory>

namespace tw::bench {

class OneDnnProduct {
public:
  static std::unique_ptr<OneDnnProduct> create(int64_t m, int64_t n, int64_t k); // null where that failed
  ~OneDnnProduct();
  void run(const void *lhs, const void *rhs, void *result) const;

private:
  struct Impl;
  explicit OneDnnProduct(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

} // namespace tw::bench
