// SPDX-License-Identifier: Apache-2.0
// The text of distributed types, `[{a,b}, {}, {c:(2)4}:ceil:halo=[1,1]] +model +max:a`, printed and
// parsed. Adjacent parts of one axis print as one.
//
//   sharding := '[' [dim {',' dim}] ']' {'+' [reduction ':'] axis}
//   dim      := '{' [axis {',' axis}] '}' {':' rule}
//   rule     := 'ceil' | 'cuts=[' int {',' int} ']' | 'spans=[' int {',' int} ']' | 'unit=' int
//             | 'halo=[' int ',' int ']' [':wrap']
//   axis     := name [':(' pre ')' size]        name: bare or in quotes of either kind
#include "sharding/sharding.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text_reader.hpp"
#include "sharding/axis_names.hpp"
#include "sharding/halo.hpp"
#include "sharding/parts.hpp"

namespace tw::sharding {

namespace {

// A part of an axis multiplies numbers: half the range is left for that.
constexpr int64_t kMaxInteger = int64_t{1} << 62;

std::string spelled(const std::string &name) {
  return !name.empty() && std::ranges::all_of(name, is_name_char) ? name : '"' + name + '"';
}

// As one name: all of c is `c`, some of it `c:(pre)size`.
std::string run_text(const Mesh &mesh, const AxisRun &run, const std::string &name) {
  return run.size == whole_size(*run.parent, mesh) ? name : fmt::format("{}:({}){}", name, run.pre, run.size);
}

template <class AxisOf, class Emit> void each_run(const Mesh &mesh, size_t count, AxisOf axis_of, Emit emit) {
  for (size_t i = 0; i < count;) {
    const Axis &first = mesh.axis(axis_of(i));
    int64_t size = first.size;
    size_t end = i + 1;
    for (; end < count; ++end) {
      const Axis &next = mesh.axis(axis_of(end));
      if (next.parent != first.parent || next.pre != first.pre * size)
        break;
      size *= next.size;
    }
    emit(AxisRun{&first.parent, first.pre, size}, i);
    i = end;
  }
}

class Parser : TextReader {
public:
  // Without `halos` the text may have none.
  Parser(std::string_view text, const Mesh &mesh, std::optional<std::span<const int64_t>> shape, Halos *halos)
      : TextReader("sharding", "TW-316", text), mesh_(mesh), shape_(shape), halos_(halos) {}

  Result<Sharding> sharding() {
    Sharding result;
    TW_TRY(expect('['));
    if (!accept(']')) {
      do {
        TW_ASSIGN(DimSharding dim, this->dim(result.dims.size()));
        result.dims.push_back(std::move(dim));
      } while (accept(','));
      TW_TRY(expect(']'));
    }
    while (accept('+'))
      TW_TRY(partial(result));
    if (!at_end())
      return error("the end or '+'");
    std::ranges::sort(result.partial, {}, &Partial::axis);
    return result;
  }

private:
  Result<DimSharding> dim(size_t d) {
    DimSharding dim;
    Halo halo;
    peek();
    const size_t begin = at();
    if (!accept('{'))
      return error("'{', as in [{data}, {}],");
    if (!accept('}')) {
      do {
        TW_ASSIGN(const std::string_view name, this->name());
        TW_TRY(axis(name, [&](AxisId a) { dim.axes.push_back(a); }));
      } while (accept(','));
      TW_TRY(expect('}'));
    }
    while (accept(':'))
      TW_TRY(rule(dim.rule, halo));
    if (halos_ != nullptr && (!halos_->empty() || !halo.empty())) {
      halos_->resize(d + 1);
      halos_->back() = halo.empty() ? Halo{} : halo;
    }
    if (!shape_ || d >= shape_->size())
      return dim;
    if (Status fits = verify(dim, halo, (*shape_)[d], mesh_, d); !fits) {
      std::string &message = fits.error().info().message;
      message = fmt::format("sharding '{}', character {}: {}", text(), begin + 1, message);
      return fail(std::move(fits.error()));
    }
    return dim;
  }

