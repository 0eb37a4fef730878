// SPDX-License-Identifier: Apache-2.0
// One thread an element of the result, or of the updates.
#include "kernels/generated/indexed.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/generated/dynamic_slice.hpp"
#include "kernels/generated/index_text.hpp"
#include "kernels/generated/prelude.hpp"
#include "kernels/generated/reduction.hpp"
#include "ops/strided.hpp"

namespace tw::kernels::generated {

namespace {

using Kind = ops::IndexedDim::Kind;

// "i0", "i1", ..: the place in row-major order of the number `at`.
std::string places_text(const std::vector<int64_t> &extent, const char *name, const char *at) {
  std::string text = fmt::format("  tw::i64_t {}_left = {};\n", name, at);
  for (size_t d = extent.size(); d-- > 0;)
    text +=
        fmt::format("  const tw::i64_t {0}{1} = {0}_left % {2}ll;\n  {0}_left /= {2}ll;\n  (void){0}{1};\n",
                    name, d, std::max<int64_t>(extent[d], 1));
  return text + fmt::format("  (void){}_left;\n", name);
}

class IndexedWriter {
public:
  // `indices`: the operand that they are.
  IndexedWriter(const IndexedSlices &r, size_t indices)
      : r_(r), indices_(indices), array_steps_(ops::dense_strides(r.array.extent)),
        slices_steps_(ops::dense_strides(r.slices.extent)), index_steps_(ops::dense_strides(r.indices)) {}

  Source gather(std::span<const int64_t> sizes, const std::string &entry) const {
    const int64_t elements = ops::product(r_.slices.extent);
    Source source;
    source.functions.emplace_back(index_functions());
    std::string &text = source.text;
    text = element_kernel(entry, 3, elements) + places_text(r_.slices.extent, "i", "at");
    text += fmt::format(
        "  const tw::i64_t vector = {};\n  (void)vector;\n  bool here = true;\n  tw::i64_t from = 0;\n",
        vector_text("i"));
    for (size_t d = 0; d < r_.array.extent.size(); ++d) {
      const ops::IndexedDim &dim = r_.picture.array[d];
      std::string at = dim.component < 0 ? "0ll"
                                         : fmt::format("tw::clamped({}, {}ll)", start_text(dim),
                                                       r_.array.global[d] - sizes[d]);
      if (dim.kind == Kind::batching)
        at = "0ll";
      if (dim.kind != Kind::removed)
        at += fmt::format(" + i{} + {}ll", dim.slices_dim, r_.slices.offset[dim.slices_dim]);
      text +=
          fmt::format("  const tw::i64_t a{0} = {1} - {2}ll;\n  here = here && a{0} >= 0 && a{0} < {3}ll;\n"
                      "  from += a{0} * {4}ll;\n",
                      d, at, r_.array.offset[d], r_.array.extent[d], array_steps_[d]);
    }
    text += fmt::format("  typedef tw::{}::Storage Element;\n"
                        "  ((Element *)args.word[2])[at] = here ? ((const Element *)args.word[0])[from] : "
                        "Element();\n}}\n",
                        type_name(r_.dtype));
    source.launches.push_back(
        {entry,
         blocks_for(elements),
         kThreads,
         {{Word::Kind::operand, 0}, {Word::Kind::operand, 1}, {Word::Kind::result, 0}}});
    return source;
  }

  Result<Source> scatter(const ScalarRegion &region, const std::vector<graph::DType> &dtypes,
                         std::optional<sharding::Reduction> identity, const std::string &entry) const {
    const size_t n = dtypes.size();
    TW_ASSIGN(const std::vector<int64_t> batch, batch_extents());
    Source source;
    source.functions.emplace_back(index_functions());
    Launch launch{entry, blocks_for(ops::product(r_.array.extent)), kThreads};
    for (uint32_t i = 0; i < 2 * n + 1; ++i)
      launch.words.push_back({Word::Kind::operand, i});
    for (uint32_t i = 0; i < n; ++i)
      launch.words.push_back({Word::Kind::result, i});
    std::string &text = source.text;
    text = element_kernel(entry, launch.words.size(), ops::product(r_.array.extent)) +
           places_text(r_.array.extent, "a", "at");
    for (size_t i = 0; i < n; ++i)
      text += fmt::format("  tw::V<tw::{0}> r{1} = tw::convert<tw::{0}, tw::{2}>({3});\n",
                          type_name(region.arguments[i]), i,
                          type_name(identity ? ops::wide_type(dtypes[i]) : dtypes[i]),
                          identity ? identity_text(*identity, dtypes[i])
                                   : fmt::format("tw::load<tw::{}>((const void *)args.word[{}], at)",
                                                 type_name(dtypes[i]), i));
    text += fmt::format("  for (tw::i64_t t = 0; t < {}ll; ++t) {{\n", loops(batch));
    text += places_text(batch, "i", "t") + hit_text(batch.size());
    TW_TRY(write_step(region, dtypes, n + 1, text, source.functions));
    text += "  }\n";
    for (size_t i = 0; i < n; ++i)
      text += fmt::format(
          "  tw::store<tw::{0}>((void *)args.word[{1}], at, tw::convert<tw::{0}, tw::{2}>(r{3}));\n",
          type_name(dtypes[i]), 2 * n + 1 + i, type_name(region.arguments[i]), i);
    text += "}\n";
    source.launches.push_back(std::move(launch));
    return source;
  }

