// SPDX-License-Identifier: Apache-2.0
// Programs of the shard dialect that are the code of one device: random ones of all its collectives, on grids
// of 1 to 24 devices, give on every device what the definitions say. 5,000 programs, or as many as
// TW_SHARD_PROGRAMS says, from the seed TW_SEED; one in 4 is also partitioned over its grid and run on
// simulated devices, as it is and with its collectives made fewer. Longer than other files: all collectives
// share one simulation.
#include <cstring>
#include <map>
#include <string>

#include <doctest/doctest.h>

#include "kernels/ref/evaluate.hpp"
#include "local_text.hpp"
#include "planned_text.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"

namespace tw::import_test_shard_local {

using namespace tw::test;

namespace {

constexpr int64_t kMostElements = 600; // of one device's array

// Writes a random program, and does what it says.
class Writer : public LocalText {
public:
  Writer(Dice &random, std::map<std::string, int> &kinds) : LocalText(random, kinds) {}

  std::string write() {
    std::string arguments;
    for (int64_t i = 0, n = random_.between(1, 2); i < n; ++i) {
      values_.push_back(make_argument(i));
      arguments += fmt::format("{}{}: {}", i == 0 ? "" : ", ", values_.back().name, values_.back().type());
    }
    for (int64_t i = 0, n = random_.between(1, 5); i < n; ++i)
      while (!add_op()) {
      }
    const Value &result = values_.back();
    std::vector<std::string> sizes;
    for (const int64_t n : devices_.sizes)
      sizes.push_back(std::to_string(n));
    return fmt::format("shard.grid @g(shape = {})\nfunc.func @main({}) -> {} {{\n{}  return {} : {}\n}}\n",
                       fmt::join(sizes, "x"), arguments, result.type(), body_, result.name, result.type());
  }

private:
  bool add_op() {
    axes_ = random_axes();
    const Value of = pick();
    n_ = devices_.group_size(axes_);
    const auto dim = static_cast<size_t>(random_.below(std::ssize(of.pieces[0].dims)));
    switch (random_.below(14)) {
    case 0: return all_gather(of, dim, false);
    case 1: return all_gather(of, dim, true);
    case 2: return all_slice(of, dim);
    case 3: return all_to_all(of, dim);
    case 4: return broadcast(of);
    case 5: return reduce(of, false);
    case 6: return reduce(of, true);
    case 7: return reduce_scatter(of, dim);
    case 8: return scatter(of, dim);
    case 9: return shift(of);
    case 10: return send_and_receive(of);
    case 11: return send_in_branch(of);
    case 12: return combine_reductions(of, dim);
    default: return update_halo(of);
    }
  }

  bool all_gather(const Value &of, size_t dim, bool to_root) {
    if (product(of.pieces[0].dims) * n_ > kMostElements)
      return false;
    Said said;
    number_clause(said, "gather_axis", static_cast<int64_t>(dim));
    const std::vector<Ints> roots = to_root ? random_root("root", said) : std::vector<Ints>();
    Value made{
        {},
        of.wide,
        for_each_device(devices_, of.pieces, axes_, [&](const Pieces &members, int64_t, int64_t device) {
          const TextPiece all = join_parts(members, dim);
          return !to_root || is_root(device, roots) ? all : zeros_of(all.dims);
        })};
    return say(to_root ? "gather" : "all_gather", of, std::move(made), said), true;
  }

  bool all_slice(const Value &of, size_t dim) {
    if (of.pieces[0].dims[dim] % n_ != 0)
      return false;
    Said said;
    number_clause(said, "slice_axis", static_cast<int64_t>(dim));
    Value made{{},
               of.wide,
               for_each_device(devices_, of.pieces, axes_, [&](const Pieces &members, int64_t i, int64_t) {
                 return part_of(members[static_cast<size_t>(i)], dim, i, n_);
               })};
    return say("all_slice", of, std::move(made), said), true;
  }

