// SPDX-License-Identifier: Apache-2.0
// Stands before oneDNN's own dnnl_primitive_execute, and changes the last bits of some results afterwards, as
// a kernel does that sums in another order. What is to be right with it: whatever the conformance tests of
// products ask, by the way that each lie leaves.
#include "conformance/lying_onednn.hpp"

#include <dlfcn.h>
#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "conformance/kernel_case.hpp"
#include "kernels/onednn/proven.hpp"
#include "ops/attributes.hpp"

using tw::graph::DType;
using tw::kernels::onednn::Proven;
using tw::kernels::onednn::proven;

namespace {

// A product, its result, and how the right matrix lies.
struct Executed {
  int64_t batch = 1, m = 0, n = 0, k = 0;
  bool packed = false;
  dnnl_data_type_t type = dnnl_data_type_undef;
  void *result = nullptr;
};

struct Shape {
  std::vector<int64_t> dims;
  dnnl_data_type_t type = dnnl_data_type_undef;
  bool packed = false;
};

Shape shape_of(const_dnnl_memory_t memory) {
#if DNNL_VERSION_MAJOR >= 3
  const_dnnl_memory_desc_t desc = nullptr;
  int rank = 0, blocks = 0;
  const dnnl_dims_t *dims = nullptr;
  Shape shape;
  dnnl_memory_get_memory_desc(memory, &desc);
  dnnl_memory_desc_query(desc, dnnl_query_ndims_s32, &rank);
  dnnl_memory_desc_query(desc, dnnl_query_dims, static_cast<void *>(&dims));
  dnnl_memory_desc_query(desc, dnnl_query_data_type, &shape.type);
  dnnl_memory_desc_query(desc, dnnl_query_inner_nblks_s32, &blocks);
  shape.dims.assign(*dims, *dims + rank);
  shape.packed = blocks > 0;
  return shape;
#else
  const dnnl_memory_desc_t *desc = nullptr;
  dnnl_memory_get_memory_desc(memory, &desc);
  return {
      {desc->dims, desc->dims + desc->ndims}, desc->data_type, desc->format_desc.blocking.inner_nblks > 0};
#endif
}

Executed executed(std::span<const dnnl_exec_arg_t> arguments) {
  Executed e;
  for (const auto &[what, memory] : arguments) {
    if (what != DNNL_ARG_SRC && what != DNNL_ARG_WEIGHTS && what != DNNL_ARG_DST)
      continue;
    const Shape shape = shape_of(memory);
    const auto rows = shape.dims[shape.dims.size() - 2], columns = shape.dims.back();
    if (what == DNNL_ARG_SRC)
      e.k = columns;
    if (what == DNNL_ARG_WEIGHTS)
      e.packed = shape.packed;
    if (what == DNNL_ARG_DST) {
      e.batch = shape.dims.size() == 3 ? shape.dims[0] : 1;
      e.m = rows;
      e.n = columns;
      e.type = shape.type;
      dnnl_memory_get_data_handle(memory, &e.result);
    }
  }
  return e;
}

struct Lie {
  std::string_view name;
  bool (*told)(const Executed &);
};
constexpr std::array kLies{
    Lie{"amx",
        [](const Executed &e) { return e.k > 1024 && (e.m < 32 || e.n < 16); }}, // as on Sapphire Rapids
    Lie{"deep rows", [](const Executed &e) { return e.k > 1024 && e.m % 2 != 0; }},
    Lie{"deep columns", [](const Executed &e) { return e.k > 512 && e.n < 64; }},
    Lie{"rows", [](const Executed &e) { return e.m < 16; }},
    Lie{"columns", [](const Executed &e) { return e.n < 16; }},
    Lie{"batch", [](const Executed &e) { return e.batch > 1 && e.k > 512; }},
    Lie{"packed", [](const Executed &e) { return e.packed; }},
    Lie{"chains", [](const Executed &) { return true; }}, // another order, but always the same
};

void change(const Executed &e) {
  const int64_t count = e.batch * e.m * e.n;
  const auto each = [&](auto *bits) {
    for (int64_t i = 0; i < count; ++i)
      if ((bits[i] & 6) == 2) // whichever row and column
        bits[i] ^= 1;
  };
  if (e.type == dnnl_f32)
    each(static_cast<uint32_t *>(e.result));
  else if (e.type == dnnl_bf16)
    each(static_cast<uint16_t *>(e.result));
}

std::string kernel_for(DType operand, DType result, int64_t m, int64_t n, int64_t k) {
  tw::test::KernelCase call;
  call.op = "stablehlo.dot_general";
  call.attrs.resize(6);
  using namespace tw::ops::slot::dot_general;
  call.attrs[lhs_batching_dimensions] = call.attrs[rhs_batching_dimensions] = std::vector<int64_t>{};
  call.attrs[lhs_contracting_dimensions] = std::vector<int64_t>{1};
  call.attrs[rhs_contracting_dimensions] = std::vector<int64_t>{0};
  call.operands = {tw::test::whole(operand, {m, k}), tw::test::whole(operand, {k, n})};
  call.results = {tw::test::whole(result, {m, n})};
  return call.bind()->name();
}

} // namespace

std::string_view tw::test::lie() {
  const char *name = std::getenv("TW_TEST_LIE");
  return name != nullptr ? name : "";
}

extern "C" dnnl_status_t dnnl_primitive_execute(const_dnnl_primitive_t primitive, dnnl_stream_t stream,
                                                int count, const dnnl_exec_arg_t *arguments) {
  static const auto real =
      reinterpret_cast<decltype(&dnnl_primitive_execute)>(dlsym(RTLD_NEXT, "dnnl_primitive_execute"));
  static const auto *const told = std::ranges::find(kLies, tw::test::lie(), &Lie::name);
  const dnnl_status_t status = real(primitive, stream, count, arguments);
  if (told == kLies.end())
    return status;
  const Executed e = executed({arguments, static_cast<size_t>(count)});
  if (told->told(e))
    change(e);
  return status;
}

// That the tests of products pass says nothing of which way they go.
TEST_CASE("what a oneDNN lies about is not relied upon, and the rest is") {
  const std::string_view lie = tw::test::lie();
  const Proven &f32 = proven(DType::f32, DType::f32), &bf16 = proven(DType::bf16, DType::bf16);
  CAPTURE(lie);
  REQUIRE((lie.empty() || std::ranges::find(kLies, lie, &Lie::name) != kLies.end()));
  const int64_t depth = lie == "amx" || lie == "deep rows"        ? 1024
                        : lie == "deep columns" || lie == "batch" ? 512
                        : lie == "rows" || lie == "columns"       ? 0
                                                                  : Proven::kAny;
  for (const Proven *p : {&f32, &bf16}) {
    if (p->implementation.empty())
      continue; // oneDNN has nothing here that is known
    CHECK(p->depth == depth);
    CHECK(p->packs == (lie != "packed"));
  }
  if (f32.implementation.empty())
    return;
  CHECK(f32.chains == (depth == Proven::kAny && lie != "chains"));
  const std::string shallow = kernel_for(DType::f32, DType::f32, 64, 96, 300),
                    deep = kernel_for(DType::f32, DType::f32, 64, 96, 3000),
                    row = kernel_for(DType::f32, DType::f32, 1, 1024, 3000);
  CHECK(shallow.starts_with(depth == 0 ? "cpu:" : "onednn:matmul"));
  CHECK(deep.starts_with(depth == 0 ? "cpu:" : depth == Proven::kAny ? "onednn:matmul" : "onednn:blocks"));
  CHECK((row == "onednn:few_rows") == f32.chains);
}
