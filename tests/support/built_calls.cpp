// SPDX-License-Identifier: Apache-2.0
// Programs built call by call. Each call is tried on a fresh builder behind all calls that were taken so far,
// so that a refused one leaves nothing behind, and the types of what it made are asked of the library. Longer
// than other files: one maker for each kind of call.
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/registry.hpp"
#include "support/random_calls.hpp"

namespace tw::test {
namespace {

using Dims = std::vector<int64_t>;

constexpr const char *kUnary[] = {
    "negate",      "abs",    "tanh",  "exponential", "sign",     "floor",       "sqrt",
    "not",         "cosine", "ceil",  "popcnt",      "log",      "real",        "is_finite",
    "logistic",    "cbrt",   "rsqrt", "tan",         "chlo.erf", "chlo.square", "round_nearest_even",
    "chlo.digamma"};
constexpr const char *kBinary[] = {"add",
                                   "multiply",
                                   "subtract",
                                   "maximum",
                                   "minimum",
                                   "divide",
                                   "and",
                                   "or",
                                   "xor",
                                   "power",
                                   "remainder",
                                   "shift_left",
                                   "complex",
                                   "atan2",
                                   "add",
                                   "shift_right_logical",
                                   "chlo.next_after",
                                   "multiply"};
constexpr const char *kStrings[] = {"EQ",         "LT",
                                    "FLOAT",      "SIGNED",
                                    "TOTALORDER", "DEFAULT",
                                    "THREE_FRY",  "UNIFORM",
                                    "FFT",        "IFFT",
                                    "RFFT",       "IRFFT",
                                    "NORMAL",     "NO_TRANSPOSE",
                                    "PHILOX",     "",
                                    "same",       "{a = 1, b = [2, 3]}",
                                    "{a = \"",    "[{"};
constexpr tw_dtype_t kTypes[] = {TW_F32, TW_F32, TW_F32, TW_F32, TW_S32, TW_S32,      TW_F64, TW_BF16,
                                 TW_F16, TW_I1,  TW_U8,  TW_S64, TW_C64, TW_F8E4M3FN, TW_S8,  TW_F4E2M1FN};

struct Attr {
  std::string name;
  int32_t kind = TW_ATTR_INTEGER;
  int64_t integer = 0;
  double real = 0;
  std::string text;
  Dims ints;
};

Attr integer(std::string name, int64_t value) { return {std::move(name), TW_ATTR_INTEGER, value, 0, "", {}}; }
Attr ints(std::string name, Dims values) {
  return {std::move(name), TW_ATTR_INTS, 0, 0, "", std::move(values)};
}
Attr text(std::string name, std::string value) {
  return {std::move(name), TW_ATTR_STRING, 0, 0, std::move(value), {}};
}

std::vector<tw_attr_t> in_c(const std::vector<Attr> &attrs) {
  std::vector<tw_attr_t> all;
  for (const Attr &a : attrs) {
    tw_attr_t c{};
    c.name = a.name.c_str();
    c.kind = a.kind;
    c.integer = a.integer;
    c.real = a.real;
    c.string = a.text.c_str();
    c.ints = a.ints.data();
    c.num_ints = a.ints.size();
    all.push_back(c);
  }
  return all;
}

std::string text_of(const std::vector<Attr> &attrs) {
  std::string out;
  for (const Attr &a : attrs)
    out += fmt::format(" {}={}", a.name,
                       a.kind == TW_ATTR_INTS     ? fmt::format("[{}]", fmt::join(a.ints, ","))
                       : a.kind == TW_ATTR_STRING ? a.text
                       : a.kind == TW_ATTR_REAL   ? fmt::format("{}", a.real)
                                                  : fmt::format("{}", a.integer));
  return out;
}

int64_t elements(const Dims &dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, [](int64_t a, int64_t d) {
    int64_t all = 0;
    return d < 0 || __builtin_mul_overflow(a, d, &all) ? INT64_MAX / 2 : all;
  });
}

} // namespace

// Chooses operands and attributes of calls.
class BuiltCalls::Chooser {
public:
  Chooser(CallBytes &bytes, const std::vector<Known> &values) : b_(bytes), values_(values) {}