  bool all_to_all(const Value &of, size_t dim) {
    const auto other = static_cast<size_t>(random_.below(std::ssize(of.pieces[0].dims)));
    if (of.pieces[0].dims[dim] % n_ != 0)
      return false;
    Said said;
    number_clause(said, "split_axis", static_cast<int64_t>(dim));
    number_clause(said, "concat_axis", static_cast<int64_t>(other));
    Value made{{},
               of.wide,
               for_each_device(devices_, of.pieces, axes_, [&](const Pieces &members, int64_t i, int64_t) {
                 Pieces parts;
                 for (const TextPiece &member : members)
                   parts.push_back(part_of(member, dim, i, n_));
                 return join_parts(parts, other);
               })};
    return say("all_to_all", of, std::move(made), said), true;
  }

  bool broadcast(const Value &of) {
    Said said;
    const std::vector<Ints> roots = random_root("root", said);
    Value made{{}, of.wide, {}};
    for (int64_t d = 0; d < devices_.count(); ++d)
      made.pieces.push_back(of.pieces[static_cast<size_t>(root_of(d, roots))]);
    return say("broadcast", of, std::move(made), said), true;
  }

  bool reduce(const Value &of, bool to_root) {
    Said said;
    const bool wide = of.wide || random_.chance(3);
    const Reduction &kind = say_reduction(said);
    const std::vector<Ints> roots = to_root ? random_root("root", said) : std::vector<Ints>();
    Value made{
        {},
        wide,
        for_each_device(devices_, of.pieces, axes_, [&](const Pieces &members, int64_t, int64_t device) {
          return !to_root || is_root(device, roots) ? reduced(members, kind, wide)
                                                    : zeros_of(members[0].dims);
        })};
    return say(to_root ? "reduce" : "all_reduce", of, std::move(made), said), true;
  }

  // Two reductions whose results are combined, nearly always as they were, and perhaps sliced: what simplify
  // makes fewer.
  bool combine_reductions(const Value &of, size_t dim) {
    struct Way {
      const char *kind, *op, *by;
    };
    // The op, and the reduction that does the same.
    static const std::vector<Way> ways = {{"sum", "add", "sum"},
                                          {"max", "maximum", "max"},
                                          {"product", "multiply", "product"},
                                          {"bitwise_xor", "xor", "bitwise_xor"},
                                          {"min", "add", "sum"}};
    std::vector<Value> others;
    for (const Value &v : values_)
      if (v.type() == of.type())
        others.push_back(v);
    const Value other = random_.pick(others);
    const Way way = random_.pick(ways);
    const Reduction &reduction = reduction_of(way.kind), &combination = reduction_of(way.by);
    for (const Value &v : {of, other}) {
      Value made{
          {}, of.wide, for_each_device(devices_, v.pieces, axes_, [&](const Pieces &all, int64_t, int64_t) {
            return reduced(all, reduction, of.wide);
          })};
      Said said;
      said.pretty = fmt::format("reduction = {} ", way.kind);
      said.attributes.push_back(fmt::format("reduction = #shard<partial {}>", way.kind));
      say("all_reduce", v, std::move(made), said);
    }
    const Value &a = values_[values_.size() - 2], &b = values_.back();
    Value made{fmt::format("%{}", next_++), of.wide, a.pieces};
    for (size_t d = 0; d < made.pieces.size(); ++d)
      for (size_t i = 0; i < made.pieces[d].at.size(); ++i)
        made.pieces[d].at[i] = wrap(combination.function(made.pieces[d].at[i], b.pieces[d].at[i]), of.wide);
    body_ += fmt::format("  {} = stablehlo.{} {}, {} : {}\n", made.name, way.op, a.name, b.name, of.type());
    ++kinds_["two reductions"];
    values_.push_back(std::move(made));
    if (random_.chance(2))
      all_slice(Value(values_.back()), dim);
    return true;
  }
  static const Reduction &reduction_of(std::string_view name) {
    return *std::ranges::find(reductions(), name,
                              [](const Reduction &r) { return std::string_view(r.name); });
  }

