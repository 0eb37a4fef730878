// SPDX-License-Identifier: Apache-2.0
// shard.shard: a constraint on what makes a value, or on those who use it, in the form that all notations
// share. Patterns that the dialect calls undefined are errors.
#include <algorithm>

#include <fmt/format.h>

#include "import/calls.hpp"
#include "import/dialects/shard/ops.hpp"
#include "import/local_code.hpp"

namespace tw::import::shard {

using annotation::Annotation;
using annotation::ShardingAnnotation;
using graph::ValueId;

namespace {

// A second annotation of a value may only say the same.
bool check_once(Reader &r, const OpText &op, const GridSharding &s) {
  const ValueId v = op.operands[0];
  const GridCode &code = r.grid_code;
  const auto made = code.made.find(v), used = code.used.find(v);
  const auto line = [&](const Annotated &a) { return r.s.position(a.at).line; };
  if (r.grid_code.clauses.has("annotate_for_users"))
    return used == code.used.end() || used->second.sharding == s ||
           r.s.fail(
               "TW-117", op.at,
               fmt::format("the users of this value are annotated twice: with {}, and with {} on line {}",
                           s.text, used->second.sharding.text, line(used->second)),
               "annotate the value itself once for each of its users");
  if (used != code.used.end())
    return r.s.fail(
        "TW-117", op.at,
        fmt::format("this annotates what makes a value behind its users, which are annotated on line {}",
                    line(used->second)),
        "annotate what makes the value first, and its users behind that");
  if (made == code.made.end() || made->second.sharding == s)
    return true;
  const bool chained = !op.operand_def.empty() && op.operand_def[0] == made->second.result;
  const std::string both =
      fmt::format("{}, and {} on line {}", s.text, made->second.sharding.text, line(made->second));
  return r.s.fail("TW-117", op.at,
                  fmt::format("{}: {}",
                              chained ? "what makes this value has another annotation already"
                                      : "one value has two annotations that differ",
                              both),
                  "where its users want another sharding than its maker, say annotate_for_users");
}

// Over an array: whole where no axes are named.
bool bind_to(Reader &r, const OpText &op, const GridSharding &s, ShardingAnnotation &bound) {
  const graph::TensorType &type = r.c.type_of(op.operands[0]);
  bound.mesh = s.grid->name;
  bound.text = s.text;
  bound.dims.resize(type.rank());
  for (size_t d = 0; d < std::max(s.split_axes.size(), type.rank()); ++d) {
    if (d >= type.rank()) {
      if (d == 0 && !s.is_sharded(d))
        continue; // [[]] of a scalar
      return r.s.fail("TW-116", op.at,
                      fmt::format("{}: {} has {} lists, and {} has {} dimensions", op.name, s.text,
                                  s.split_axes.size(), graph::to_text(type), type.rank()));
    }
    if (!s.is_sharded(d))
      continue;
    for (const int64_t axis : s.split_axes[d])
      bound.dims[d].axes.push_back({s.grid->axes[static_cast<size_t>(axis)].first, 1, 0});
    const auto offsets = s.offsets_of(d);
    bound.dims[d].cuts.assign(offsets.begin(), offsets.end());
    if (!offsets.empty() && offsets.back() != type.dims[d])
      return r.s.fail("TW-116", op.at,
                      fmt::format("{}: the offsets of dimension {} end at {}, and {} has size {} there",
                                  op.name, d, offsets.back(), graph::to_text(type), type.dims[d]));
  }
  return true;
}

bool is_argument(Reader &r, ValueId v) {
  const graph::Graph &graph = r.c.builder.graph();
  const graph::OpId op = graph.value(v).def;
  return op != graph::kNone && std::ranges::count(graph.arguments(), op) != 0;
}

// A value of its own, of which devices keep what lies around their tiles. The caller makes an argument.
bool keep_halo(Reader &r, const OpText &op, const GridSharding &s, ValueId &v) {
  std::vector<int64_t> before, after;
  for (size_t d = 0; d < r.c.type_of(v).rank(); ++d) {
    before.push_back(s.halo(d).first);
    after.push_back(s.halo(d).second);
  }
  Implied implied(r.c, op);
  std::vector<ops::NamedAttr> attrs{{"before", before}, {"after", after}};
  if (is_argument(r, v) && !r.grid_code.clauses.has("annotate_for_users"))
    attrs.push_back({"of_argument", int64_t{1}});
  v = implied.add("shard.keep_halo", {v}, attrs);
  return implied.ok();
}

// What is said of users is heard after all that is said of makers, and in the order of the text: so a sum is
// scattered into the tiles that its users want rather than made in them.
bool annotate(Reader &r, const OpText &op, const GridSharding &s, ValueId v) {
  const SourcePos pos{r.s.file(), op.line, op.column};
  if (s.like != graph::kNone) {
    const std::string group = fmt::format("shard.get_sharding {}", s.like);
    const auto &members = r.c.annotations.members;
    const bool known = std::ranges::find(members, group, &annotation::GroupMember::group) != members.end();
    return (known || r.emitter.join_group(group, s.like, op.at, pos)) &&
           r.emitter.join_group(group, v, op.at, pos);
  }
  ShardingAnnotation bound;
  if (!bind_to(r, op, s, bound))
    return false;
  if (r.grid_code.clauses.has("annotate_for_users"))
    for (annotation::DimAnnotation &dim : bound.dims)
      dim.priority = static_cast<int32_t>(r.grid_code.used.size()) + 1;
  else
    bound.of_maker = true;
  return r.emitter.annotate(Annotation::At::value, v, std::move(bound), r.c.type_of(v), op.at, pos);
}

} // namespace

// shard.shard %x to %sharding annotate_for_users : T
bool lower_shard(Reader &r, OpText &op) {
  const GridSharding s = *r.grid_code.clauses.sharding;
  const bool for_users = r.grid_code.clauses.has("annotate_for_users");
  ValueId v = op.operands[0];
  if (op.result_types != op.operand_types)
    return r.s.fail("TW-110", op.at, fmt::format("{}: its result has the type of its operand", op.name));
  if (!check_once(r, op, s))
    return false;
  auto &known = for_users ? r.grid_code.used : r.grid_code.made;
  const Annotated said{s, op.at, op.results.empty() ? nullptr : op.results[0].at};
  if (known.contains(v)) // says the same again
    return r.bind_results(op, {&v, 1});
  const auto say = [&] {
    known.emplace(v, said);
    return annotate(r, op, s, v);
  };
  ShardingAnnotation nothing;
  nothing.unknown = true; // a value of its own: what is said of users holds where it is said
  if (s.has_halo()) {
    if ((!for_users && !say()) || !keep_halo(r, op, s, v) || !say())
      return false;
  } else if ((for_users && !constrain(r, v, std::move(nothing), op)) || !say()) {
    return false;
  }
  if ((for_users || s.has_halo()) && !op.results.empty())
    r.name_value(v, op.results[0].name, 0, 1);
  return r.bind_results(op, {&v, 1});
}

} // namespace tw::import::shard

namespace tw::import {

using annotation::Annotation;
using graph::ValueId;

void annotate_grid_result(Reader &r, uint32_t index, ValueId value) {
  if (!r.grid_code.used.contains(value))
    return;
  auto &all = r.c.annotations.all;
  const auto said = std::ranges::find_if(
      all, [&](const Annotation &a) { return a.at == Annotation::At::value && a.index == value; });
  if (said == all.end())
    return;
  Annotation of_result = *said;
  of_result.at = Annotation::At::result;
  of_result.index = index;
  all.push_back(std::move(of_result));
}

} // namespace tw::import