  // The last ones are the likeliest, so that programs are chains more than stars.
  const Known &value() {
    const size_t n = values_.size();
    return b_.chance(2) ? values_[n - 1 - b_.below(std::min<size_t>(n, 3))]
                        : values_[b_.below(std::min<size_t>(n, 256))];
  }
  const Known &like(const Known &other) {
    for (size_t tries = 0; tries < 4; ++tries)
      if (const Known &v = value(); v.dtype == other.dtype && v.dims == other.dims)
        return v;
    return b_.chance(16) ? value() : other;
  }
  const Known *scalar(tw_dtype_t dtype) const {
    for (const Known &v : values_)
      if (v.dtype == dtype && v.dims.empty())
        return &v;
    return nullptr;
  }
  tw_value_t wild_value() { return b_.chance(2) ? TW_NO_VALUE : static_cast<tw_value_t>(b_.byte()); }
  tw_dtype_t dtype() { return b_.chance(24) ? static_cast<tw_dtype_t>(b_.below(36)) - 2 : b_.of(kTypes); }
  Dims dims() {
    Dims all;
    for (size_t rank = b_.chance(64) ? b_.below(41) : b_.below(4); all.size() < rank;)
      all.push_back(rank > 4 ? 1 : b_.small());
    return all;
  }
  Dims positions(size_t n, size_t range) {
    Dims all;
    for (size_t i = 0; i < n; ++i)
      all.push_back(b_.index(range));
    return all;
  }
  Dims permutation(size_t n) {
    Dims all(n);
    std::iota(all.begin(), all.end(), 0);
    for (size_t i = n; i > 1; --i)
      std::swap(all[i - 1], all[b_.below(i)]);
    if (b_.chance(32))
      all.push_back(b_.wild());
    return all;
  }
  // Other dimensions of as many elements.
  Dims regrouped(const Known &v) {
    Dims all = v.dims;
    const size_t how = b_.below(4);
    if (how == 0 && all.size() > 1) {
      all[0] *= std::clamp<int64_t>(all[1], 0, 4096);
      all.erase(all.begin() + 1);
    } else if (how == 1 && !all.empty() && all[0] % 2 == 0 && all[0] > 0) {
      all[0] /= 2;
      all.insert(all.begin() + static_cast<ptrdiff_t>(b_.below(2)), 2);
    } else if (how == 2) {
      all.insert(all.begin(), 1);
    } else if (how == 3) {
      all = {elements(all)};
    }
    return all;
  }
  std::string subscripts(const Known &x, const Known &y) {
    std::string a, c, out, letters = "abcdefghijklmnopqrstuvwxyz";
    for (size_t i = 0; i < x.dims.size(); ++i)
      a += letters[i % 26];
    for (size_t j = 0; j < y.dims.size(); ++j) { // a letter of x of the same size, or one of its own
      char letter = letters[(j + 10) % 26];
      for (size_t i = 0; i < x.dims.size(); ++i)
        if (x.dims[i] == y.dims[j] && c.find(a[i]) == std::string::npos && !b_.chance(3)) {
          letter = a[i];
          break;
        }
      c += letter;
    }
    for (const std::string &side : {a, c})
      for (const char letter : side)
        if (out.find(letter) == std::string::npos &&
            ((a + c).find(letter, (a + c).find(letter) + 1) == std::string::npos || b_.chance(3)))
          out += letter;
    if (b_.chance(4))
      std::ranges::reverse(out);
    return b_.chance(32) ? "ij,jk->" : a + "," + c + "->" + out;
  }
  Attr attribute(const ops::AttrSpec &spec, size_t rank) {
    Attr a{spec.name, TW_ATTR_INTEGER, 0, 0, "", {}};
    switch (b_.chance(32) ? static_cast<ops::AttrKind>(b_.below(6)) : spec.kind) {
    case ops::AttrKind::integer: a.integer = b_.index(4); break;
    case ops::AttrKind::boolean:
      a.kind = TW_ATTR_BOOLEAN;
      a.integer = static_cast<int64_t>(b_.below(2));
      break;
    case ops::AttrKind::real:
      a.kind = TW_ATTR_REAL;
      a.real = 0.5 * static_cast<double>(b_.index(4));
      break;
    case ops::AttrKind::ints:
      a.kind = TW_ATTR_INTS;
      a.ints = positions(b_.chance(4) ? b_.below(5) : rank, 4);
      break;
    default: a.kind = TW_ATTR_STRING; a.text = b_.of(kStrings);
    }
    return a;
  }