  bool reduce_scatter(const Value &of, size_t dim) {
    if (of.pieces[0].dims[dim] % n_ != 0)
      return false;
    Said said;
    const bool wide = of.wide || random_.chance(3);
    const Reduction &kind = say_reduction(said);
    number_clause(said, "scatter_axis", static_cast<int64_t>(dim));
    Value made{
        {}, wide, for_each_device(devices_, of.pieces, axes_, [&](const Pieces &members, int64_t i, int64_t) {
          return part_of(reduced(members, kind, wide), dim, i, n_);
        })};
    return say("reduce_scatter", of, std::move(made), said), true;
  }

  bool scatter(const Value &of, size_t dim) {
    if (of.pieces[0].dims[dim] % n_ != 0)
      return false;
    Said said;
    number_clause(said, "scatter_axis", static_cast<int64_t>(dim));
    const std::vector<Ints> roots = random_root("root", said);
    Value made{{}, of.wide, {}};
    for (int64_t d = 0; d < devices_.count(); ++d)
      made.pieces.push_back(part_of(of.pieces[static_cast<size_t>(root_of(d, roots))], dim,
                                    devices_.number_in_group(d, axes_), n_));
    return say("scatter", of, std::move(made), said), true;
  }

  bool shift(const Value &of) {
    if (axes_.empty())
      return false;
    Said said;
    const int64_t axis = random_.pick(axes_), offset = random_.between(-5, 5),
                  size = devices_.sizes[static_cast<size_t>(axis)];
    const bool rotates = random_.chance(2);
    number_clause(said, "shift_axis", axis);
    number_clause(said, "offset", offset, "i64");
    if (rotates) {
      said.pretty += "rotate ";
      said.attributes.emplace_back("rotate");
    }
    Value made{{}, of.wide, {}};
    for (int64_t d = 0; d < devices_.count(); ++d) {
      Ints from = devices_.coordinates(d);
      int64_t &at = from[static_cast<size_t>(axis)];
      at += offset;
      if (rotates)
        at = (at % size + size) % size;
      made.pieces.push_back(at < 0 || at >= size ? zeros_of(of.pieces[0].dims)
                                                 : of.pieces[static_cast<size_t>(devices_.number(from))]);
    }
    return say("shift", of, std::move(made), said), true;
  }

  // Along one axis every device sends to the one some places on, around the end; perhaps two messages, in
  // order.
  bool send_and_receive(const Value &of) {
    const int64_t axis = random_.below(std::ssize(devices_.sizes)),
                  size = devices_.sizes[static_cast<size_t>(axis)], step = random_.below(size);
    axes_ = {axis};
    const std::string index = fmt::format("%i{}", next_++), to = fmt::format("%t{}", next_++),
                      from = fmt::format("%f{}", next_++), far = fmt::format("%n{}", next_++),
                      back = fmt::format("%b{}", next_++), sent = fmt::format("%s{}", next_++);
    const std::string forward = constant(step), backward = constant(size - step), most = constant(size);
    body_ += fmt::format("  {} = shard.process_multi_index on @g axes = [{}] : index\n", index, axis);
    body_ += fmt::format("  {0} = arith.addi {1}, {2} : index\n  {3} = arith.remsi {0}, {4} : index\n", far,
                         index, forward, to, most);
    body_ += fmt::format("  {0} = arith.addi {1}, {2} : index\n  {3} = arith.remsi {0}, {4} : index\n", back,
                         index, backward, from, most);
    const Value other = pick();
    const bool twice = random_.chance(3) && other.type() == of.type();
    body_ +=
        fmt::format("  {} = shard.send {} on @g grid_axes = [{}] destination = [{}] : ({}, index) -> {}\n",
                    sent, of.name, axis, to, of.type(), of.type());
    if (twice)
      body_ += fmt::format(
          "  %s{} = shard.send {} on @g grid_axes = [{}] destination = [{}] : ({}, index) -> {}\n", next_++,
          other.name, axis, to, of.type(), of.type());
    for (const Value *one : {&of, &other}) {
      if (one == &other && !twice)
        continue;
      Value made{fmt::format("%{}", next_++), of.wide, {}};
      for (int64_t d = 0; d < devices_.count(); ++d) {
        Ints at = devices_.coordinates(d);
        at[static_cast<size_t>(axis)] = (at[static_cast<size_t>(axis)] + size - step) % size;
        made.pieces.push_back(one->pieces[static_cast<size_t>(devices_.number(at))]);
      }
      const bool says_source = twice || random_.chance(2);
      body_ += fmt::format("  {} = shard.recv {} on @g grid_axes = [{}] {}: ({}{}) -> {}\n", made.name,
                           of.name, axis, says_source ? fmt::format("source = [{}] ", from) : "", of.type(),
                           says_source ? ", index" : "", of.type());
      values_.push_back(std::move(made));
    }
    ++kinds_["send"];
    return true;
  }

