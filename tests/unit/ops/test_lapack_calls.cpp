// SPDX-License-Identifier: Apache-2.0
// What calls of LAPACK must be, what is said of those that are not, and how they may be split.
#include <doctest/doctest.h>

#include "ops/lapack_calls.hpp"
#include "ops/registry.hpp"
#include "ops/rule_of.hpp"
#include "support/lapack_calls.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test_lapack_calls {

using namespace tw::test;
using namespace tw::test::lapack;

namespace {

const LapackText kSingle{graph::DType::f32, "2x"};

graph::OpId call_in(const graph::Graph &graph) {
  for (graph::OpId id = 0; id < graph.ops().size(); ++id)
    if (ops::is_opaque(graph, id))
      return id;
  FAIL("no call");
  return graph::kNone;
}

// What is wrong with the call of a program; "" where nothing is.
std::string wrong_in(const std::string &program) {
  const auto graph = import_of(program);
  const ops::OpViewHolder holder(*graph, call_in(*graph));
  CHECK(ops::is_lapack_call(holder.view()));
  const auto call = ops::read_lapack_call(holder.view());
  CHECK(ops::lapack_rule(holder.view()).has_value() == call.has_value());
  return call ? "" : call.error().message();
}

std::string potrf(const std::vector<std::string> &from, const std::vector<std::string> &to,
                  const std::string &attributes = "uplo = 76 : ui8") {
  return kSingle.program("lapack_spotrf_ffi", attributes, from, to);
}

} // namespace

TEST_CASE("calls of LAPACK are checked by type, shape, attribute and layout") {
  CHECK(wrong_in(potrf({"3x3xT"}, {"3x3xT", "I"})) == "");
  CHECK(wrong_in(potrf({"3x4xT"}, {"3x4xT", "I"})) ==
        "operand 0 is f32[2,3,4]: its dimension 2 has size 4, expected 3");
  CHECK(wrong_in(potrf({"3x3xT"}, {"3x4xT", "I"})) ==
        "result 0 is f32[2,3,4]: its dimension 2 has size 4, expected 3");
  CHECK(wrong_in(potrf({"3x3xT"}, {"3x3xT", "R"})) ==
        "result 1 is f32[2]: expected 1 dimensions and element type i32");
  CHECK(wrong_in(potrf({"3x3xT"}, {"3x3xT"})) == "has 1 operands and 1 results, expected 1 and 2");
  CHECK(wrong_in(potrf({"3x3xT"}, {"3x3xT", "I"}, "")) == "has no attribute uplo in its backend_config");
  CHECK(wrong_in(potrf({"3x3xT"}, {"3x3xT", "I"}, "uplo = 78 : ui8")) ==
        "its attribute uplo is 78, expected one of 76 (L), 85 (U)");
  CHECK(wrong_in(kSingle.program("lapack_dpotrf_ffi", "uplo = 76 : ui8", {"3x3xT"}, {"3x3xT", "I"})) ==
        "does not take operand 0, f32[2,3,3], of element type f32");
  std::string rows = potrf({"3x3xT"}, {"3x3xT", "I"});
  rows.replace(rows.find("[1, 2, 0]"), 9, "[2, 1, 0]");
  CHECK(wrong_in(rows) == "the layout of operand 0 in operand_layouts is dense<[2,1,0]>, expected "
                          "dense<[1,2,0]>: matrices column by column");
  CHECK(wrong_in(kSingle.program("lapack_sorgqr_ffi", "", {"3x4xT", "3xT"}, {"3x4xT"})) ==
        "has 3 reflectors and 3 by 4 matrices: expected at most 4 reflectors, and no more columns than rows");
  CHECK(wrong_in(kSingle.program("lapack_sgehrd_ffi", "high = 5 : i32, low = 1 : i32", {"4x4xT"},
                                 {"4x4xT", "3xT", "I"})) ==
        "its attributes low and high are 1 and 5, the matrices have 4 rows");
  CHECK(wrong_in(kSingle.program("lapack_sgesdd_ffi", "mode = 83 : ui8", {"4x3xT"},
                                 {"4x3xT", "3xR", "4x4xT", "3x3xT", "I"})) ==
        "result 2 is f32[2,4,4]: its dimension 2 has size 4, expected 3");
  CHECK(wrong_in("func.func @main(%a: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {\n"
                 "  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, "
                 "tensor<3x3xf32>)\n"
                 "  return %0#0 : tensor<2x3x3xf32>\n}") ==
        "result 1 is f32[3,3]: its dimension 0 has size 3, that of operand 0 has 2");
}

TEST_CASE("matrices whose memory LAPACK cannot count are refused") {
  const auto syevd = [](int64_t n) {
    return wrong_in(kSingle.program("lapack_ssyevd_ffi", "mode = 86 : ui8, uplo = 76 : ui8",
                                    {fmt::format("{0}x{0}xT", n)},
                                    {fmt::format("{0}x{0}xT", n), fmt::format("{}xR", n), "I"}));
  };
  CHECK(syevd(32000) == "");
  CHECK(syevd(32001) == "has matrices of 32001 rows or columns, at most 32000 are taken");
  const auto geqrf = [](int64_t m, int64_t n) {
    return wrong_in(kSingle.program("lapack_sgeqrf_ffi", "", {fmt::format("{}x{}xT", m, n)},
                                    {fmt::format("{}x{}xT", m, n), fmt::format("{}xT", std::min(m, n))}));
  };
  CHECK(geqrf(1 << 23, 1) == "");
  CHECK(geqrf(1, (1 << 23) + 1) == "has matrices of 8388609 rows or columns, at most 8388608 are taken");
  CHECK(geqrf(1 << 21, 1 << 20) == "operand 0 is f32[2,2097152,1048576]: a matrix of 2199023255552 elements, "
                                   "at most 1099511627776 are taken");
  const std::string svd =
      kSingle.program("lapack_sgesdd_ffi", "mode = 78 : ui8", {"17001x17001xT"},
                      {"17001x17001xT", "17001xR", "17001x17001xT", "17001x17001xT", "I"});
  CHECK(wrong_in(svd) == "has matrices of 17001 rows or columns, at most 17000 are taken");
}

TEST_CASE("batches of calls of LAPACK are loops, and matrices stay whole") {
  const LapackText text{graph::DType::f32, "2x5x"};
  const auto graph = import_of(text.program("lapack_sgetrf_ffi", "", {"4x3xT"}, {"4x3xT", "3xI", "I"}));
  const ops::OpViewHolder holder(*graph, call_in(*graph));
  CHECK(ops::rule_of(*graph, call_in(*graph)).text() ==
        "([i,j,k,l])->([i,j,k,l],[i,j,l],[i,j]) k:whole l:whole");
  CHECK(ops::op_cost(*graph, call_in(*graph)).flops == 270);
}

TEST_CASE("other calls stay unknown") {
  for (const char *target :
       {"lapack_spotrf", "lapack_xpotrf_ffi", "lapack_sheevd_ffi", "lapack_csyevd_ffi", "lapack__ffi", "Q"}) {
    CAPTURE(target);
    const auto graph = import_of(kSingle.program(target, "", {"3x3xT"}, {"3x3xT"}));
    const ops::OpViewHolder holder(*graph, call_in(*graph));
    CHECK(!ops::is_lapack_call(holder.view()));
    CHECK(!ops::lapack_rule(holder.view()).has_value());
  }
}

} // namespace tw::test_lapack_calls