  Call argument(size_t number);
  Call literal();
  Call convenience();
  Call shaped();
  Call any_op();
  Call custom_call();
  Call nonsense();

  static Call add(std::string op, std::vector<tw_value_t> operands, std::vector<Attr> attrs) {
    std::string shown = fmt::format("add {} {}{}", op, fmt::join(operands, " "), text_of(attrs));
    return {std::move(shown), [op = std::move(op), operands = std::move(operands),
                               attrs = std::move(attrs)](tw_builder_t *b, tw_value_t *out) {
              const auto c = in_c(attrs);
              return tw_builder_add(b, op.c_str(), operands.data(), operands.size(), c.data(), c.size(), out,
                                    kMostResults);
            }};
  }

private:
  CallBytes &b_;
  const std::vector<Known> &values_;
};

BuiltCalls::Call BuiltCalls::Chooser::argument(size_t number) {
  static constexpr const char *forms[] = {"x{}", "p['w{}']", "layer.{}.weight", "arg{}", "{}", "%{}",
                                          "",    "a b{}"};
  std::string name = fmt::format(fmt::runtime(b_.chance(4) ? b_.of(forms) : forms[0]), number);
  const tw_dtype_t type = dtype();
  Dims shape = dims();
  std::string shown = fmt::format("argument \"{}\" {} [{}]", name, type, fmt::join(shape, ","));
  return {std::move(shown),
          [name = std::move(name), type, shape = std::move(shape)](tw_builder_t *b, tw_value_t *out) {
            return out[0] = tw_builder_argument(b, name.c_str(), type, shape.data(), shape.size());
          }};
}

BuiltCalls::Call BuiltCalls::Chooser::literal() {
  const tw_dtype_t type = dtype();
  Dims shape = dims();
  const double number = static_cast<double>(b_.below(8)) - 2;
  std::string shown = fmt::format("splat {} [{}] {}", type, fmt::join(shape, ","), number);
  if (elements(shape) > 4096 || b_.chance(2))
    return {std::move(shown), [=](tw_builder_t *b, tw_value_t *out) {
              return out[0] = tw_builder_splat(b, type, shape.data(), shape.size(), number);
            }};
  tw_tensor_t *made = nullptr; // of elements that the type has
  if (tw_tensor_create(nullptr, type, shape.data(), shape.size(), &made) != TW_OK)
    made = nullptr;
  const std::shared_ptr<tw_tensor_t> data(made, tw_tensor_release);
  if (made)
    static_cast<void>(tw_tensor_fill(made, "randint(0,4)", b_.byte(), 0));
  return {"constant as " + shown, [=](tw_builder_t *b, tw_value_t *out) {
            return out[0] = tw_builder_constant(b, type, shape.data(), shape.size(),
                                                tw_tensor_const_data(data.get()));
          }};
}