  // In branches, one device of each group sends, and one receives; others keep what they have.
  bool send_in_branch(const Value &of) {
    const int64_t axis = random_.below(std::ssize(devices_.sizes)),
                  size = devices_.sizes[static_cast<size_t>(axis)];
    if (size == 1)
      return false;
    const int64_t from = random_.below(size), to = (from + random_.between(1, size - 1)) % size;
    const std::string type = of.type(), index = fmt::format("%i{}", next_++);
    body_ += fmt::format("  {} = shard.process_multi_index on @g axes = [{}] : index\n", index, axis);
    const auto is_at = [&](int64_t place) {
      const std::string number = constant(place), name = fmt::format("%p{}", next_++);
      body_ += fmt::format("  {} = arith.cmpi eq, {}, {} : index\n", name, index, number);
      return name;
    };
    const std::string sends = is_at(from), receives = is_at(to);
    const auto branch = [&](const std::string &name, const std::string &decision, const std::string &yes,
                            const std::string &no) {
      return fmt::format("  {0} = \"stablehlo.if\"({1}) ({{\n{2}}}, {{\n{3}}}) : (i1) -> {4}\n", name,
                         decision, yes, no, type);
    };
    const auto give = [&](const std::string &name) {
      return fmt::format("  stablehlo.return {} : {}\n", name, type);
    };
    const auto message = [&](const char *op, const char *key, int64_t partner) {
      const std::string name = fmt::format("%m{}", next_++);
      return fmt::format("  {0} = shard.{1} {2} on @g grid_axes = [{3}] {4} = [{5}] : ({6}) -> {6}\n{7}",
                         name, op, of.name, axis, key, partner, type, give(name));
    };
    const std::string inner = fmt::format("%b{}", next_++), outer = fmt::format("%{}", next_++),
                      send = message("send", "destination", to), receive = message("recv", "source", from);
    body_ += random_.chance(2)
                 ? branch(outer, sends, send, branch(inner, receives, receive, give(of.name)) + give(inner))
                 : branch(outer, receives, receive, branch(inner, sends, send, give(of.name)) + give(inner));
    Value made{outer, of.wide, of.pieces};
    for (int64_t d = 0; d < devices_.count(); ++d) {
      Ints at = devices_.coordinates(d);
      if (at[static_cast<size_t>(axis)] != to)
        continue;
      at[static_cast<size_t>(axis)] = from;
      made.pieces[static_cast<size_t>(d)] = of.pieces[static_cast<size_t>(devices_.number(at))];
    }
    ++kinds_["send in a branch"];
    values_.push_back(std::move(made));
    return true;
  }

