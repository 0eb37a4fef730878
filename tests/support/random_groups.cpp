// SPDX-License-Identifier: Apache-2.0
// Draws an iteration space, inputs that are dense, transposed or broadcast, and ops on what there is so far.
#include "support/random_groups.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "kernels/ref/references.hpp"
#include "ops/attributes.hpp"
#include "ops/element.hpp"
#include "ops/registry.hpp"

namespace tw {

namespace {

using graph::DType;

std::vector<const ops::OpDef *> elementwise_ops() {
  std::vector<const ops::OpDef *> found;
  for (const ops::OpDef *def : ops::all_ops())
    if ((def->flags & ops::kElementwise) != 0)
      found.push_back(def);
  return found;
}

// Floats without NaN and infinity make a zero of NaN, whose sign no two processors agree on.
bool lacks_nan(DType t) { return t == DType::f4e2m1fn || t == DType::f6e2m3fn || t == DType::f6e3m2fn; }

class Maker {
public:
  explicit Maker(uint64_t seed) : random_(seed) {}

  RandomGroup run() {
    draw_space();
    for (size_t i = 1 + below(4); i > 0; --i)
      add_input();
    for (size_t tries = 0; made_.group.nodes.size() < 1 + wanted_ && tries < 200; ++tries)
      add_node();
    const size_t nodes = made_.group.nodes.size();
    made_.group.outputs.push_back(static_cast<uint32_t>(nodes - 1));
    while (below(3) == 0)
      made_.group.outputs.push_back(static_cast<uint32_t>(below(nodes)));
    for (const uint32_t o : made_.group.outputs) {
      made_.outputs.push_back(values_[made_.group.inputs.size() + o]);
      made_.in_place.push_back(place_of(o));
    }
    return std::move(made_);
  }

private:
  size_t below(size_t n) { return static_cast<size_t>(random_() % n); }

  void draw_space() {
    static constexpr int64_t kExtents[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 32, 33, 64};
    made_.shifted = below(4) == 0;
    for (size_t d = below(5); d > 0; --d) {
      const int64_t n = kExtents[below(std::size(kExtents))];
      if (elements_ * n <= 2048) {
        made_.group.extent.push_back(n);
        elements_ *= n;
      }
    }
    if (below(40) == 0 && !made_.group.extent.empty()) {
      made_.group.extent[0] = 0;
      elements_ = 0;
    }
    wanted_ = below(8);
  }

  // Row-major strides of storage whose dimensions come in some order, some of which it lacks.
  std::vector<int64_t> draw_strides() {
    const size_t rank = made_.group.extent.size();
    std::vector<size_t> order(rank);
    for (size_t d = 0; d < rank; ++d)
      order[d] = d;
    if (below(3) == 0)
      std::ranges::shuffle(order, random_);
    const bool broadcast = below(3) == 0;
    std::vector<int64_t> strides(rank);
    int64_t step = 1;
    for (size_t d = rank; d-- > 0;) {
      if (broadcast && below(2) == 0)
        continue;
      strides[order[d]] = step;
      step *= made_.group.extent[order[d]];
    }
    stored_ = step;
    return strides;
  }

  DType draw_type() {
    for (;;)
      if (const auto t = static_cast<DType>(below(static_cast<size_t>(DType::count_))); ops::kAll.has(t))
        return t;
  }

  void add_input() {
    const DType t = draw_type();
    const size_t size = graph::byte_size(t);
    kernels::generated::GroupInput input{t, draw_strides()};
    const std::vector<std::byte> specials = special_elements(t, random_(), 200);
    std::vector<std::byte> data(static_cast<size_t>(stored_) * size),
        dense(static_cast<size_t>(elements_) * size);
    for (size_t i = 0; i < static_cast<size_t>(stored_); ++i)
      std::memcpy(&data[i * size], &specials[below(specials.size() / size) * size], size);
    for (int64_t i = 0; i < elements_; ++i) {
      int64_t at = 0, left = i;
      for (size_t d = input.strides.size(); d-- > 0; left /= made_.group.extent[d])
        at += left % made_.group.extent[d] * input.strides[d];
      std::memcpy(&dense[static_cast<size_t>(i) * size], &data[static_cast<size_t>(at) * size], size);
    }
    made_.group.inputs.push_back(std::move(input));
    made_.inputs.push_back(std::move(data));
    values_.push_back(std::move(dense));
    types_.push_back(t);
  }

