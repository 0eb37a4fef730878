// SPDX-License-Identifier: Apache-2.0
// Which ops the host computes: all that have a golden run, and others only for a reason that stands here.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include "kernels/fused.hpp"
#include "kernels/kernel.hpp"
#include "kernels/ref/references.hpp"
#include "ops/element.hpp"
#include "ops/registry.hpp"

namespace tw::test_references {

namespace {

namespace ref = kernels::ref;

// What has no reference, and why.
const std::map<std::string_view, const char *> kWithout = {
    {"func.argument", "the caller gives it"},
    {"func.result", "the caller takes it"},
    {"stablehlo.case", "its branches are bodies of the program"},
    {"stablehlo.custom_call", "the caller brings what computes it"},
    {"stablehlo.if", "its branches are bodies of the program"},
    {"stablehlo.while", "its regions are bodies of the program"},
};

std::string text_of(const std::filesystem::path &path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

} // namespace

TEST_CASE("every op has a reference, or a reason for having none") {
  for (const ops::OpDef *def : ops::all_ops()) {
    CAPTURE(std::string(def->name));
    const bool has = ref::reference_of(*def) != nullptr;
    CHECK(has == !kWithout.contains(def->name));
    CHECK(kernels::has_kernel(*def) == has);
  }
  for (const auto &without : kWithout)
    CHECK_MESSAGE(ops::find_op(without.first).has_value(), without.first);
}

TEST_CASE("ops with a golden run have a reference") {
  int runs = 0;
  const auto golden = std::filesystem::path(std::getenv("TW_SOURCE_ROOT")) / "tests/golden/ops";
  for (const auto &entry : std::filesystem::directory_iterator(golden)) {
    const std::string name = entry.path().stem().string(), text = text_of(entry.path());
    const auto code = ops::find_op(name);
    REQUIRE_MESSAGE(code.has_value(), name);
    if (text.find("\n=> (") == std::string::npos || (ops::op_def(*code).flags & ops::kControlFlow) != 0)
      continue;
    ++runs;
    CHECK_MESSAGE((ref::reference_of(ops::op_def(*code)) != nullptr || kWithout.contains(name)), name);
  }
  CHECK(runs > 75);
}

TEST_CASE("a reference is a function of one kind") {
  for (const ops::OpDef *def : ops::all_ops())
    if (const ref::Reference *reference = ref::reference_of(*def)) {
      CAPTURE(std::string(def->name));
      CHECK(((def->flags & ops::kElementwise) != 0) == (reference->block != nullptr));
      CHECK(((def->flags & ops::kRearranges) != 0) == (reference->rearranges != nullptr));
      CHECK((reference->run != nullptr) + (reference->block != nullptr) +
                (reference->rearranges != nullptr) ==
            1);
    }
}

// An OpDef says which element types an op takes, a reference has functions for some: these are the same.
TEST_CASE("elementwise ops have a function for the element types that they take") {
  const graph::GraphBuilder empty("", "");
  int tried = 0;
  for (const ops::OpDef *def : ops::all_ops()) {
    // Of convert every pair of types is tried by test_element.
    if ((def->flags & ops::kElementwise) == 0 || std::string_view(def->name) == "stablehlo.convert")
      continue;
    for (int t = 1; t < static_cast<int>(graph::DType::count_); ++t) {
      const auto dtype = static_cast<graph::DType>(t);
      if (dtype == graph::DType::token)
        continue;
      CAPTURE(std::string(def->name));
      CAPTURE(graph::name(dtype));
      const graph::TensorType type{dtype, {4}}, predicate{graph::DType::i1, {4}};
      const bool selects = std::string_view(def->name) == "stablehlo.select";
      const graph::TensorType *operands[] = {selects ? &predicate : &type, &type, &type};
      graph::Attrs attrs(def->attrs.size());
      if (std::string_view(def->name) == "stablehlo.compare")
        attrs[0] = std::string("EQ");
      const ops::OpView op{
          empty.graph(), attrs, std::span(operands).first(static_cast<size_t>(def->max_operands)), {}, {}};
      const auto types = def->infer(op);
      CHECK(types.has_value() == (ref::block_of(*def, op) != nullptr));
      CHECK(types.has_value() == kernels::fuses(*def, op));
      ++tried;
    }
  }
  CHECK(tried > 1000);
}

} // namespace tw::test_references