  bool update_halo(const Value &of) {
    std::vector<Ints> split;
    Ints halos, all = random_axes();
    const Ints &dims = of.pieces[0].dims;
    for (const int64_t n : dims) {
      Ints &axes = split.emplace_back();
      while (!all.empty() && random_.chance(2)) {
        axes.push_back(all.back());
        all.pop_back();
      }
      if (axes.empty())
        continue;
      const int64_t before = random_.below(std::min<int64_t>(n, 4)),
                    after = random_.below(std::min<int64_t>(n - before, 4));
      halos.push_back(before);
      halos.push_back(after);
    }
    Value made{fmt::format("%{}", next_++), of.wide, {}};
    for (int64_t d = 0; d < devices_.count(); ++d)
      made.pieces.push_back(with_halo(devices_, of.pieces, d, split, halos));
    const std::string sizes = halos.empty() ? "" : fmt::format("halo_sizes = {} ", list(halos));
    if (random_.chance(3))
      body_ += fmt::format("  {} = \"shard.update_halo\"({}) <{{grid = @g, split_axes = #shard<axisarray{}>, "
                           "static_halo_sizes = "
                           "{}}}> : ({}) -> {}\n",
                           made.name, of.name, lists(split), array_attr("i64", halos), of.type(), of.type());
    else
      body_ += fmt::format("  {} = shard.update_halo {} on @g split_axes = {} {}: {}\n", made.name, of.name,
                           lists(split), sizes, of.type());
    ++kinds_["update_halo"];
    values_.push_back(std::move(made));
    return true;
  }
};

// All devices' arrays as one, with the dimensions of the grid in front.
kernels::ref::Array stacked(const Devices &devices, const Value &v) {
  graph::TensorType type{v.wide ? graph::DType::s64 : graph::DType::s32, {}};
  type.dims.insert(type.dims.end(), devices.sizes.begin(), devices.sizes.end());
  type.dims.insert(type.dims.end(), v.pieces[0].dims.begin(), v.pieces[0].dims.end());
  kernels::ref::Array array{type, {}};
  for (const TextPiece &piece : v.pieces)
    for (const int64_t x : piece.at) {
      const auto narrow = static_cast<int32_t>(x);
      const auto *bytes =
          v.wide ? reinterpret_cast<const std::byte *>(&x) : reinterpret_cast<const std::byte *>(&narrow);
      array.bytes.insert(array.bytes.end(), bytes, bytes + (v.wide ? sizeof x : sizeof narrow));
    }
  return array;
}

} // namespace

TEST_CASE("programs of one device's code do on every device what the definitions say") {
  const uint64_t seed = number_of("TW_SEED", 1), rounds = number_of("TW_SHARD_PROGRAMS", slice_of(5000, 500));
  std::map<std::string, int> kinds;
  size_t simpler = 0;
  for (uint64_t round = 0; round < rounds; ++round) {
    Dice random(seed + round);
    Writer writer(random, kinds);
    const std::string text = writer.write();
    CAPTURE(seed + round); // again with TW_SEED=.. TW_SHARD_PROGRAMS=1
    CAPTURE(text);
    const import::Imported imported = imported_text(text);
    std::vector<kernels::ref::Array> arguments;
    for (size_t i = 0; i < writer.arguments(); ++i)
      arguments.push_back(stacked(writer.devices(), writer.values()[i]));
    const kernels::ref::Array wanted = stacked(writer.devices(), writer.values().back());
    const auto got = kernels::ref::evaluate(*imported.graph, arguments);
    REQUIRE_MESSAGE(got.has_value(), got.error().message());
    REQUIRE((*got)[0].type == wanted.type);
    REQUIRE((*got)[0].bytes == wanted.bytes);
    if (round % 4 != 0)
      continue;
    const auto program = planned(imported),
               plain = planned(imported, {.without = {"share_equal", "simplify"}});
    REQUIRE(program->mesh().num_devices() == writer.devices().count());
    REQUIRE(run_on_devices(*program, arguments)[0].bytes == wanted.bytes);
    REQUIRE(run_on_devices(*plain, arguments)[0].bytes == wanted.bytes);
    const spmd::Statistics now = spmd::find_statistics(*program), before = spmd::find_statistics(*plain);
    REQUIRE(now.bytes_received_max <= before.bytes_received_max);
    REQUIRE(now.bytes_received_mean <= before.bytes_received_mean);
    simpler += now.bytes_received_max < before.bytes_received_max;
  }
  MESSAGE(simpler << " programs receive less once simplified");
  CHECK((rounds < 500 || static_cast<uint64_t>(simpler) * 250 >= rounds));
  CHECK(kinds.size() == 14);
  for (const auto &kind : kinds) {
    CAPTURE(kind.first);
    CHECK(kind.second * 40 >= static_cast<int>(rounds));
  }
}

} // namespace tw::import_test_shard_local
