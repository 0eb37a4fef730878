// SPDX-License-Identifier: Apache-2.0
// Fourier transforms the whole way from an op to cuFFT, against the reference kernel: on doubles of the
// library and of the driver, and where there is a GPU on it.
#include <complex>
#include <cstring>
#include <string>

#include "cuda/on_queue.hpp"

namespace tw::test_cuda_transforms {

using graph::DType;
using test::uniform;

namespace {

template <class Real> double worst(const std::vector<std::byte> &a, const std::vector<std::byte> &b) {
  double difference = 0, scale = 1;
  for (size_t i = 0; i + sizeof(Real) <= a.size(); i += sizeof(Real)) {
    Real x, y;
    std::memcpy(&x, a.data() + i, sizeof x);
    std::memcpy(&y, b.data() + i, sizeof y);
    difference = std::max(difference, static_cast<double>(std::abs(x - y)));
    difference = x == x ? difference : 1e300;
    scale = std::max(scale, static_cast<double>(std::abs(y)));
  }
  return difference / scale;
}

} // namespace

TEST_CASE("transforms through the plug-in are those of the reference") {
  if (!test::has_gpu())
    return;
  test::Rng rng(281);
  int taken[4] = {};
  for (int round = 0; round < 120; ++round) {
    CAPTURE(round);
    const bool wide = uniform(rng, 0, 1);
    const DType real = wide ? DType::f64 : DType::f32, complex = wide ? DType::c128 : DType::c64;
    const std::string kinds[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
    const int which = static_cast<int>(uniform(rng, 0, 3));
    const std::string kind = kinds[which];
    CAPTURE(kind);
    std::vector<int64_t> lengths, in{uniform(rng, 0, 5)}, out;
    for (int64_t d = uniform(rng, 1, 3); d > 0; --d)
      lengths.push_back(uniform(rng, 1, 12));
    in.insert(in.end(), lengths.begin(), lengths.end());
    out = in;
    if (kind == "RFFT" || kind == "IRFFT")
      (kind == "RFFT" ? out : in).back() = lengths.back() / 2 + 1;
    test::KernelCase c{"stablehlo.fft",
                       {kind, lengths},
                       {test::whole(kind == "RFFT" ? real : complex, in)},
                       {test::whole(kind == "IRFFT" ? real : complex, out)},
                       {}};
    c.data = {test::random_data(rng, c.operands[0].type.dtype, c.operands[0].type.elements(), false)};
    const auto kernel = c.bind_as(test::on_queue<device::cuda::fft_entry>);
    CHECK((kernel == nullptr) == (c.results[0].type.elements() == 0));
    if (kernel == nullptr)
      continue;
    ++taken[which];
    CHECK(std::string(kernel->name()).starts_with("cufft:"));
    const auto got = c.run(*kernel, rng)[0], want = c.run(*c.bind_reference(), rng)[0];
    REQUIRE((wide ? worst<double>(got, want) <= 1e-13 : worst<float>(got, want) <= 1e-5));
  }
  for (const int count : taken)
    CHECK(count > 10);
}

} // namespace tw::test_cuda_transforms