  // A value of a type; the last ones are likelier. -1: there is none.
  int find(DType t) {
    std::vector<int> fits;
    for (size_t v = 0; v < types_.size(); ++v)
      if (types_[v] == t)
        fits.push_back(static_cast<int>(v));
    return fits.empty() ? -1 : fits[fits.size() - 1 - below(fits.size())];
  }

  void add_node() {
    static const std::vector<const ops::OpDef *> all = elementwise_ops();
    const ops::OpDef *def = all[below(all.size())];
    const bool converts = below(4) == 0;
    if (converts)
      def = &ops::op_def(*ops::find_op("stablehlo.convert"));
    graph::Attrs attrs(def->attrs.size());
    if (def->kind == ops::OpKind::compare) {
      static constexpr const char *kDirections[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
      attrs[ops::slot::compare::comparison_direction] = std::string(kDirections[below(6)]);
    }
    const DType t = types_[types_.size() - 1 - below(std::min<size_t>(types_.size(), 3))];
    std::vector<DType> operands(static_cast<size_t>(def->min_operands), t);
    if (std::string_view(def->name) == "stablehlo.select")
      operands[0] = DType::i1;
    std::vector<uint32_t> args;
    for (const DType o : operands) {
      const int found = find(o);
      if (found < 0)
        return;
      args.push_back(static_cast<uint32_t>(found));
    }
    const auto results = def->infer(ElementTypes(operands, draw_type()).view(attrs));
    if (!results || lacks_nan((*results)[0].dtype))
      return;
    RandomGroup::Node node{def, attrs, std::make_unique<ElementTypes>(operands, (*results)[0].dtype)};
    made_.nodes.push_back(std::move(node));
    compute(made_.nodes.back(), args);
  }

  void compute(const RandomGroup::Node &node, const std::vector<uint32_t> &args) {
    const ops::OpView view = node.types->view(node.attrs);
    ops::Expression value = node.def->scalar(view);
    std::vector<std::byte> out(static_cast<size_t>(elements_) * graph::byte_size(value.dtype()));
    std::vector<const void *> in;
    for (const uint32_t a : args)
      in.push_back(values_[a].data());
    kernels::ref::block_of(*node.def, view)(in.data(), out.data(), elements_);
    values_.push_back(std::move(out));
    types_.push_back(value.dtype());
    made_.group.nodes.push_back({std::move(value), args});
  }

  // A dense input of its element size that no other output takes.
  int place_of(uint32_t output) {
    const size_t size = graph::byte_size(made_.group.nodes[output].value.dtype());
    for (size_t i = 0; i < made_.group.inputs.size(); ++i) {
      int64_t step = 1;
      bool dense = graph::byte_size(made_.group.inputs[i].dtype) == size;
      for (size_t d = made_.group.extent.size(); d-- > 0; step *= made_.group.extent[d])
        dense = dense && made_.group.inputs[i].strides[d] == step;
      if (dense && std::ranges::count(made_.in_place, static_cast<int>(i)) == 0)
        return static_cast<int>(i);
    }
    return -1;
  }

  std::mt19937_64 random_;
  RandomGroup made_;
  int64_t elements_ = 1, stored_ = 1;
  size_t wanted_ = 0;
  std::vector<std::vector<std::byte>> values_; // of inputs and nodes, dense
  std::vector<DType> types_;
};

} // namespace

RandomGroup random_group(uint64_t seed) {
  for (;; seed = seed * 0x9e3779b97f4a7c15u + 1)
    if (RandomGroup made = Maker(seed).run(); !made.group.nodes.empty())
      return made;
}

} // namespace tw
