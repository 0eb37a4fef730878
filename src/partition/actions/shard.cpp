// SPDX-License-Identifier: Apache-2.0
// `shard(arg="params*wq*", [{}, {model}])`, or P(None, "model") as JAX writes it: every dimension at once,
// and whole on every other axis. For a result it is the layout in which the caller gets it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text_reader.hpp"
#include "partition/spec.hpp"

namespace tw::partition::shard_action {

namespace {

// Shardings as JAX writes them, `P("data", None, ("a", "b"))`:
//   spec  := ('P' | 'PartitionSpec') '(' [entry {',' entry} [',']] ')'
//   entry := 'None' | axis | '(' [axis {',' axis} [',']] ')'        axis: bare or in quotes
class PartitionSpecReader : TextReader {
public:
  explicit PartitionSpecReader(std::string_view text) : TextReader("PartitionSpec", "TW-316", text) {}

  // Whether the text is a PartitionSpec rather than `[{data}, {}]`.
  bool begins() {
    const auto word = name();
    if (!word)
      return false;
    const size_t dot = word->rfind('.'); // jax.P, jax.sharding.PartitionSpec
    const std::string_view last = dot == std::string_view::npos ? *word : word->substr(dot + 1);
    return (last == "P" || last == "PartitionSpec") && accept('(');
  }

  // `{"data"}`, `{}`, `{"a","b"}`. Dimensions behind the last one are whole.
  Result<std::vector<std::string>> entries() {
    std::vector<std::string> all;
    if (!begins())
      return error("P(..)");
    while (!accept(')')) {
      TW_ASSIGN(std::string next, entry());
      all.push_back(std::move(next));
      TW_TRY(separator());
    }
    if (!at_end())
      return error("the end");
    return all;
  }

private:
  // What stands behind an entry: a comma, or the closing parenthesis, which stays.
  Status separator() {
    if (!accept(',') && peek() != ')')
      return error("',' or ')'");
    return {};
  }

  Result<std::string> entry() {
    std::vector<std::string> axes;
    if (accept('(')) {
      while (!accept(')')) {
        TW_ASSIGN(const std::string_view axis, name());
        axes.push_back(fmt::format("\"{}\"", axis));
        TW_TRY(separator());
      }
      return fmt::format("{{{}}}", fmt::join(axes, ","));
    }
    const char first = peek();
    const size_t begin = at();
    TW_ASSIGN(const std::string_view word, name());
    const bool is_quoted = first == '"' || first == '\'';
    if (!is_quoted && word == "None")
      return std::string("{}");
    if (!is_quoted && (word.ends_with("UNCONSTRAINED") || peek() == '=')) {
      go_back(begin);
      return error("None, an axis or a tuple of axes: `shard` fixes every dimension and closes sums (`tile` "
                   "says something of one dimension alone)");
    }
    return fmt::format("{{\"{}\"}}", word);
  }
};

// The layout of an array of this rank: one text, but a PartitionSpec may be short.
class Wanted {
public:
  static Result<Wanted> read(std::string text, const sharding::Mesh &mesh) {
    Wanted wanted;
    wanted.from_jax_ = PartitionSpecReader(text).begins();
    if (wanted.from_jax_) {
      TW_ASSIGN(wanted.dims_, PartitionSpecReader(text).entries());
      text = wanted.text(wanted.dims_.size());
    }
    TW_ASSIGN(wanted.layout_, sharding::parse_sharding(text, mesh));
    return wanted;
  }

  std::string obstacle(size_t rank) const {
    const size_t own = layout_.dims.size();
    return own == rank || (from_jax_ && own < rank)
               ? std::string()
               : fmt::format("it has {} dimension{}, the sharding {}", rank, rank == 1 ? "" : "s", own);
  }

  Result<sharding::Sharding> layout(size_t rank, const sharding::Mesh &mesh) const {
    return from_jax_ && rank > dims_.size() ? sharding::parse_sharding(text(rank), mesh) : layout_;
  }

private:
  std::string text(size_t rank) const {
    std::vector<std::string> dims = dims_;
    dims.resize(rank, "{}");
    return fmt::format("[{}]", fmt::join(dims, ", "));
  }

  bool from_jax_ = false;
  std::vector<std::string> dims_; // of a PartitionSpec
  sharding::Sharding layout_;
};

Status apply(Plan &plan, const Statement &statement, const Names &names) {
  Reader reader(statement, {kTargets, "sharding"});
  TW_ASSIGN(const std::string text, reader.text("sharding"));
  if (auto parts = make_parts(plan, text); !parts)
    return fail(statement.error(std::move(parts.error()), reader.column("sharding")));
  auto wanted = Wanted::read(text, plan.mesh());
  if (!wanted)
    return fail(statement.error(std::move(wanted.error()), reader.column("sharding")));
  const auto rank = [&](const Target &target) { return plan.graph().type(target.value).dims.size(); };
  TW_ASSIGN(const std::vector<Target> targets,
            read_targets(reader, statement, names, plan, kTargets,
                         [&](const Target &target) { return wanted->obstacle(rank(target)); }));
  TW_TRY(reader.finish());
  for (const Target &target : targets) {
    TW_ASSIGN(const sharding::Sharding layout, wanted->layout(rank(target), plan.mesh()));
    TW_TRY(shard(plan, target, layout));
  }
  return {};
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{
      "shard", "shard(arg=|value=|result=NAME, [{AXES}, ..] | P(AXES, ..))",
      "Fixes the layout of every dimension at once, whole on the axes it does not name.", apply};
  return action;
}

} // namespace tw::partition::shard_action
