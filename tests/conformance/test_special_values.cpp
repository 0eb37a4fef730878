// SPDX-License-Identifier: Apache-2.0
// Zeros of both signs, infinities, and NaN of any sign and payload, through every kernel of every op:
// whatever kernel runs an op, and however it is tiled, a result is the same. Ops that move, choose or compare
// elements keep all bits; of a NaN that arithmetic makes neither sign nor payload is defined, nor the sign of
// a zero that a split sum makes.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "kernels/entry.hpp"
#include "kernels/ref/combiner.hpp"
#include "kernels/ref/references.hpp"
#include "ops/reduction.hpp"
#include "support/number_of.hpp"
#include "unit/ops/pieces.hpp"
#if TW_WITH_ONEDNN
#include "kernels/onednn/proven.hpp"
#endif

namespace tw::test_special_values {

using namespace tw::test;

namespace {

const auto kInstances = static_cast<int>(test::slice_of(60, 15));

// Elementwise ops that keep the bits of NaN; the others compute.
const std::set<std::string_view> kKeeping = {
    "chlo.conj",         "stablehlo.abs",     "stablehlo.and",     "stablehlo.clamp",
    "stablehlo.compare", "stablehlo.complex", "stablehlo.convert", "stablehlo.imag",
    "stablehlo.maximum", "stablehlo.minimum", "stablehlo.negate",  "stablehlo.not",
    "stablehlo.or",      "stablehlo.real",    "stablehlo.select",  "stablehlo.xor"};
// Ops that are not elementwise and compute, whatever their regions do.
const std::set<std::string_view> kComputing = {"stablehlo.cholesky", "stablehlo.convolution",
                                               "stablehlo.dot_general", "stablehlo.fft",
                                               "stablehlo.triangular_solve"};
// Kernels of these round in an order of their own; test_fft.cpp compares them.
const std::set<std::string_view> kRounding = {"stablehlo.fft"};

// Whether NaN among the results have no defined bits.
bool computes(const ops::OpDef &def, std::string_view region) {
  if ((def.flags & ops::kElementwise) != 0)
    return !kKeeping.contains(def.name);
  return kComputing.contains(def.name) || region.find("stablehlo.add") != region.npos ||
         region.find("stablehlo.multiply") != region.npos;
}

template <class V> V special(RandomChoices &random) {
  using Int = std::conditional_t<sizeof(V) == 4, uint32_t, uint64_t>;
  const V sign = random.chance(50) ? V(1) : V(-1), infinity = std::numeric_limits<V>::infinity();
  switch (random.range(0, 3)) {
  case 0: return std::copysign(V(0), sign);
  case 1: return infinity * sign;
  default: break;
  }
  constexpr int fraction = sizeof(V) == 4 ? 23 : 52;
  const auto payload = static_cast<Int>(random.range(0, (int64_t{1} << (fraction - 1)) - 1));
  return std::bit_cast<V>(std::bit_cast<Int>(infinity * sign) | Int{1} << (fraction - 1) | payload);
}

// Puts special values among the operands; NaN only where they have an order.
void sprinkle(Instance &instance, const std::vector<TensorType> &types, bool with_nan,
              RandomChoices &random) {
  for (size_t v = 0; v < types.size(); ++v)
    ops::visit_dtype(types[v].dtype, [&]<class E>(E) {
      using V = typename E::Value;
      auto *at = reinterpret_cast<typename E::Storage *>(instance.operands[v].data());
      const auto drawn = [&]<class F>(F kept) {
        const F value = special<F>(random);
        return value != value && !with_nan ? kept : value;
      };
      for (int64_t i = 0; i < types[v].elements(); ++i)
        if (random.chance(25)) {
          if constexpr (std::is_floating_point_v<V>)
            at[i] = E::store(drawn(E::load(at[i])));
          else if constexpr (ops::is_complex_value<V>)
            at[i] = V(drawn(at[i].real()), drawn(at[i].imag()));
        }
    });
}

template <class V> bool same_number(V x, V y, bool any_nan, bool any_zero) {
  return std::memcmp(&x, &y, sizeof x) == 0 || (any_nan && x != x && y != y) ||
         (any_zero && x == 0 && y == 0);
}

Same sameness(bool computed) {
  return [computed](const TensorType &type, const std::byte *x, const std::byte *y, Combined combined) {
    if (same_bits(type, x, y, combined))
      return true;
    // What another device adds to a NaN, if only an identity, may make it another one.
    const bool any_nan = computed || combined, summed = combined == sharding::Reduction::sum;
    return ops::visit_dtype(type.dtype, [&]<class E>(E) {
      typename E::Storage a, b;
      std::memcpy(&a, x, sizeof a);
      std::memcpy(&b, y, sizeof b);
      if constexpr (std::is_floating_point_v<typename E::Value>)
        return same_number(E::load(a), E::load(b), any_nan, summed);
      else if constexpr (ops::is_complex_value<typename E::Value>)
        return same_number(a.real(), b.real(), any_nan, summed) &&
               same_number(a.imag(), b.imag(), any_nan, summed);
      else
        return false;
    });
  };
}

std::unique_ptr<kernels::Kernel> bound(kernels::Factory bind, const ops::OpDef &def,
                                       const kernels::KernelArgs &args) {
  const auto tiles = [](std::span<const kernels::Buffer> buffers) {
    std::vector<kernels::Tile> all;
    for (const kernels::Buffer &b : buffers)
      all.push_back({b.dtype,
                     {b.global.begin(), b.global.end()},
                     {b.offset.begin(), b.offset.end()},
                     {b.extent.begin(), b.extent.end()}});
    return all;
  };
  const auto operands = tiles(args.operands), results = tiles(args.results);
  const kernels::Request request{args.op, def, operands, results, args.use_init, false, false};
  if (bind != nullptr)
    return bind(request);
  auto first = kernels::bind(request);
  return first ? std::move(*first) : nullptr;
}

Status run(const kernels::Kernel &kernel, const kernels::KernelArgs &args) {
  std::vector<const void *> in;
  std::vector<void *> out;
  for (const kernels::Buffer &b : args.operands)
    in.push_back(b.data);
  for (const kernels::Buffer &b : args.results)
    out.push_back(b.data);
  const auto aligned = [](std::vector<std::byte> &memory, int64_t bytes) {
    memory.resize(static_cast<size_t>(bytes) + 64);
    const auto at = reinterpret_cast<uintptr_t>(memory.data());
    return memory.data() + (64 - at % 64) % 64;
  };
  std::vector<std::byte> scratch, shared;
  in.push_back(aligned(shared, kernel.shared_bytes()));
  return kernels::run_serially(kernel, in, out, aligned(scratch, kernel.scratch_bytes()));
}

// The kernel that the library binds.
Status execute_bound(const ops::OpDef &def, const kernels::KernelArgs &args) {
  return run(*bound(nullptr, def, args), args);
}

struct Case {
  Instance instance;
  std::string region;
  std::vector<TensorType> types;
};

// Small sums are exact in every type, and larger ones in f32 and f64.
bool is_exact(const Case &c, bool computing) {
  int64_t elements = 0;
  bool narrow = false;
  for (const TensorType &type : c.types) {
    elements += type.elements();
    narrow = narrow || (graph::is_float(type.dtype) && graph::byte_size(type.dtype) < 4);
  }
  return elements < (computing && narrow ? 100 : 8000);
}

Case draw(const ops::OpDef &def, RandomChoices &random) {
  std::string why;
  const drafts::Drafter drafter = drafts::drafter_of(def);
  const bool drawable = drafter != nullptr;
  REQUIRE_MESSAGE(drawable, def.name, " has no function in instances.hpp that draws instances of it");
  for (int attempt = 0; attempt < 400; ++attempt) {
    random.largest = attempt < 100 && random.chance(30) ? 40 : 7;
    const Draft draft = drafter(def, random);
    auto instance = build(def, draft, random, why);
    if (!instance)
      continue;
    Case c{std::move(*instance), draft.region, draft.operands};
    if (!is_exact(c, computes(def, c.region)))
      continue;
    const bool ordered = c.region != "argmax" && c.region != "sort";
    sprinkle(c.instance, c.types, ordered, random);
    return c;
  }
  FAIL(def.name << ": no instance could be drawn: " << why);
  return {};
}

struct Entries {
  std::vector<kernels::Entry> all;
  std::map<std::string_view, int> used;
  Entries() {
#define TW_KERNEL(folder, name) all.push_back(kernels::folder::name##_kernel::entry());
#include "kernels/kernel_list.inc"
#undef TW_KERNEL
  }
};

// On a processor without AVX-512 oneDNN takes no product (kernels/onednn/proven).
bool multiplies_by_onednn() {
#if TW_WITH_ONEDNN
  for (const graph::DType result : {graph::DType::f32, graph::DType::bf16})
    if (kernels::onednn::proven(result, result).depth > 0)
      return true;
#endif
  return false;
}

// Every kernel that takes the whole op beside the reference.
void check_kernels(const ops::OpDef &def, const Case &c, const Same &same, Entries &entries) {
  const Run reference(c.instance);
  REQUIRE_MESSAGE(reference.failure.empty(), def.name, ": ", reference.failure);
  for (const kernels::Entry &entry : entries.all) {
    const bool lists = entry.ops.empty() ? (def.flags & entry.flags) == entry.flags
                                         : std::ranges::count(entry.ops, def.kind) != 0;
    if (!lists)
      continue;
    bool takes = true;
    const auto execute = [&](const ops::OpDef &, const kernels::KernelArgs &args) -> Status {
      const auto kernel = bound(entry.bind, def, args);
      takes = kernel != nullptr;
      return takes ? run(*kernel, args) : Status();
    };
    const Run whole(c.instance, execute);
    if (!takes)
      continue;
    ++entries.used[entry.name];
    for (size_t v = 0; v < whole.whole.size(); ++v) {
      const TensorType &type = *whole.holder.view().results[v];
      const size_t size = graph::byte_size(type.dtype);
      for (int64_t i = 0; i < type.elements(); ++i) {
        const size_t at = static_cast<size_t>(i) * size;
        if (same(type, whole.whole[v].data() + at, reference.whole[v].data() + at, std::nullopt))
          continue;
        FAIL_CHECK(std::string(def.name) << " " << c.region << " by " << std::string(entry.name)
                                         << ": element " << i << " of result " << v << ", "
                                         << graph::to_short_text(type) << ", differs from the reference");
        break;
      }
    }
  }
}

} // namespace

TEST_CASE("kernels agree on special values, whole and in tiles") {
  Entries entries;
  int64_t tried = 0;
  for (const ops::OpDef *def : ops::all_ops()) {
    if (kernels::ref::reference_of(*def) == nullptr || def->num_results == 0 ||
        std::string_view(def->name) == "stablehlo.constant")
      continue;
    for (int i = 0; i < kInstances; ++i) {
      uint64_t seed = static_cast<uint64_t>(i);
      for (const char letter : std::string_view(def->name))
        seed = seed * 131 + static_cast<unsigned char>(letter);
      RandomChoices random(seed);
      const Case c = draw(*def, random);
      const Same same = sameness(computes(*def, c.region));
      if (!kRounding.contains(def->name))
        check_kernels(*def, c, same, entries);
      const Run whole(c.instance, execute_bound, same);
      const Rule rule = def->rule(whole.holder.view());
      const std::string wrong = check_rule(whole, rule, random, tried);
      std::string types = c.region;
      for (const TensorType &t : c.types)
        types += " " + graph::to_short_text(t);
      CHECK_MESSAGE(wrong.empty(), std::string(def->name), " instance ", i, " ", types, " rule ", rule.text(),
                    ": ", wrong);
    }
  }
  for (const kernels::Entry &entry : entries.all)
    CHECK_MESSAGE((entries.used[entry.name] > 0 || std::string_view(entry.name) == "cpu:fft" ||
                   (std::string_view(entry.name) == "onednn:matmul" && !multiplies_by_onednn())),
                  std::string(entry.name), " takes no instance");
  MESSAGE(tried, " ways to cut");
}

// Partial values may meet in any order and in any number, and the identity changes none.
TEST_CASE("maxima and minima combine to the same bits in any order") {
  RandomChoices random(7);
  for (const sharding::Reduction kind : {sharding::Reduction::max, sharding::Reduction::min})
    for (const DType dtype :
         {DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e4m3fn, DType::f8e5m2})
      for (int round = 0; round < static_cast<int>(test::slice_of(40, 10)); ++round) {
        const TensorType type{dtype, {random.range(1, 600)}};
        const auto n = type.elements();
        Instance values;
        for (int k = 0; k < 8; ++k)
          values.operands.push_back(random_values(type, {-3, 3, true}, random));
        sprinkle(values, std::vector<TensorType>(8, type), true, random);
        const kernels::ref::Combiner by = kernels::ref::combiner(kind, dtype);
        const auto fold = [&](std::span<const int64_t> order) {
          auto total = values.operands[static_cast<size_t>(order[0])];
          for (const int64_t k : order.subspan(1)) {
            const void *in[] = {total.data(), values.operands[static_cast<size_t>(k)].data()};
            by.two(in, total.data(), n);
          }
          return total;
        };
        std::vector<int64_t> order = random.shuffled(8);
        const auto expected = fold(order);
        std::ranges::reverse(order);
        CHECK(fold(order) == expected);
        if (by.eight != nullptr) {
          std::vector<const void *> in;
          for (const int64_t k : order)
            in.push_back(values.operands[static_cast<size_t>(k)].data());
          auto total = expected;
          by.eight(in.data(), total.data(), n);
          CHECK(total == expected);
        }
        const auto one = ops::identity_of(kind, dtype);
        std::vector<std::byte> identity;
        for (int64_t i = 0; i < n; ++i)
          identity.insert(identity.end(), one.begin(), one.end());
        auto total = expected;
        const void *in[] = {identity.data(), total.data()};
        by.two(in, total.data(), n);
        CHECK(total == expected);
      }
}

} // namespace tw::test_special_values