  Result<Source> scatter_apart(const ScalarRegion &region, graph::DType dtype,
                               std::optional<sharding::Reduction> identity, const std::string &entry) const {
    TW_ASSIGN(const std::vector<int64_t> batch, batch_extents());
    const int64_t updates = loops(batch),
                  window = ops::product(r_.slices.extent) / std::max<int64_t>(updates, 1);
    Source source;
    source.functions.emplace_back(index_functions());
    source.scratch_bytes = 2 * updates * static_cast<int64_t>(sizeof(int64_t));
    const Word indices{Word::Kind::operand, 1}, values{Word::Kind::operand, 2}, result{Word::Kind::result, 0},
        scratch{Word::Kind::scratch, 0};
    std::string &text = source.text;
    if (identity) {
      const int64_t elements = ops::product(r_.array.extent);
      text += element_kernel(entry + "_begin", 1, elements) +
              fmt::format(
                  "  tw::store<tw::{0}>((void *)args.word[0], at, tw::convert<tw::{0}, tw::{1}>({2}));\n}}\n",
                  type_name(dtype), type_name(ops::wide_type(dtype)), identity_text(*identity, dtype));
      source.launches.push_back({entry + "_begin", blocks_for(elements), kThreads, {result}});
    }
    write_landings(text, entry + "_landings", batch, updates);
    source.launches.push_back({entry + "_landings", blocks_for(updates), kThreads, {scratch, indices}});
    write_order(text, entry + "_order", updates);
    source.launches.push_back({entry + "_order", blocks_for(updates), kThreads, {scratch}});

    // The first of those that land in one place makes its elements.
    text += element_kernel(entry, 4, updates * window);
    text += fmt::format(
        "  const tw::i64_t *const landings = (const tw::i64_t *)args.word[0], *const order = landings + "
        "{0}ll;\n"
        "  const tw::i64_t first = at / {1}ll, window = at % {1}ll, to_window = landings[order[first]];\n"
        "  if (to_window < 0 || (first > 0 && landings[order[first - 1]] == to_window))\n    return;\n"
        "  bool here = true;\n  tw::i64_t to = to_window;\n",
        updates, std::max<int64_t>(window, 1));
    const std::vector<int64_t> extents(r_.slices.extent.begin() + std::ssize(batch), r_.slices.extent.end());
    text += places_text(extents, "w", "window");
    for (size_t d = 0; d < r_.array.extent.size(); ++d)
      if (const ops::IndexedDim &dim = r_.picture.array[d]; dim.kind == Kind::window && dim.component < 0)
        text += fmt::format(
            "  const tw::i64_t a{0} = w{1} + {2}ll;\n  here = here && a{0} >= 0 && a{0} < {3}ll;\n"
            "  to += a{0} * {4}ll;\n",
            d, dim.slices_dim - batch.size(), r_.slices.offset[dim.slices_dim] - r_.array.offset[d],
            r_.array.extent[d], array_steps_[d]);
    const std::string type = type_name(region.arguments[0]), stored = type_name(dtype);
    text += fmt::format(
        "  if (!here)\n    return;\n"
        "  tw::V<tw::{0}> r0 = tw::convert<tw::{0}, tw::{1}>(tw::load<tw::{1}>((const void *)args.word[3], "
        "to));\n"
        "  for (tw::i64_t next = first; next < {2}ll && landings[order[next]] == to_window; ++next) {{\n"
        "    const tw::i64_t from = order[next] * {3}ll + window;\n",
        type, stored, updates, window);
    TW_TRY(write_step(region, std::vector{dtype}, 2, text, source.functions));
    text += fmt::format(
        "  }}\n  tw::store<tw::{0}>((void *)args.word[3], to, tw::convert<tw::{0}, tw::{1}>(r0));\n}}\n",
        stored, type);
    source.launches.push_back(
        {entry, blocks_for(updates * window), kThreads, {scratch, indices, values, result}});
    return source;
  }

private:
  Result<std::vector<int64_t>> batch_extents() const {
    std::vector<int64_t> batch;
    for (size_t i = 0; i < r_.picture.batch_dims.size(); ++i) {
      if (r_.picture.batch_dims[i] != i)
        return fail(Code::unimplemented, "TW-260", "its updates do not begin with their batch dimensions");
      batch.push_back(r_.slices.extent[i]);
    }
    return batch;
  }