BuiltCalls::Call BuiltCalls::Chooser::convenience() {
  const Known &x = value();
  const tw_value_t v = b_.chance(64) ? wild_value() : x.value;
  const size_t rank = x.dims.size();
  switch (b_.below(8)) {
  case 0:
  case 1: {
    const char *op = b_.of(kUnary);
    return {fmt::format("unary {} {}", op, v),
            [=](tw_builder_t *b, tw_value_t *out) { return out[0] = tw_builder_unary(b, op, v); }};
  }
  case 2:
  case 3: {
    const char *op = b_.of(kBinary);
    const Known *half = b_.chance(4) ? scalar(x.dtype) : nullptr;
    const tw_value_t w = half ? half->value : like(x).value;
    return {fmt::format("binary {} {} {}", op, v, w),
            [=](tw_builder_t *b, tw_value_t *out) { return out[0] = tw_builder_binary(b, op, v, w); }};
  }
  case 4: {
    const Known &y = value();
    std::string letters = subscripts(x, y);
    const tw_value_t w = y.value;
    return {fmt::format("einsum {} {} {}", letters, v, w), [=](tw_builder_t *b, tw_value_t *out) {
              return out[0] = tw_builder_einsum(b, letters.c_str(), v, w);
            }};
  }
  case 5: {
    static constexpr const char *kinds[] = {"sum", "max", "min", "prod", "sum", "mean"};
    const char *kind = b_.of(kinds);
    Dims away;
    for (size_t d = 0; d < rank; ++d)
      if (b_.chance(2))
        away.push_back(b_.chance(32) ? b_.wild() : static_cast<int64_t>(d));
    return {fmt::format("reduce {} {} [{}]", kind, v, fmt::join(away, ",")),
            [=](tw_builder_t *b, tw_value_t *out) {
              return out[0] = tw_builder_reduce(b, kind, v, away.data(), away.size());
            }};
  }
  case 6: {
    if (b_.chance(2)) {
      const Dims to = regrouped(x);
      return {fmt::format("reshape {} [{}]", v, fmt::join(to, ",")), [=](tw_builder_t *b, tw_value_t *out) {
                return out[0] = tw_builder_reshape(b, v, to.data(), to.size());
              }};
    }
    const Dims order = permutation(rank);
    return {fmt::format("transpose {} [{}]", v, fmt::join(order, ",")),
            [=](tw_builder_t *b, tw_value_t *out) {
              return out[0] = tw_builder_transpose(b, v, order.data(), order.size());
            }};
  }
  default: {
    Dims to = x.dims, map(rank);
    std::iota(map.begin(), map.end(), 0);
    for (int64_t &d : to)
      d = d == 1 ? b_.small() : d;
    if (b_.chance(2)) {
      to.insert(to.begin(), b_.small());
      for (int64_t &m : map)
        ++m;
    }
    return {fmt::format("broadcast {} [{}] [{}]", v, fmt::join(to, ","), fmt::join(map, ",")),
            [=](tw_builder_t *b, tw_value_t *out) {
              return out[0] = tw_builder_broadcast(b, v, to.data(), to.size(), map.data(), map.size());
            }};
  }
  }
}

