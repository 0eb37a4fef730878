// SPDX-License-Identifier: Apache-2.0
// The functions stand here once, as source that this file compiles and devices are given. What is compiled is
// compared with the host's vector functions before it is used, since those come from a library (Highway)
// whose next version may round otherwise.
#include "kernels/generated/host_functions.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "kernels/ref/vector_math.hpp"

namespace tw::kernels::generated {
namespace {

// What the prelude of device source has, for this processor.
namespace host {

#define TW_FN inline
using u32_t = uint32_t;
using i32_t = int32_t;
using u64_t = uint64_t;
using i64_t = int64_t;
u32_t bits_of(float x) { return std::bit_cast<u32_t>(x); }
u64_t bits_of(double x) { return std::bit_cast<u64_t>(x); }
float float_of(u32_t bits) { return std::bit_cast<float>(bits); }
double double_of(u64_t bits) { return std::bit_cast<double>(bits); }
template <class T> T infinity() { return std::numeric_limits<T>::infinity(); }
template <class T> T not_a_number() { return std::numeric_limits<T>::quiet_NaN(); }
template <class T> T sign_of(T magnitude, T sign) { return std::copysign(magnitude, sign); }
template <class T> T fused(T a, T b, T c) { return ref::vectors_fuse() ? std::fma(a, b, c) : a * b + c; }
using std::floor;

} // namespace host

// Compiles a text, and keeps it.
#define TW_COMPILED_AND_KEPT(...)                                                                            \
  namespace host {                                                                                           \
  __VA_ARGS__                                                                                                \
  }                                                                                                          \
  constexpr const char *kText = #__VA_ARGS__;

// clang-format off
TW_COMPILED_AND_KEPT(
  // x without q log 2, then e^x - 1 of that.
  TW_FN float host_power_less_one(float x, i32_t q) {
    const float n = (float)q;
    const float r = fused(n, -1.428606765330187045e-6f, fused(n, -0.693145751953125f, x));
    const float square = r * r;
    const float high = fused(0.000198527617612853646278381f, r, 0.00139304355252534151077271f);
    const float middle = fused(0.00833336077630519866943359f, r, 0.0416664853692054748535156f);
    const float low = fused(0.166666671633720397949219f, r, 0.5f);
    return fused(fused(square * square, high, fused(square, middle, low)), square, r);
  }
  TW_FN i32_t host_binary_exponent(float x) {
    return (i32_t)fused(x, (float)1.442695040888963407359924681, sign_of(0.5f, x));
  }
  TW_FN float host_two_to(i32_t n) { return float_of((u32_t)(n + 127) << 23); }
  TW_FN float host_scaled(float x, i32_t n) { return x * host_two_to(n >> 1) * host_two_to(n - (n >> 1)); }
  TW_FN float host_expf(float x) {
    if (x != x || x < -104.0f)
      return x != x ? x : 0.0f;
    const float a = x < 100.0f ? x : 100.0f;
    const i32_t q = host_binary_exponent(a);
    return host_scaled(host_power_less_one(a, q) + 1.0f, q);
  }
  TW_FN float host_plain_expm1(float x) {
    if (x < -104.0f)
      return -1.0f;
    const i32_t q = host_binary_exponent(x);
    const float y = host_power_less_one(x, q);
    return sign_of(x, 1.0f) < (float)0.346573590279972654708616 ? y : host_scaled(y + 1.0f, q) - 1.0f;
  }
  TW_FN float host_expm1f(float x) {
    if (x != x || sign_of(x, 1.0f) < 2.98023223876953125e-8f)
      return x;
    return x > 80.0f ? host_expf(x) : host_plain_expm1(x);
  }
  TW_FN float host_plain_log(float x, bool may_be_small) {
    const bool small = may_be_small && x < 1.175494351e-38f;
    const u32_t moved = bits_of(small ? x * 33554432.0f : x) + (0x3f800000u - 0x3f3504f3u);
    const float e = (float)((i32_t)(moved >> 23) - 127 + (small ? -25 : 0));
    const float y = float_of((moved & 0x7fffffu) + 0x3f3504f3u);
    const float less = y - 1.0f;
    const float z = less / (y + 1.0f);
    const float z2 = z * z;
    const float z4 = z2 * z2;
    const float odd = fused(0.24279078841f, z4, 0.40000972152f) * z4;
    const float sum = fused(fused(0.28498786688f, z4, 0.66666662693f), z2, odd);
    const float rest = fused(z, less - sum, -(e * 9.0580006145e-6f)) - less;
    return fused(e, 0.69313812256f, -rest);
  }
  TW_FN float host_logf(float x) {
    if (x != x || x == infinity<float>())
      return x;
    if (x <= 0.0f)
      return x == 0.0f ? -infinity<float>() : not_a_number<float>();
    return host_plain_log(x, true);
  }
  TW_FN float host_log1pf(float x) {
    if (x != x || x == infinity<float>() || sign_of(x, 1.0f) < 2.98023223876953125e-8f)
      return x;
    if (x <= -1.0f)
      return x == -1.0f ? -infinity<float>() : not_a_number<float>();
    const float y = x + 1.0f;
    return y == 1.0f ? x : host_plain_log(y, false) * (x / (y - 1.0f));
  }
  TW_FN float host_logisticf(float x) {
    const float e = host_expf(-sign_of(x, 1.0f));
    return (x < 0.0f ? e : 1.0f) / (1.0f + e);
  }
  TW_FN float host_tanhf(float x) {
    const float size = sign_of(x, 1.0f);
    if (x != x || size < 0.0001220703125f)
      return x;
    const float y = host_plain_expm1((size < 9.5f ? size : 9.5f) * 2.0f);
    return sign_of(y / (y + 2.0f), x);
  }
  TW_FN double host_wide_exp(double x) {
    const i32_t q = (i32_t)fused(x, 1.442695040888963407359924681, sign_of(0.5, x));
    const double n = (double)q;
    const double r = fused(n, -0.28235290563031577122588448175e-12, fused(n, -0.6931471805596629565116018, x));
    const double r2 = r * r;
    const double r4 = r2 * r2;
    const double c98 = fused(2.51112930892876518610661e-8, r, 2.75573911234900471893338e-7);
    const double c76 = fused(2.75572362911928827629423e-6, r, 2.4801587159235472998791e-5);
    const double c54 = fused(0.000198412698960509205564975, r, 0.00138888888889774492207962);
    const double c32 = fused(0.00833333333331652721664984, r, 0.0416666666666665047591422);
    const double c10 = fused(0.166666666666666851703837, r, 0.5);
    const double low = fused(r4, fused(r2, c76, c54), fused(r2, c32, c10));
    const double y = fused(fused(r4 * r4, fused(r2, 2.08860621107283687536341e-9, c98), low), r2, r) + 1.0;
    const i32_t half = q >> 1;
    return y * double_of((u64_t)(half + 1023) << 52) * double_of((u64_t)(q - half + 1023) << 52);
  }
  TW_FN double host_wide_log(double x) {
    const u64_t bits = bits_of(x);
    const u64_t moved = bits + (0x3ff0000000000000ull - 0x3fe6a09e00000000ull);
    const double e = (double)((i64_t)(moved >> 52) - 1023);
    const double y =
        double_of((bits & 0xffffffffull) | ((moved & 0xfffff00000000ull) + 0x3fe6a09e00000000ull));
    const double less = y - 1.0;
    const double z = less / (y + 1.0);
    const double z2 = z * z;
    const double z4 = z2 * z2;
    const double odd = fused(fused(0.1531383769920937332, z4, 0.2222219843214978396), z4, 0.3999999999940941908);
    const double even = fused(fused(0.1479819860511658591, z4, 0.1818357216161805012), z4, 0.2857142874366239149);
    const double sum = fused(fused(even, z4, 0.6666666666666735130), z2, odd * z4);
    const double rest = fused(z, less - sum, -(e * 1.90821492927058770002e-10)) - less;
    return fused(e, 0.693147180369123816490, -rest);
  }
  // Where a number is 0 or infinite, or the exponent is: as in C.
  TW_FN float host_power_at_end(float base, float exponent) {
    if (exponent == 0.0f || base == 1.0f)
      return 1.0f;
    if (base != base || exponent != exponent)
      return not_a_number<float>();
    const float size = sign_of(base, 1.0f);
    if (sign_of(exponent, 1.0f) == infinity<float>())
      return size == 1.0f ? 1.0f : (size > 1.0f) == (exponent > 0.0f) ? infinity<float>() : 0.0f;
    const double half = 0.5 * (double)exponent;
    const bool odd = floor((double)exponent) == (double)exponent && floor(half) != half;
    const float end = (size > 1.0f) == (exponent > 0.0f) ? infinity<float>() : 0.0f;
    return odd ? sign_of(end, base) : end;
  }
  TW_FN float host_powf(float base, float exponent) {
    const double b = base;
    const double e = exponent;
    const double a = sign_of(b, 1.0);
    if (!(a > 0.0 && a < 3.402823669209384634633746e38 && sign_of(e, 1.0) < 3.402823669209384634633746e38))
      return host_power_at_end(base, exponent);
    const double power = e * host_wide_log(a);
    const double size = host_wide_exp(power < -700.0 ? -700.0 : power < 700.0 ? power : 700.0);
    const double half = e * 0.5;
    if (b > 0.0 || floor(half) == half)
      return (float)size;
    return floor(e) == e ? -(float)size : not_a_number<float>();
  }
)
// clang-format on
#undef TW_COMPILED_AND_KEPT

// What devices are given: with the products and sums of this host, fused or not.
const char *device_text() {
  static const std::string text =
      fmt::format("namespace tw {{\n"
                  "TW_FN float fused(float a, float b, float c) {{ return {0}; }}\n"
                  "TW_FN double fused(double a, double b, double c) {{ return {1}; }}\n"
                  "TW_FN double floor(double x) {{ return ::floor(x); }}\n{2}\n}}\n",
                  ref::vectors_fuse() ? "fmaf(a, b, c)" : "a * b + c",
                  ref::vectors_fuse() ? "fma(a, b, c)" : "a * b + c", kText);
  return text.c_str();
}

using Unary = void (*)(const float *, float *, int64_t);
struct HostFunction {
  std::string_view real; // see ops::ScalarFunction
  const char *of_host;
  float (*compiled)(float);
  Unary vector;
};
constexpr HostFunction kUnary[] = {
    {"exp", "host_exp", host::host_expf, ref::exp_f32},
    {"expm1", "host_expm1", host::host_expm1f, ref::expm1_f32},
    {"log", "host_log", host::host_logf, ref::log_f32},
    {"log1p", "host_log1p", host::host_log1pf, ref::log1p_f32},
    {"tw_logistic", "host_logistic", host::host_logisticf, ref::logistic_f32},
    {"tanh", "host_tanh", host::host_tanhf, ref::tanh_f32},
};

bool same(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) || (a != a && b != b);
}

// Numbers of all exponents, and those around which functions change their way.
std::vector<float> samples() {
  std::vector<float> x;
  for (uint32_t bits = 0x3d; bits < 0xff000000u; bits += 0x3f3a7u)
    x.push_back(std::bit_cast<float>(bits));
  for (const float at : {0.0f, 1.0f, 80.0f, 88.8f, 100.0f, 104.0f, 9.5f, 0x1p-25f, 0x1p-13f, 0.3465736f,
                         std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
    x.insert(x.end(), {at, -at, std::nextafter(at, 0.0f), -std::nextafter(at, 0.0f)});
  return x;
}

bool has_bits(const HostFunction &f) {
  const std::vector<float> x = samples();
  std::vector<float> y(x.size());
  f.vector(x.data(), y.data(), std::ssize(x));
  return std::ranges::equal(x, y, [&](float a, float b) { return same(f.compiled(a), b); });
}

bool power_has_bits() {
  const std::vector<float> x = samples();
  std::vector<float> e, y(x.size());
  for (size_t i = 0; i < x.size(); ++i)
    e.push_back(i % 3 == 0 ? static_cast<float>(static_cast<int>(i % 41) - 20) : x[i * 7919 % x.size()]);
  ref::pow_f32(x.data(), e.data(), y.data(), std::ssize(x));
  for (size_t i = 0; i < x.size(); ++i)
    if (!same(host::host_powf(x[i], e[i]), y[i]))
      return false;
  return true;
}

// The name in device source of what stands for a function there; null: other bits, or none of these.
const char *of_host(std::string_view real) {
  static const auto &names = *[] {
    auto *all = new std::map<std::string_view, const char *>;
    for (const HostFunction &f : kUnary)
      if (has_bits(f))
        all->emplace(f.real, f.of_host);
    if (power_has_bits())
      all->emplace("pow", "host_pow");
    return all;
  }();
  const auto found = names.find(real);
  return found != names.end() ? found->second : nullptr;
}

// The same function, computed as the host does; null: there is none.
const ops::ScalarFunction *as_host(const ops::ScalarFunction &function, graph::DType of) {
  const char *const name =
      of == graph::DType::f32 && function.real != nullptr ? of_host(function.real) : nullptr;
  if (name == nullptr)
    return nullptr;
  static auto &mutex = *new std::mutex;
  static auto &made =
      *new std::map<const ops::ScalarFunction *, ops::ScalarFunction>; // expressions point here
  const std::lock_guard lock(mutex);
  const auto [at, is_new] = made.try_emplace(&function, function);
  if (is_new) {
    at->second.real = name;
    at->second.variant = "_of_host";
    at->second.helpers = device_text();
  }
  return &at->second;
}

} // namespace

Result<ops::Expression> with_host_bits(const ops::Expression &expression) {
  std::vector<ops::ScalarNode> nodes = expression.nodes();
  for (ops::ScalarNode &node : nodes)
    if (node.op == ops::ScalarOp::call) {
      const graph::DType of = nodes[node.args[0]].dtype;
      const ops::ScalarFunction *const same = as_host(*node.function, of);
      if (same == nullptr)
        return fail(Code::unimplemented, "TW-260",
                    fmt::format("{} of {} has other bits there than on the host", node.function->op,
                                graph::name(of)));
      node.function = same;
    }
  return ops::Expression(std::move(nodes), {expression.operands().begin(), expression.operands().end()},
                         expression.result());
}

Status take_host_bits(std::vector<GroupNode> &nodes) {
  for (GroupNode &node : nodes) {
    TW_ASSIGN(node.value, with_host_bits(node.value));
  }
  return {};
}

} // namespace tw::kernels::generated
