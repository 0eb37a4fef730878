// SPDX-License-Identifier: Apache-2.0
// Calls of LAPACK against the table of routines.
#include "ops/lapack_calls.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/trim.hpp"
#include "ops/attributes.hpp"
#include "ops/call_attributes.hpp"
#include "ops/element.hpp"

namespace tw::ops {
namespace lapack_table {
namespace {

using graph::DType;
using graph::TensorType;

struct Row {
  LapackRoutine routine;
  std::string_view name, complex_name, arrays, complex_arrays, attributes;
};

constexpr Row kRows[] = {
#define TW_LAPACK(name, complex_name, arrays, complex_arrays, attributes)                                    \
  {LapackRoutine::name, #name, #complex_name, arrays, complex_arrays, attributes},
#include "ops/lapack_list.inc"
#undef TW_LAPACK
};

constexpr TypeSet kTypes = {DType::f32, DType::f64, DType::c64, DType::c128};

// Calls that JAX makes for platforms that it does not know, whose arrays lie row by row, and one that is
// jaxlib's own. The elements say for which type they are.
struct Portable {
  std::string_view target;
  LapackRoutine routine;
  bool has_layouts = false;
};
constexpr Portable kPortable[] = {
    {"Qr", LapackRoutine::geqrf},
    {"ProductOfElementaryHouseholderReflectors", LapackRoutine::orgqr},
    {"tridiagonal_solve_perturbed_ffi", LapackRoutine::tridiagonal_solve_perturbed, true}};

struct Target {
  const Row *row = nullptr;
  char prefix = 0; // s, d, c or z; 0: by the elements
  bool has_layouts = true;
};

Target target_of(std::string_view name) {
  constexpr std::string_view kFront = "lapack_", kBack = "_ffi";
  if (const auto known = std::ranges::find(kPortable, name, &Portable::target); known != std::end(kPortable))
    return {std::ranges::find(kRows, known->routine, &Row::routine), 0, known->has_layouts};
  if (!name.starts_with(kFront) || !name.ends_with(kBack) || name.size() <= kFront.size() + kBack.size())
    return {};
  const char prefix = name[kFront.size()];
  const bool is_real = prefix == 's' || prefix == 'd';
  if (!is_real && prefix != 'c' && prefix != 'z')
    return {};
  const std::string_view routine =
      name.substr(kFront.size() + 1, name.size() - kFront.size() - 1 - kBack.size());
  const auto row = std::ranges::find(kRows, routine, is_real ? &Row::name : &Row::complex_name);
  return row == std::end(kRows) ? Target() : Target{row, prefix};
}

char prefix_of(DType dtype) {
  return dtype == DType::f32 ? 's' : dtype == DType::f64 ? 'd' : dtype == DType::c64 ? 'c' : 'z';
}

DType element_of(char letter, DType matrices) {
  const bool is_single = matrices == DType::f32 || matrices == DType::c64;
  return letter == 'T'   ? matrices
         : letter == 'R' ? (is_single ? DType::f32 : DType::f64)
         : letter == 'C' ? (is_single ? DType::c64 : DType::c128)
                         : DType::s32;
}

std::vector<std::string_view> split(std::string_view list, char separator) {
  std::vector<std::string_view> items;
  for (size_t end = 0; !list.empty() && end != list.npos;) {
    end = list.find(separator);
    items.push_back(list.substr(0, end));
    list.remove_prefix(end == list.npos ? list.size() : end + 1);
  }
  return items;
}

tl::unexpected<Error> wrong(std::string why) {
  return fail(Code::invalid_argument, "TW-245", std::move(why));
}

class Reader {
public:
  explicit Reader(const OpView &op) : op_(op), target_(op.string(slot::custom_call::call_target_name)) {}

  Result<LapackCall> read() {
    const Target target = target_of(target_);
    if (target.row == nullptr)
      return wrong("is no call of LAPACK");
    row_ = target.row;
    TW_TRY(read_elements(target));
    TW_TRY(read_arrays());
    TW_TRY(read_attributes());
    TW_TRY(bind_sizes());
    TW_TRY(check_numbers());
    if (target.has_layouts)
      TW_TRY(check_layouts());
    return std::move(call_);
  }

private:
  std::string name_of(size_t v) const {
    const bool is_operand = v < op_.operands.size();
    return fmt::format("{} {}", is_operand ? "operand" : "result", is_operand ? v : v - op_.operands.size());
  }
  const TensorType &type(size_t v) const {
    return v < op_.operands.size() ? *op_.operands[v] : *op_.results[v - op_.operands.size()];
  }

  Status read_elements(const Target &target) {
    if (op_.operands.empty())
      return wrong("has no operand");
    call_.routine = row_->routine;
    call_.dtype = op_.operands[0]->dtype;
    if (!kTypes.has(call_.dtype) || (target.prefix != 0 && target.prefix != prefix_of(call_.dtype)))
      return wrong(fmt::format("does not take operand 0, {}, of element type {}",
                               graph::to_short_text(*op_.operands[0]), graph::name(call_.dtype)));
    call_.symbol =
        fmt::format("{}{}_", prefix_of(call_.dtype), call_.is_complex() ? row_->complex_name : row_->name);
    return {};
  }

  // Numbers of arrays, their elements and ranks.
  Status read_arrays() {
    const std::string_view all = call_.is_complex() ? row_->complex_arrays : row_->arrays;
    const size_t arrow = all.find("->");
    call_.arrays = split(all.substr(0, arrow), ',');
    call_.num_operands = call_.arrays.size();
    for (const std::string_view array : split(all.substr(arrow + 2), ','))
      call_.arrays.push_back(array);
    const size_t num_results = call_.arrays.size() - call_.num_operands;
    if (op_.operands.size() != call_.num_operands || op_.results.size() != num_results)
      return wrong(fmt::format("has {} operands and {} results, expected {} and {}", op_.operands.size(),
                               op_.results.size(), call_.num_operands, num_results));
    const size_t own = call_.arrays[0].size() - 1;
    if (op_.operands[0]->rank() < own)
      return wrong(fmt::format("operand 0 is {}: expected {} or more dimensions",
                               graph::to_short_text(*op_.operands[0]), own));
    call_.batch_rank = op_.operands[0]->rank() - own;
    for (size_t v = 0; v < call_.arrays.size(); ++v) {
      const DType dtype = element_of(call_.arrays[v][0], call_.dtype);
      const size_t rank = call_.batch_rank + call_.arrays[v].size() - 1;
      if (type(v).dtype != dtype || type(v).rank() != rank)
        return wrong(fmt::format("{} is {}: expected {} dimensions and element type {}", name_of(v),
                                 graph::to_short_text(type(v)), rank, graph::name(dtype)));
    }
    return {};
  }

  Status read_attributes() {
    const auto stated = call_attributes(op_);
    for (const std::string_view spec : split(row_->attributes, ' ')) {
      const std::string_view name = spec.substr(0, spec.find(':')), allowed = spec.substr(name.size() + 1);
      const auto is_it = [&](const CallAttribute &a) {
        const size_t dot = a.name.rfind('.');
        return dot != a.name.npos && std::string_view(a.name).substr(dot + 1) == name &&
               std::string_view(a.name).substr(0, dot).ends_with("backend_config");
      };
      const auto found = std::ranges::find_if(stated, is_it);
      const int64_t *value = found == stated.end() ? nullptr : std::get_if<int64_t>(&found->value);
      if (value == nullptr)
        return wrong(fmt::format("has no attribute {} in its backend_config", name));
      const bool is_character = allowed != "?" && allowed != "#";
      if (is_character &&
          (*value < ' ' || *value > '~' || allowed.find(static_cast<char>(*value)) == allowed.npos)) {
        std::string choice;
        for (const char c : allowed)
          choice += fmt::format("{}{} ({})", choice.empty() ? "" : ", ", static_cast<int>(c), c);
        return wrong(fmt::format("its attribute {} is {}, expected one of {}", name, *value, choice));
      }
      call_.attributes.push_back({name, *value});
    }
    return {};
  }

  // What the sizes of some letters follow from; what stands in the way of others is told by the first array.
  std::optional<int64_t> implied(char letter) const {
    const int64_t m = call_.size('m'), n = call_.size('n'), mode = call_.attribute("mode");
    switch (letter) {
    case 'k': return std::min(m, n);
    case 'p': return std::max<int64_t>(n - 1, 0);
    case 'a': return call_.attribute("side") == 'L' ? m : n;
    case 's': return call_.attribute("left") != 0 ? m : n;
    case 'u': return mode == 'N' ? std::nullopt : std::optional(mode == 'A' ? m : std::min(m, n));
    case 'v': return mode == 'N' ? std::nullopt : std::optional(mode == 'A' ? n : std::min(m, n));
    default: return {};
    }
  }

  Status bind_sizes() {
    std::array<bool, 26> known{};
    const auto bind = [&](bool follows) -> Status {
      for (size_t v = 0; v < call_.arrays.size(); ++v)
        for (size_t i = 1; i < call_.arrays[v].size(); ++i) {
          const char letter = call_.arrays[v][i];
          const size_t at = static_cast<size_t>(letter - 'a'), d = call_.batch_rank + i - 1;
          if ((std::string_view("kpasuv").find(letter) != std::string_view::npos) != follows)
            continue;
          if (!known[at]) {
            known[at] = true;
            call_.sizes[at] = implied(letter).value_or(type(v).dims[d]);
          }
          if (type(v).dims[d] != call_.sizes[at])
            return wrong(fmt::format("{} is {}: its dimension {} has size {}, expected {}", name_of(v),
                                     graph::to_short_text(type(v)), d, type(v).dims[d], call_.sizes[at]));
        }
      return {};
    };
    TW_TRY(bind(false));
    TW_TRY(bind(true));
    for (size_t v = 1; v < call_.arrays.size(); ++v)
      for (size_t d = 0; d < call_.batch_rank; ++d)
        if (type(v).dims[d] != type(0).dims[d])
          return wrong(fmt::format("{} is {}: its dimension {} has size {}, that of operand 0 has {}",
                                   name_of(v), graph::to_short_text(type(v)), d, type(v).dims[d],
                                   type(0).dims[d]));
    return {};
  }

  // LAPACK ends the process where it is given numbers that it does not take.
  Status check_numbers() const {
    const int64_t m = call_.size('m'), n = call_.size('n'), t = call_.size('t');
    if (call_.routine == LapackRoutine::orgqr && !(t <= n && n <= m))
      return wrong(
          fmt::format("has {} reflectors and {} by {} matrices: expected at most {} reflectors, and no "
                      "more columns than rows",
                      t, m, n, n));
    if (call_.routine == LapackRoutine::ormqr && !(t <= call_.size('s') && t <= call_.size('c')))
      return wrong(
          fmt::format("has {} reflectors in {} by {} matrices", t, call_.size('s'), call_.size('c')));
    if (call_.routine == LapackRoutine::gehrd) {
      const int64_t low = call_.attribute("low"), high = call_.attribute("high");
      if (low < 1 || low > std::max<int64_t>(n, 1) || high < std::min(low, n) || high > n)
        return wrong(fmt::format("its attributes low and high are {} and {}, the matrices have {} rows", low,
                                 high, n));
    }
    return check_sizes();
  }

  // LAPACK counts rows, columns and its own memory by 32-bit integers.
  Status check_sizes() const {
    const int64_t m = call_.size('m'), n = call_.size('n');
    const auto too_large = [](int64_t size, int64_t most) {
      return wrong(fmt::format("has matrices of {} rows or columns, at most {} are taken", size, most));
    };
    for (const char letter : {'m', 'n', 'r', 'c'})
      if (const int64_t most = most_rows(call_.routine); call_.size(letter) > most)
        return too_large(call_.size(letter), most);
    if (call_.routine == LapackRoutine::gesdd && std::min(m, n) > kMostOfSvd)
      return too_large(std::min(m, n), kMostOfSvd);
    for (size_t v = 0; v < call_.arrays.size(); ++v) {
      int64_t elements = 1;
      for (size_t d = call_.batch_rank; d < type(v).rank(); ++d)
        elements *= type(v).dims[d];
      if (elements > kMostElements)
        return wrong(fmt::format("{} is {}: a matrix of {} elements, at most {} are taken", name_of(v),
                                 graph::to_short_text(type(v)), elements, kMostElements));
    }
    return {};
  }
  static int64_t most_rows(LapackRoutine routine) {
    switch (routine) {
    case LapackRoutine::potrf: // these take no memory
    case LapackRoutine::getrf:
    case LapackRoutine::trsm:
    case LapackRoutine::gtsv: return std::numeric_limits<int32_t>::max();
    case LapackRoutine::syevd: return 32000; // takes 2 n^2
    default: return 1 << 23;                 // at most 256 for each
    }
  }
  static constexpr int64_t kMostOfSvd = 17000; // of which gesdd takes 7 n^2
  static constexpr int64_t kMostElements = int64_t{1} << 40;

  // Matrices of @lapack_ calls lie column by column, the batch outside. Other layouts would mean their
  // transposes.
  Status check_layouts() const {
    const auto items = dictionary_items(op_.string(slot::custom_call::attributes));
    for (const bool is_operand : {true, false}) {
      const char *name = is_operand ? "operand_layouts" : "result_layouts";
      const auto at = std::ranges::find(items, name, &DictionaryItem::name);
      const auto layouts = at == items.end() ? std::vector<std::string>() : layouts_in(at->value);
      const size_t first = is_operand ? 0 : call_.num_operands,
                   last = is_operand ? call_.num_operands : call_.arrays.size();
      for (size_t v = first; v < last; ++v) {
        const std::string expected = columns_first(type(v).rank(), call_.arrays[v].size() - 1);
        const std::string have = layouts.size() == last - first ? layouts[v - first] : "none";
        if (have != expected)
          return fail(Code::unimplemented, "TW-245",
                      fmt::format("the layout of {} in {} is {}, expected dense<[{}]>: matrices column by "
                                  "column",
                                  name_of(v), name, have == "none" ? have : fmt::format("dense<[{}]>", have),
                                  expected));
      }
    }
    return {};
  }

  // "[dense<[0, 1]> : tensor<2xindex>, ..]" as {"0,1", ..}
  static std::vector<std::string> layouts_in(std::string_view list) {
    constexpr std::string_view kDense = "dense<";
    std::vector<std::string> all;
    for (size_t at = list.find(kDense); at != list.npos; at = list.find(kDense, at)) {
      at += kDense.size();
      std::string &one = all.emplace_back();
      for (; at < list.size() && list[at] != '>'; ++at)
        if (std::string_view("[] \t").find(list[at]) == std::string_view::npos)
          one += list[at];
    }
    return all;
  }
  static std::string columns_first(size_t rank, size_t own) {
    std::string order;
    const auto add = [&](size_t d) { order += fmt::format("{}{}", order.empty() ? "" : ",", d); };
    if (own == 2) {
      add(rank - 2);
      add(rank - 1);
    }
    for (size_t d = own == 2 ? rank - 2 : rank; d-- > 0;)
      add(d);
    return order;
  }

  const OpView &op_;
  std::string_view target_;
  const Row *row_ = nullptr;
  LapackCall call_;
};

} // namespace
} // namespace lapack_table

int64_t LapackCall::attribute(std::string_view name) const {
  const auto at = std::ranges::find(attributes, name, &Attribute::name);
  return at == attributes.end() ? 0 : at->value;
}

double LapackCall::flops() const {
  const auto m = static_cast<double>(size('m')), n = static_cast<double>(size('n')), least = std::min(m, n);
  const double field = is_complex() ? 4 : 1;
  switch (routine) {
  case LapackRoutine::potrf: return field * n * n * n / 3;
  case LapackRoutine::getrf:
    return field * (m * n * least - (m + n) * least * least / 2 + least * least * least / 3) * 2;
  case LapackRoutine::trsm: return field * m * n * static_cast<double>(size('a'));
  case LapackRoutine::geqrf:
  case LapackRoutine::geqp3:
  case LapackRoutine::orgqr: return field * 2 * m * n * least;
  case LapackRoutine::ormqr: return field * 4 * m * n * static_cast<double>(size('t'));
  case LapackRoutine::gesdd:
  case LapackRoutine::gesvd: return field * 20 * m * n * least;
  case LapackRoutine::sytrd: return field * n * n * n * 4 / 3;
  case LapackRoutine::syevd: return field * n * n * n * 9;
  case LapackRoutine::gehrd: return field * n * n * n * 10 / 3;
  case LapackRoutine::geev:
  case LapackRoutine::gees: return field * n * n * n * 25;
  case LapackRoutine::gtsv:
  case LapackRoutine::tridiagonal_solve_perturbed:
    return field * n * (8 + 5 * static_cast<double>(size('r')));
  }
  return 0;
}

bool is_lapack_call(const OpView &call) {
  return lapack_table::target_of(call.string(slot::custom_call::call_target_name)).row != nullptr;
}

Result<LapackCall> read_lapack_call(const OpView &call) { return lapack_table::Reader(call).read(); }

std::optional<Rule> lapack_rule(const OpView &op) {
  if (!is_lapack_call(op))
    return {};
  const auto call = read_lapack_call(op);
  if (!call)
    return {};
  RuleBuilder rule(op);
  std::vector<FactorId> batch;
  for (size_t d = 0; d < call->batch_rank; ++d)
    batch.push_back(rule.pass(op.operands[0]->dims[d]));
  for (size_t v = 0; v < op.operands.size(); ++v)
    for (size_t d = 0; d < op.operands[v]->rank(); ++d)
      d < batch.size() ? rule.in(v, d, batch[d]) : rule.whole_in(v, d, op.operands[v]->dims[d]);
  for (size_t v = 0; v < op.results.size(); ++v)
    for (size_t d = 0; d < op.results[v]->rank(); ++d)
      d < batch.size() ? rule.out(v, d, batch[d]) : rule.whole_out(v, d, op.results[v]->dims[d]);
  return rule.build();
}

} // namespace tw::ops