  // Combines "r0", .. with the updates at `from`, of operands from `word` on, rounded to the arrays' types.
  static Status write_step(const ScalarRegion &region, const std::vector<graph::DType> &dtypes, size_t word,
                           std::string &text, std::vector<std::string> &functions) {
    std::vector<std::string> names;
    for (size_t i = 0; i < dtypes.size(); ++i)
      names.push_back(fmt::format("r{}", i));
    for (size_t i = 0; i < dtypes.size(); ++i) {
      const std::string type = type_name(region.arguments[i]), stored = type_name(dtypes[i]);
      text += fmt::format(
          "    const tw::V<tw::{0}> x{1} = tw::convert<tw::{0}, tw::{2}>(tw::load<tw::{2}>((const "
          "void *)args.word[{3}], from));\n",
          type, i, stored, word + i);
      names.push_back(fmt::format("x{}", i));
    }
    TW_ASSIGN(const auto made, region_text(region, std::move(names), text, functions));
    for (size_t i = 0; i < dtypes.size(); ++i)
      text +=
          fmt::format("    const tw::V<tw::{0}> y{1} = {2};\n", type_name(region.arguments[i]), i, made[i]);
    for (size_t i = 0; i < dtypes.size(); ++i)
      text += fmt::format("    r{0} = y{0};\n", i);
    return {};
  }

  // Of each slice the element of the array where it begins; -1: elsewhere.
  void write_landings(std::string &text, const std::string &name, const std::vector<int64_t> &batch,
                      int64_t updates) const {
    text += element_kernel(name, 2, updates) + places_text(batch, "i", "at");
    text += fmt::format("  const tw::i64_t vector = {};\n  (void)vector;\n  bool here = true;\n"
                        "  tw::i64_t to = 0;\n",
                        vector_text("i"));
    for (size_t d = 0; d < r_.array.extent.size(); ++d) {
      const ops::IndexedDim &dim = r_.picture.array[d];
      std::string start = "0ll";
      if (dim.component >= 0)
        start = fmt::format("tw::within({}, {}ll)", start_text(dim), r_.array.global[d] + 1);
      if (dim.kind == Kind::batching)
        start = fmt::format("i{} + {}ll", dim.slices_dim, r_.slices.offset[dim.slices_dim]);
      if (dim.kind != Kind::window || dim.component >= 0)
        text +=
            fmt::format("  const tw::i64_t a{0} = {1} - {2}ll;\n  here = here && a{0} >= 0 && a{0} < {3}ll;\n"
                        "  to += a{0} * {4}ll;\n",
                        d, start, r_.array.offset[d], r_.array.extent[d], array_steps_[d]);
    }
    text += "  ((tw::i64_t *)args.word[0])[at] = here ? to : -1;\n}\n";
  }

  // Behind the landings the numbers of the slices in the order of these: each counts those in front of it.
  static void write_order(std::string &text, const std::string &name, int64_t updates) {
    text += fmt::format(
        "TW_BLOCK_KERNEL({0}, 1) {{\n  __shared__ tw::i64_t some[{1}];\n"
        "  const tw::i64_t *const landings = (const tw::i64_t *)args.word[0];\n"
        "  const tw::i64_t at = (tw::i64_t)blockIdx.x * {1} + threadIdx.x;\n"
        "  const tw::i64_t own = at < {2}ll ? landings[at] : -1;\n  tw::i64_t before = 0;\n"
        "  for (tw::i64_t first = 0; first < {2}ll; first += {1}) {{\n"
        "    const int n = {2}ll - first < {1} ? (int)({2}ll - first) : {1};\n"
        "    if ((int)threadIdx.x < n)\n      some[threadIdx.x] = landings[first + threadIdx.x];\n"
        "    __syncthreads();\n"
        "    for (int i = 0; i < n; ++i)\n"
        "      before += some[i] < own || (some[i] == own && first + i < at) ? 1 : 0;\n"
        "    __syncthreads();\n  }}\n"
        "  if (at < {2}ll)\n    ((tw::i64_t *)args.word[0])[{2}ll + before] = at;\n}}\n",
        name, kThreads, updates);
  }