// Ops whose attributes follow the shapes of their operands.
BuiltCalls::Call BuiltCalls::Chooser::shaped() {
  const Known &x = value();
  const size_t rank = x.dims.size();
  const auto each = [&](auto &&choose) {
    Dims all;
    for (const int64_t d : x.dims)
      all.push_back(choose(std::max<int64_t>(d, 0)));
    return all;
  };
  const auto up_to = [&](int64_t most) {
    return static_cast<int64_t>(b_.below(static_cast<size_t>(std::min<int64_t>(most, 7)) + 1));
  };
  switch (b_.below(14)) {
  case 0: {
    const Dims start = each([&](int64_t d) { return b_.chance(2) ? 0 : up_to(d); });
    Dims limit = each([&](int64_t d) { return b_.chance(2) ? d : d - up_to(d); }),
         stride = each([&](int64_t) { return 1 + up_to(1); });
    for (size_t d = 0; d < rank; ++d)
      limit[d] = std::max(limit[d], start[d]);
    return add("slice", {x.value},
               {ints("start_indices", start), ints("limit_indices", limit), ints("strides", stride)});
  }
  case 1: {
    const Known *pad = scalar(x.dtype);
    const auto some = [&](int64_t) {
      return b_.chance(32) ? b_.wild() : static_cast<int64_t>(b_.below(4)) - 1;
    };
    return add("pad", {x.value, pad ? pad->value : x.value},
               {ints("edge_padding_low", each(some)), ints("edge_padding_high", each(some)),
                ints("interior_padding", each([&](int64_t) { return static_cast<int64_t>(b_.below(3)); }))});
  }
  case 2:
    return add("concatenate", {x.value, like(x).value, like(x).value},
               {integer("dimension", b_.index(rank))});
  case 3: {
    const Known *at = scalar(b_.chance(2) ? TW_S32 : TW_S64);
    std::vector<tw_value_t> operands{x.value};
    operands.insert(operands.end(), rank, at ? at->value : x.value);
    return add("dynamic_slice", std::move(operands),
               {ints("slice_sizes", each([&](int64_t d) { return d - std::min<int64_t>(up_to(d), d); }))});
  }
  case 4: {
    const Known *at = scalar(TW_S32);
    std::vector<tw_value_t> operands{x.value, like(x).value};
    operands.insert(operands.end(), rank, at ? at->value : x.value);
    return add("dynamic_update_slice", std::move(operands), {});
  }
  case 5:
    return add("iota", {},
               {integer("iota_dimension", b_.index(rank)),
                ints("result_dims", b_.chance(4) ? dims() : x.dims), integer("result_dtype", dtype())});
  case 6:
    return add(b_.chance(4) ? "bitcast_convert" : "convert", {x.value}, {integer("result_dtype", dtype())});
  case 7: {
    static constexpr const char *directions[] = {"EQ", "NE", "LT", "GE", "GT", "LE"};
    return add("compare", {x.value, like(x).value}, {text("comparison_direction", b_.of(directions))});
  }
  case 8: {
    const Known *pred = nullptr;
    for (const Known &v : values_)
      if (v.dtype == TW_I1 && (v.dims == x.dims || v.dims.empty()))
        pred = &v;
    return add("select", {pred ? pred->value : x.value, x.value, like(x).value}, {});
  }
  case 9: return add("reverse", {x.value}, {ints("dimensions", rank ? Dims{b_.index(rank)} : Dims{})});
  case 10: return add("clamp", {like(x).value, x.value, like(x).value}, {});
  case 11: return add("chlo.top_k", {x.value}, {integer("k", up_to(rank ? x.dims.back() : 0))});
  case 12: { // rows of a matrix
    const Known *rows = nullptr;
    for (const Known &v : values_)
      if (v.dtype == TW_S32 && v.dims.size() == 1)
        rows = &v;
    Dims sizes = x.dims, offsets;
    for (size_t d = 1; d < rank; ++d)
      offsets.push_back(static_cast<int64_t>(d));
    if (!sizes.empty())
      sizes[0] = 1;
    return add("gather", {x.value, rows ? rows->value : x.value},
               {ints("offset_dims", offsets), ints("collapsed_slice_dims", {0}), ints("start_index_map", {0}),
                integer("index_vector_dim", 1), ints("slice_sizes", sizes)});
  }
  default: return add("optimization_barrier", {x.value, value().value}, {});
  }
}

BuiltCalls::Call BuiltCalls::Chooser::any_op() {
  const auto all = ops::all_ops();
  const ops::OpDef &def = *all[b_.byte() % all.size()];
  const Known &x = value();
  std::vector<tw_value_t> operands;
  const size_t least = static_cast<size_t>(def.min_operands),
               most = def.max_operands < 0 ? least + 2 : static_cast<size_t>(def.max_operands);
  const size_t wanted = b_.chance(16) ? b_.below(5) : least + b_.below(most - least + 1);
  while (operands.size() < wanted)
    operands.push_back(operands.empty() ? x.value : b_.chance(4) ? value().value : like(x).value);
  std::vector<Attr> attrs;
  for (const ops::AttrSpec &spec : def.attrs)
    if (spec.required ? !b_.chance(16) : b_.chance(4))
      attrs.push_back(attribute(spec, x.dims.size()));
  if (b_.chance(3)) {
    attrs.push_back(ints("result_dims", b_.chance(2) ? dims() : x.dims));
    attrs.push_back(integer("result_dtype", b_.chance(2) ? dtype() : x.dtype));
  }
  return add(def.name, std::move(operands), std::move(attrs));
}

