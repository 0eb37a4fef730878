// SPDX-License-Identifier: Apache-2.0
// linalg.generic: its body is read once, for all points of its iteration space together. Operands become
// arrays over that space, and what the body says of single numbers is said of them; sums over products of two
// operands are products of matrices.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/dialects/linalg/ops.hpp"
#include "import/local_code.hpp"
#include "ops/registry.hpp"

namespace tw::import::linalg {

using graph::TensorType;
using graph::ValueId;

namespace {

struct Generic {
  std::vector<std::vector<int64_t>> maps; // of each operand: the loops of its dimensions
  std::vector<bool> reduces;              // of each loop
  graph::Shape sizes;                     // of each loop
  std::vector<int64_t> reduced() const {
    std::vector<int64_t> loops;
    for (size_t l = 0; l < reduces.size(); ++l)
      if (reduces[l])
        loops.push_back(static_cast<int64_t>(l));
    return loops;
  }
};

// affine_map<(d0, d1) -> (d1)>: each dimension goes along one loop.
bool read_map(Reader &r, std::string_view raw, std::vector<int64_t> &map, size_t &loops) {
  if (!r.c.attributes.resolve(raw))
    return false;
  const Cursor back = r.s.cursor();
  r.s.seek({raw.data(), back.line, raw.data()});
  std::vector<std::string_view> names;
  const auto read_names = [&](auto &&each) {
    if (!r.s.expect('(', "in an affine_map"))
      return false;
    while (!r.s.accept(')')) {
      const char *at = r.s.here();
      const std::string_view name = r.s.word();
      if (name.empty() || !each(name, at))
        return r.s.failed() ? false : r.s.fail_here("the name of a loop", "in an affine_map");
      if (r.s.peek() != ')' && !r.s.expect(',', "between the dimensions of an affine_map"))
        return false;
    }
    return true;
  };
  const bool ok =
      r.s.expect("affine_map", "in indexing_maps") && r.s.expect('<', "after affine_map") &&
      read_names([&](std::string_view name, const char *) { return names.push_back(name), true; }) &&
      r.s.expect("->", "in an affine_map") && read_names([&](std::string_view name, const char *at) {
        const auto loop = std::ranges::find(names, name);
        if (loop == names.end() || std::ranges::find(map, loop - names.begin()) != map.end())
          return r.s.fail("TW-105", at, "each dimension of an operand goes along a loop of its own");
        map.push_back(loop - names.begin());
        return true;
      });
  r.s.seek(back);
  loops = names.size();
  return ok;
}

bool read_loops(Reader &r, const OpText &op, Generic &g) {
  const AttrText *maps = op.find_attr("indexing_maps"), *kinds = op.find_attr("iterator_types");
  if (maps == nullptr || kinds == nullptr)
    return r.s.fail("TW-105", op.at, "linalg.generic has indexing_maps and iterator_types before its body");
  std::vector<std::string_view> items;
  std::string_view raw[] = {maps->raw, kinds->raw};
  for (size_t i = 0; i < 2; ++i) {
    if (!r.c.attributes.resolve(raw[i]))
      return false;
    const Cursor back = r.s.cursor();
    r.s.seek({raw[i].data(), back.line, raw[i].data()});
    items.clear();
    if (!parse_items(r.s, items))
      return false;
    r.s.seek(back);
    for (const std::string_view item : items) {
      size_t loops = 0;
      const std::string kind = i == 1 ? plain_text(item) : std::string();
      if (i == 0 && !read_map(r, item, g.maps.emplace_back(), loops))
        return false;
      if (i == 1 && kind != "parallel" && kind != "reduction")
        return r.s.fail("TW-105", item.data(),
                        fmt::format("a loop is parallel or a reduction; '{}' is not known", kind));
      if (i == 1)
        g.reduces.push_back(kind == "reduction");
    }
  }
  if (g.maps.size() != op.operands.size())
    return r.s.fail("TW-105", op.at,
                    fmt::format("{} maps for {} operands", g.maps.size(), op.operands.size()));
  g.sizes.assign(g.reduces.size(), -1);
  for (size_t i = 0; i < g.maps.size(); ++i) {
    const TensorType &type = r.c.type_of(op.operands[i]);
    bool fits = g.maps[i].size() == type.rank();
    for (size_t d = 0; fits && d < type.rank(); ++d) {
      fits = g.maps[i][d] < std::ssize(g.sizes);
      int64_t *size = fits ? &g.sizes[static_cast<size_t>(g.maps[i][d])] : nullptr;
      fits = fits && (*size == -1 || *size == type.dims[d]);
      if (fits)
        *size = type.dims[d];
    }
    if (!fits)
      return r.s.fail("TW-110", op.operand_at[i],
                      fmt::format("operand {} is {}, which does not fit its map over loops of sizes [{}]", i,
                                  graph::to_text(type), fmt::join(g.sizes, ", ")));
  }
  const auto open = std::ranges::find(g.sizes, -1);
  return open == g.sizes.end() ||
         r.s.fail("TW-105", op.at, fmt::format("no operand goes along loop {}", open - g.sizes.begin()));
}

// An operand over the whole iteration space.
ValueId lift(Implied &implied, ValueId v, const std::vector<int64_t> &map, const graph::Shape &sizes) {
  std::vector<int64_t> order(map.size());
  for (size_t d = 0; d < order.size(); ++d)
    order[d] = static_cast<int64_t>(d);
  std::ranges::sort(order, {}, [&](int64_t d) { return map[static_cast<size_t>(d)]; });
  if (!std::ranges::is_sorted(order))
    v = implied.add("stablehlo.transpose", {v}, {{"permutation", order}});
  std::vector<int64_t> loops = map;
  std::ranges::sort(loops);
  return loops.size() == sizes.size() ? v : implied.broadcast(v, loops, sizes);
}

// And from these loops, in order, to the layout of a result.
ValueId lay_out(Implied &implied, ValueId v, const std::vector<int64_t> &loops,
                const std::vector<int64_t> &map) {
  std::vector<int64_t> permutation;
  for (const int64_t loop : map)
    permutation.push_back(std::ranges::find(loops, loop) - loops.begin());
  return std::ranges::is_sorted(permutation)
             ? v
             : implied.add("stablehlo.transpose", {v}, {{"permutation", permutation}});
}

// %m = arith.mulf %a, %b : f32 / %s = arith.addf %out, %m : f32 / linalg.yield %s : f32 / }: nothing is taken
// unless it is just that.
bool take_multiply_add(Reader &r, const std::vector<Argument> &arguments) {
  const Cursor back = r.s.cursor();
  const auto name = [&](std::string_view &to) { return r.s.accept('%') && !(to = r.s.suffix()).empty(); };
  const auto rest = [&] { // fastmath<..> : f32
    std::string_view skipped;
    if (r.s.accept("fastmath") || r.s.accept("overflow"))
      if (!r.s.skip_term(skipped))
        return false;
    return r.s.accept(':') && !r.s.word().empty();
  };
  const auto binary = [&](std::string_view op, std::string_view &made, std::string_view &a,
                          std::string_view &b) {
    if (!name(made) || !r.s.accept('='))
      return false;
    const std::string_view word = r.s.word();
    return word.starts_with(op) && word.size() == op.size() + 1 && name(a) && r.s.accept(',') && name(b) &&
           rest();
  };
  std::string_view m, a, b, s, x, y, yielded;
  const bool found = arguments.size() == 3 && binary("arith.mul", m, a, b) && binary("arith.add", s, x, y) &&
                     r.s.accept("linalg.yield") && name(yielded) && rest() && r.s.accept('}');
  const std::string_view in0 = found ? arguments[0].name : "", in1 = found ? arguments[1].name : "",
                         out = found ? arguments[2].name : "";
  const bool is_it = found && yielded == s && ((a == in0 && b == in1) || (a == in1 && b == in0)) &&
                     ((x == out && y == m) || (x == m && y == out)) && m != out;
  if (!is_it)
    r.s.seek(back);
  return is_it;
}

// A contraction: loops of both operands that the result has too are batches, those that it lacks are summed.
bool contract(Reader &r, OpText &op, const Generic &g, Implied &implied, ValueId &made) {
  std::vector<int64_t> lhs_batch, rhs_batch, lhs_sum, rhs_sum, loops, of_lhs, of_rhs;
  const auto place = [](const std::vector<int64_t> &map, int64_t loop) {
    const auto at = std::ranges::find(map, loop);
    return at == map.end() ? int64_t{-1} : at - map.begin();
  };
  for (int64_t loop = 0; loop < std::ssize(g.sizes); ++loop) {
    const int64_t l = place(g.maps[0], loop), m = place(g.maps[1], loop);
    if (l >= 0 && m >= 0) {
      (g.reduces[static_cast<size_t>(loop)] ? lhs_sum : lhs_batch).push_back(l);
      (g.reduces[static_cast<size_t>(loop)] ? rhs_sum : rhs_batch).push_back(m);
      if (!g.reduces[static_cast<size_t>(loop)])
        loops.push_back(loop);
    }
  }
  for (const int64_t loop : g.maps[0])
    if (place(g.maps[1], loop) < 0)
      loops.push_back(loop);
  for (const int64_t loop : g.maps[1])
    if (place(g.maps[0], loop) < 0)
      loops.push_back(loop);
  const graph::DType dtype = r.c.type_of(op.operands[2]).dtype;
  const ValueId product =
      implied.add("stablehlo.dot_general",
                  {implied.convert(op.operands[0], dtype), implied.convert(op.operands[1], dtype)},
                  {{"lhs_batching_dimensions", lhs_batch},
                   {"rhs_batching_dimensions", rhs_batch},
                   {"lhs_contracting_dimensions", lhs_sum},
                   {"rhs_contracting_dimensions", rhs_sum}});
  if (!implied.ok())
    return false;
  made = combine(r, implied, sharding::Reduction::sum, op.operands[2],
                 lay_out(implied, product, loops, g.maps[2]));
  return implied.ok();
}

// Whether every loop that is summed is one of both operands.
bool is_contraction(const OpText &op, const Generic &g) {
  if (op.operands.size() != 3 || g.reduced().empty())
    return false;
  for (int64_t loop = 0; loop < std::ssize(g.sizes); ++loop) {
    const auto has = [&](size_t i) { return std::ranges::find(g.maps[i], loop) != g.maps[i].end(); };
    if (g.reduces[static_cast<size_t>(loop)] ? !has(0) || !has(1) : !has(2) || (!has(0) && !has(1)))
      return false;
  }
  return true;
}

// The op that folds a value of the body into the element of outs, and that value.
bool find_fold(Reader &r, const OpText &op, ValueId out, ValueId yielded, sharding::Reduction &kind,
               ValueId &folded) {
  using enum sharding::Reduction;
  const graph::Graph &graph = r.c.builder.graph();
  const graph::OpId def = graph.value(yielded).def;
  const std::string_view name =
      def == graph::kNone ? std::string_view() : ops::op_def(graph.op(def).code).name;
  for (const sharding::Reduction of : {sum, max, min, prod, land, lor, lxor})
    if (def != graph::kNone && name == ops::combiner_op(of) && graph.op(def).num_operands == 2) {
      const ValueId a = graph.operands(def)[0], b = graph.operands(def)[1];
      if (a != out && b != out)
        continue;
      kind = of;
      folded = a == out ? b : a;
      return true;
    }
  return r.unsupported(op.at,
                       "linalg.generic that reduces with another body than adding to the element of outs, or "
                       "multiplying, maximum, minimum, and, or, xor");
}

// The body at its '{', behind which its block may have a header.
bool read_body(Reader &r, OpText &op) {
  Generic g;
  std::vector<Argument> arguments;
  if (!read_loops(r, op, g) || !r.s.expect('{', "before the body of linalg.generic"))
    return false;
  if (r.s.accept('^') && (r.s.suffix().empty() || !r.read_block_arguments(arguments, false) ||
                          !r.s.expect(':', "after the header of a block")))
    return false;
  if (arguments.size() != op.operands.size())
    return r.s.fail("TW-110", op.at,
                    fmt::format("the body of linalg.generic takes {} numbers of {} operands",
                                arguments.size(), op.operands.size()));
  Implied implied(r.c, op);
  op.folded[0].clear();
  if (is_contraction(op, g) && take_multiply_add(r, arguments)) {
    ValueId made = graph::kNone;
    if (!contract(r, op, g, implied, made))
      return false;
    op.folded[0].push_back(made);
    return true;
  }
  const size_t mark = r.scope->mark();
  std::vector<ValueId> lifted;
  for (size_t i = 0; i < arguments.size(); ++i) {
    lifted.push_back(lift(implied, op.operands[i], g.maps[i], g.sizes));
    if (!implied.ok() || !r.define(arguments[i], {&lifted[i], 1}))
      return false;
  }
  const graph::Shape around = r.c.types.set_elements(g.sizes);
  const bool read = r.read_block() && r.s.expect('}', "after the body of linalg.generic");
  r.c.types.set_elements(around);
  if (!read)
    return false;
  r.scope->rewind(mark);
  const std::vector<ValueId> yields = r.yields;
  const std::vector<int64_t> reduced = g.reduced();
  std::vector<int64_t> loops = numbers(0, std::ssize(g.sizes));
  std::erase_if(loops, [&](int64_t loop) { return g.reduces[static_cast<size_t>(loop)]; });
  const size_t ins = arguments.size() - yields.size();
  for (size_t i = 0; i < yields.size(); ++i) {
    ValueId v = yields[i], folded = v;
    sharding::Reduction kind{};
    if (!reduced.empty() && (!find_fold(r, op, lifted[ins + i], v, kind, folded) ||
                             !reduce(r, op, implied, kind, reduced, folded)))
      return false;
    folded = lay_out(implied, folded, loops, g.maps[ins + i]);
    if (!reduced.empty() && implied.ok())
      folded = combine(r, implied, kind, op.operands[ins + i], folded);
    if (!implied.ok())
      return false;
    op.folded[0].push_back(folded);
  }
  return true;
}

} // namespace

// linalg.generic {indexing_maps = [..], iterator_types = [..]} ins(..) outs(..) { ^bb0(%a: f32, ..): .. } ->
// T
bool form_generic(Reader &r, OpText &op) {
  if (op.generic)
    return r.read_generic(op, read_body);
  int64_t ins = 0, outs = 0;
  if (!r.read_attr_dict(op) || !read_group(r, op, "ins", ins) || !read_group(r, op, "outs", outs))
    return false;
  if (r.s.accept("attrs") && (!r.s.expect('=', "after attrs") || !r.read_attr_dict(op)))
    return false;
  return r.emitter.check_operand_types(op) && read_body(r, op) && read_results(r, op, outs);
}

// The form has done it all.
bool lower_generic(Reader &r, OpText &op) {
  std::vector<ValueId> results;
  for (const int64_t v : op.folded[0])
    results.push_back(static_cast<ValueId>(v));
  return r.emitter.check_operand_types(op) && bind_local(r, op, results);
}

// linalg.index 1 : index
bool form_index(Reader &r, OpText &op) {
  int64_t loop = 0;
  const char *at = r.s.here();
  if (!r.s.integer(loop) || !r.read_attr_dict(op) || !r.s.expect(':', "before the type of an op"))
    return false;
  op.lists[0].assign(1, loop);
  op.attrs.push_back({"dim", std::string_view(at, 1), &op.lists[0]});
  return r.c.types.parse(op.result_types.emplace_back());
}

bool lower_index(Reader &r, OpText &op) {
  int64_t loop = 0;
  const AttrText *attr = op.find_attr("dim");
  const graph::Shape sizes = r.c.types.elements();
  if (attr != nullptr && attr->ints != nullptr)
    loop = (*attr->ints)[0];
  else if (!r.read_attr(op, "dim", loop))
    return false;
  if (loop < 0 || loop >= std::ssize(sizes))
    return r.s.fail("TW-105", op.at,
                    fmt::format("linalg.index {}: there are {} loops around it", loop, sizes.size()));
  Implied implied(r.c, op);
  const ValueId made =
      implied.add("stablehlo.iota", {}, {{"iota_dimension", loop}}, TensorType{graph::DType::s64, sizes});
  return implied.ok() && bind_local(r, op, {&made, 1});
}

// linalg.yield %a, %b : f32, f32
bool form_yield(Reader &r, OpText &op) {
  return r.read_operands(op) && r.read_attr_dict(op) &&
         (op.operands.empty() ||
          (r.s.expect(':', "before the types of linalg.yield") && r.c.types.parse_list(op.operand_types)));
}

// A number from around the body is that number everywhere.
bool lower_yield(Reader &r, OpText &op) {
  Implied implied(r.c, op);
  const graph::Shape sizes = r.c.types.elements();
  for (ValueId &v : op.operands)
    if (r.c.type_of(v).rank() == 0 && !sizes.empty())
      v = implied.broadcast(v, {}, sizes);
  if (!implied.ok() || !r.emitter.check_operand_types(op) || !r.bind_results(op, {}))
    return false;
  r.yields = op.operands;
  r.yields_at = op.operand_at;
  r.ended = true;
  return true;
}

} // namespace tw::import::linalg