  // Nothing lands where an array has no elements.
  int64_t loops(const std::vector<int64_t> &batch) const {
    return ops::product(r_.slices.extent) == 0 ? 0 : ops::product(batch);
  }

  // Where the index vector of a slice begins: of places "i0", "i1", .. of the slices.
  std::string vector_text(const char *name) const {
    std::string text;
    for (const size_t d : r_.picture.batch_dims)
      text += fmt::format("{}{}{} * {}ll", text.empty() ? "" : " + ", name, d,
                          index_steps_[static_cast<size_t>(r_.picture.slices_to_indices[d])]);
    return text.empty() ? "0ll" : text;
  }
  std::string start_text(const ops::IndexedDim &dim) const {
    const int64_t step =
        r_.picture.has_vector_dim ? index_steps_[static_cast<size_t>(r_.picture.vector_dim)] : 0;
    return index_text(r_.index, fmt::format("args.word[{}]", indices_),
                      fmt::format("vector + {}ll", dim.component * step));
  }

  // Goes on with the next update where this one does not land here; else sets `from`, its number.
  std::string hit_text(size_t batch) const {
    const size_t n = r_.array.extent.size();
    std::string text =
        fmt::format("    const tw::i64_t vector = {};\n    (void)vector;\n    bool here = true;\n"
                    "    tw::i64_t from = 0;\n",
                    vector_text("i"));
    for (size_t d = 0; d < batch; ++d)
      text += fmt::format("    from += i{} * {}ll;\n", d, slices_steps_[d]);
    for (size_t d = 0; d < n; ++d) {
      const ops::IndexedDim &dim = r_.picture.array[d];
      const int64_t most = r_.array.global[d] + 1; // so far away that sums cannot overflow
      std::string start = "0ll";
      if (dim.component >= 0)
        start = fmt::format("tw::within({}, {}ll)", start_text(dim), most);
      text += fmt::format(
          "    const tw::i64_t w{0} = a{0} + {1}ll - {2}{3};\n", d, r_.array.offset[d], start,
          dim.kind == Kind::removed ? "" : fmt::format(" - {}ll", r_.slices.offset[dim.slices_dim]));
      if (dim.kind == Kind::window)
        text += fmt::format("    here = here && w{0} >= 0 && w{0} < {1}ll;\n    from += w{0} * {2}ll;\n", d,
                            r_.slices.extent[dim.slices_dim], slices_steps_[dim.slices_dim]);
      else
        text += fmt::format("    here = here && w{} == {};\n", d,
                            dim.kind == Kind::batching ? fmt::format("i{}", dim.slices_dim) : "0");
    }
    return text + "    if (!here)\n      continue;\n";
  }
  const IndexedSlices &r_;
  size_t indices_;
  std::vector<int64_t> array_steps_, slices_steps_, index_steps_;
};

} // namespace

Source gather_slices_source(const IndexedSlices &request, std::span<const int64_t> sizes,
                            const std::string &entry) {
  return IndexedWriter(request, 1).gather(sizes, entry);
}

Result<Source> scatter_slices_source(const IndexedSlices &request, const ScalarRegion &region,
                                     const std::vector<graph::DType> &dtypes,
                                     std::optional<sharding::Reduction> identity, const std::string &entry) {
  return IndexedWriter(request, dtypes.size()).scatter(region, dtypes, identity, entry);
}

bool slices_lie_apart(const IndexedSlices &request) {
  return std::ranges::all_of(request.picture.array, [&](const ops::IndexedDim &dim) {
    return dim.kind != Kind::window || dim.component < 0 || request.slices.global[dim.slices_dim] == 1;
  });
}

Result<Source> scatter_apart_source(const IndexedSlices &request, const ScalarRegion &region,
                                    graph::DType dtype, std::optional<sharding::Reduction> identity,
                                    const std::string &entry) {
  return IndexedWriter(request, 1).scatter_apart(region, dtype, identity, entry);
}

} // namespace tw::kernels::generated