BuiltCalls::Call BuiltCalls::Chooser::custom_call() {
  const Known &x = value();
  const char *target = b_.chance(4) ? "other" : "same";
  const tw_value_t v = x.value;
  const tw_dtype_t type = b_.chance(32) ? dtype() : x.dtype;
  const Dims shape = b_.chance(32) ? dims() : x.dims;
  std::vector<Attr> attrs;
  for (size_t n = b_.below(3); attrs.size() < n;)
    attrs.push_back(attribute(
        {b_.chance(2) ? "axis" : "has_side_effect", static_cast<ops::AttrKind>(b_.below(6)), false, ""},
        x.dims.size()));
  return {
      fmt::format("custom_call {} {} -> {} [{}]{}", target, v, type, fmt::join(shape, ","), text_of(attrs)),
      [=](tw_builder_t *b, tw_value_t *out) {
        const auto c = in_c(attrs);
        tw_type_t result{};
        result.dtype = type;
        result.dims = shape.data();
        result.ndims = shape.size();
        return tw_builder_custom_call(b, target, &v, 1, &result, 1, c.data(), c.size(), out);
      },
      true};
}

// Calls that no program should make.
BuiltCalls::Call BuiltCalls::Chooser::nonsense() {
  const tw_value_t v = b_.chance(2) || values_.empty() ? wild_value() : value().value;
  const int64_t n = b_.wild();
  const auto kind = static_cast<int32_t>(b_.below(8)) - 1;
  static constexpr const char *names[] = {
      nullptr, "", "no_such_op", "func.argument", "while", "stablehlo.constant", "add"};
  const char *name = b_.of(names);
  switch (b_.below(8)) {
  case 0:
    return {"unary nonsense", [=](tw_builder_t *b, tw_value_t *) { return tw_builder_unary(b, name, v); }};
  case 1:
    return {"binary nonsense",
            [=](tw_builder_t *b, tw_value_t *) { return tw_builder_binary(b, name, v, v); }};
  case 2:
    return {"einsum nonsense",
            [=](tw_builder_t *b, tw_value_t *) { return tw_builder_einsum(b, name, v, v); }};
  case 3:
    return {"broadcast nonsense", [=](tw_builder_t *b, tw_value_t *) {
              return tw_builder_broadcast(b, v, n % 2 == 0 ? nullptr : &n, 1, &n, 1);
            }};
  case 4:
    return {"reshape nonsense",
            [=](tw_builder_t *b, tw_value_t *) { return tw_builder_reshape(b, v, &n, 1); }};
  case 5:
    return {"argument nonsense",
            [=](tw_builder_t *b, tw_value_t *) { return tw_builder_argument(b, name, kind, nullptr, 1); }};
  case 6:
    return {"reduce nonsense",
            [=](tw_builder_t *b, tw_value_t *) { return tw_builder_reduce(b, name, v, &n, 1); }};
  default:
    return {"attribute nonsense", [=](tw_builder_t *b, tw_value_t *) {
              tw_attr_t attr{};
              attr.name = name;
              attr.kind = kind;
              attr.integer = n;
              return tw_builder_add(b, "iota", &v, 1, &attr, 1, nullptr, 0);
            }};
  }
}

BuilderHandle BuiltCalls::replay() const {
  auto builder = log_.made<BuilderHandle>("tw_builder_create",
                                          [](tw_builder_t **out) { return tw_builder_create("calls", out); });
  if (!builder)
    return builder;
  static tw_custom_calls_t *const known = [] {
    tw_custom_calls_t *calls = nullptr;
    tw_custom_call_t same{};
    same.struct_size = sizeof same;
    same.target = "same";
    same.rule = "... -> ...";
    same.kernel = [](const tw_call_t *call, void *) -> tw_status_t {
      const tw_tile_t &from = *call->operands[0], &to = *call->results[0];
      size_t bytes = tw_dtype_size(to.dtype);
      for (size_t d = 0; d < to.ndims; ++d) {
        if (from.extent[d] != to.extent[d])
          return tw_error_set(TW_INVALID_ARGUMENT, "tiles of different shapes");
        bytes *= static_cast<size_t>(to.extent[d]);
      }
      std::copy_n(static_cast<const char *>(from.data), bytes, static_cast<char *>(to.data));
      return TW_OK;
    };
    same.check = [](const tw_call_t *call, void *) -> tw_status_t {
      return call->num_operands == 1 && call->num_results == 1 &&
                     call->operands[0]->dtype == call->results[0]->dtype
                 ? static_cast<tw_status_t>(TW_OK)
                 : tw_error_set(TW_INVALID_ARGUMENT, "one operand and a result of its type");
    };
    if (tw_custom_calls_create(&calls) != TW_OK || tw_custom_calls_add(calls, &same) != TW_OK)
      std::abort();
    return calls;
  }();
  tw_builder_custom_calls(builder.get(), known);
  for (const Call &call : calls_) {
    tw_value_t out[kMostResults];
    call.make(builder.get(), out);
  }
  return builder;
}