  Status rule(SplitRule &rule, Halo &halo) {
    const size_t begin = at();
    TW_ASSIGN(const std::string_view word, name());
    if (word == "ceil") {
      rule.kind = SplitRule::Kind::ceil;
      return {};
    }
    if (word == "halo" && halos_ != nullptr)
      return this->halo(halo);
    if (word != "cuts" && word != "spans" && word != "unit") {
      go_back(begin);
      return error(
          halos_ != nullptr ? "a split rule (ceil, cuts=[..], spans=[..] or unit=N) or halo=[BEFORE,AFTER]"
          : word == "halo"  ? "a split rule (ceil, cuts=[..], spans=[..] or unit=N; halos are of arrays "
                              "that tw redistribute moves)"
                            : "a split rule: ceil, cuts=[..], spans=[..] or unit=N");
    }
    TW_TRY(expect('='));
    if (word == "unit") {
      TW_ASSIGN(rule.unit, integer(kMaxInteger));
      return {};
    }
    std::vector<int64_t> cuts;
    TW_TRY(expect('['));
    do {
      TW_ASSIGN(const int64_t cut, integer(kMaxInteger));
      cuts.push_back(cut);
    } while (accept(','));
    TW_TRY(expect(']'));
    rule.kind = word == "cuts" ? SplitRule::Kind::cuts : SplitRule::Kind::spans;
    rule.cuts = std::make_shared<const std::vector<int64_t>>(std::move(cuts));
    return {};
  }

  // `=[1,2]` or `=[1,2]:wrap`.
  Status halo(Halo &halo) {
    TW_TRY(expect('='));
    TW_TRY(expect('['));
    TW_ASSIGN(halo.before, integer(kMaxHalo));
    if (!accept(','))
      return error("',' and the halo after the tile");
    TW_ASSIGN(halo.after, integer(kMaxHalo));
    TW_TRY(expect(']'));
    if (const size_t mark = at(); accept(':')) {
      const auto word = name();
      if (word && *word == "wrap")
        halo.border = Border::wrap;
      else
        go_back(mark);
    }
    return {};
  }

  // `+a`, `+c:(2)4`, `+max:a`: a word followed by ':' and no '(' is the reduction.
  Status partial(Sharding &result) {
    Reduction kind = Reduction::sum;
    TW_ASSIGN(std::string_view word, name());
    if (const size_t mark = at(); accept(':')) {
      if (peek() == '(') {
        go_back(mark);
      } else {
        TW_ASSIGN(kind, parse_reduction(word));
        TW_ASSIGN(word, name());
      }
    }
    return axis(word, [&](AxisId a) { result.partial.push_back({a, kind}); });
  }

  // The axes that a name with an optional `:(pre)size` stands for, major to minor.
  template <class Emit> Status axis(std::string_view name, Emit emit) {
    const size_t begin = at();
    int64_t pre = 1, size = whole_size(name, mesh_);
    if (std::ranges::none_of(mesh_.axes(), [&](const Axis &a) { return a.parent == name; }))
      return fail(Code::not_found, "TW-315",
                  fmt::format("sharding '{}': mesh {} has no axis '{}'", text(), mesh_.text(), name));
    if (const size_t mark = at(); accept(':')) {
      if (!accept('(')) {
        go_back(mark);
      } else {
        TW_ASSIGN(pre, integer(kMaxInteger));
        TW_TRY(expect(')'));
        TW_ASSIGN(size, integer(kMaxInteger));
      }
    }
    const auto whole = [&] { return text().substr(begin, at() - begin); };
    if (pre < 1 || size < 1 || pre > kMaxDevices || size > kMaxDevices)
      return fail(Code::out_of_range, "TW-315",
                  fmt::format("sharding '{}': '{}{}' has a size out of range", text(), name, whole()));
    const std::vector<AxisId> found = axes_of({name, pre, size}, mesh_);
    std::ranges::for_each(found, emit);
    if (found.empty())
      return fail(Code::not_found, "TW-315",
                  fmt::format("sharding '{}': '{}{}' is no part of axis '{}' of this mesh", text(), name,
                              whole(), name));
    return {};
  }