GraphHandle BuiltCalls::finish(tw_builder_t *builder, std::span<const size_t> results) const {
  for (size_t i = 0; i < results.size(); ++i)
    tw_builder_result(builder, fmt::format("r{}", i).c_str(), values_[results[i]].value);
  return log_.made<GraphHandle>("tw_builder_finish",
                                [&](tw_graph_t **out) { return tw_builder_finish(builder, out); });
}

void BuiltCalls::attempt(Call call) {
  log_.say(call.text);
  const auto builder = replay();
  if (!builder)
    return;
  tw_value_t out[kMostResults];
  std::fill_n(out, kMostResults, TW_NO_VALUE);
  const tw_value_t first = call.make(builder.get(), out);
  if (first != TW_NO_VALUE && out[0] != TW_NO_VALUE && first != out[0])
    log_.wrong("a call returns another value than its first result");
  const size_t before = values_.size();
  for (const tw_value_t v : out)
    if (v != TW_NO_VALUE)
      values_.push_back({v, 0, {}});
  std::vector<size_t> all(values_.size());
  std::iota(all.begin(), all.end(), size_t{0});
  const GraphHandle graph = finish(builder.get(), all);
  if (!graph || tw_graph_num_results(graph.get()) != values_.size()) {
    if (graph)
      log_.wrong("a graph has another number of results than were declared");
    values_.resize(before);
    return;
  }
  for (size_t i = 0; i < values_.size(); ++i) {
    size_t rank = 0;
    const int64_t *dims = tw_graph_result_dims(graph.get(), i, &rank);
    Known known{values_[i].value, tw_graph_result_dtype(graph.get(), i), {dims, dims + rank}};
    if (rank > 32 || std::ranges::any_of(known.dims, [](int64_t d) { return d < 0; }) ||
        elements(known.dims) > int64_t{1} << 62)
      log_.wrong(fmt::format("a value of {} [{}]", tw_dtype_name(known.dtype), fmt::join(known.dims, ",")));
    if (i < before && (known.dtype != values_[i].dtype || known.dims != values_[i].dims))
      log_.wrong("a value has another type than it had");
    values_[i] = std::move(known);
  }
  std::erase_if(values_, [](const Known &v) { return v.dtype == TW_TOKEN; }); // no arrays
  log_.say(values_.size() == before
               ? "  taken"
               : fmt::format("  taken: value {} is {} [{}]", values_.back().value,
                             tw_dtype_name(values_.back().dtype), fmt::join(values_.back().dims, ",")));
  foreign_ |= call.foreign;
  calls_.push_back(std::move(call));
}

void BuiltCalls::add_one(CallBytes &bytes) {
  Chooser choose(bytes, values_);
  const size_t what = bytes.below(20);
  if (what == 19)
    attempt(choose.nonsense());
  else if (values_.empty() || what < 3)
    attempt(choose.argument(calls_.size()));
  else if (what < 5)
    attempt(choose.literal());
  else if (what < 12)
    attempt(choose.convenience());
  else if (what < 16)
    attempt(choose.shaped());
  else if (what < 18)
    attempt(choose.any_op());
  else
    attempt(choose.custom_call());
}

GraphHandle BuiltCalls::finish(CallBytes &bytes) const {
  std::vector<size_t> some;
  for (size_t i = 0; i < values_.size(); ++i)
    if (i + 1 == values_.size() || bytes.chance(4))
      some.push_back(i);
  const auto builder = replay();
  return builder ? finish(builder.get(), some) : nullptr;
}

GraphHandle BuiltCalls::finish_with_all() const {
  std::vector<size_t> all(values_.size());
  std::iota(all.begin(), all.end(), size_t{0});
  const auto builder = replay();
  return builder ? finish(builder.get(), all) : nullptr;
}

} // namespace tw::test