  const Mesh &mesh_;
  std::optional<std::span<const int64_t>> shape_;
  Halos *halos_;
};

std::string rule_text(const SplitRule &rule) {
  std::string text;
  if (rule.kind == SplitRule::Kind::ceil)
    text += ":ceil";
  if (rule.kind == SplitRule::Kind::cuts)
    text += fmt::format(":cuts=[{}]", fmt::join(*rule.cuts, ","));
  if (rule.kind == SplitRule::Kind::spans)
    text += fmt::format(":spans=[{}]", fmt::join(*rule.cuts, ","));
  if (rule.unit != 1)
    text += fmt::format(":unit={}", rule.unit);
  return text;
}

std::string halo_text(const Halo &halo) {
  if (halo.empty())
    return {};
  return fmt::format(":halo=[{},{}]{}", halo.before, halo.after, halo.border == Border::wrap ? ":wrap" : "");
}

} // namespace

std::string to_text(const Sharding &s, const Mesh &mesh) { return to_text(s, Halos(), mesh); }

std::string to_text(const Sharding &s, const Halos &halos, const Mesh &mesh) {
  std::string text = "[";
  for (size_t d = 0; d < s.dims.size(); ++d) {
    const std::vector<AxisId> &axes = s.dims[d].axes;
    text += d == 0 ? "{" : ", {";
    each_run(
        mesh, axes.size(), [&](size_t i) { return axes[i]; },
        [&](const AxisRun &run, size_t i) {
          text += i == 0 ? "" : ",";
          text += run_text(mesh, run, spelled(*run.parent));
        });
    text += '}';
    if (!axes.empty())
      text += rule_text(s.dims[d].rule);
    text += halo_text(halo_of(halos, d));
  }
  text += ']';
  for (size_t begin = 0; begin < s.partial.size();) { // parts merge only where their kinds agree
    const Reduction kind = s.partial[begin].kind;
    size_t end = begin;
    while (end < s.partial.size() && s.partial[end].kind == kind)
      ++end;
    each_run(
        mesh, end - begin, [&](size_t i) { return s.partial[begin + i].axis; },
        [&](const AxisRun &of, size_t) {
          const std::string run = run_text(mesh, of, spelled(*of.parent));
          text += kind == Reduction::sum ? fmt::format(" +{}", run) : fmt::format(" +{}:{}", name(kind), run);
        });
    begin = end;
  }
  return text;
}

std::vector<AxisRun> axis_runs(std::span<const AxisId> axes, const Mesh &mesh) {
  std::vector<AxisRun> runs;
  each_run(
      mesh, axes.size(), [&](size_t i) { return axes[i]; },
      [&](const AxisRun &run, size_t) { runs.push_back(run); });
  return runs;
}

std::vector<std::string> axis_names(std::span<const AxisId> axes, const Mesh &mesh) {
  std::vector<std::string> names;
  for (const AxisRun &run : axis_runs(axes, mesh))
    names.push_back(run_text(mesh, run, *run.parent));
  return names;
}

Result<Sharding> parse_sharding(std::string_view text, const Mesh &mesh) {
  return Parser(text, mesh, std::nullopt, nullptr).sharding();
}

Result<Distribution> parse_distribution(std::string_view text, const Mesh &mesh,
                                        std::optional<std::span<const int64_t>> shape) {
  Distribution result;
  TW_ASSIGN(result.sharding, Parser(text, mesh, shape, &result.halos).sharding());
  if (!result.halos.empty())
    result.halos.resize(result.sharding.dims.size());
  return result;
}

} // namespace tw::sharding
