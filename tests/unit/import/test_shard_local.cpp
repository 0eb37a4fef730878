// SPDX-License-Identifier: Apache-2.0
// Programs of the shard dialect that are the code of one device: random ones of all its collectives, on grids
// of 1 to 24 devices, give on every device what the definitions say. 5,000 programs, or as many as
// TW_SHARD_PROGRAMS says, from the seed TW_SEED; one in 16 is also partitioned over its grid and run on
// simulated devices. Longer than other files: all collectives share one simulation.
#include <cstring>
#include <map>
#include <string>

#include <doctest/doctest.h>

#include "grid_devices.hpp"
#include "ops/evaluate.hpp"
#include "planned_text.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"

using namespace tw;
using namespace tw::test;

namespace {

constexpr int64_t kMostElements = 600; // of one device's array

std::string list(const Ints &numbers) { return fmt::format("[{}]", fmt::join(numbers, ", ")); }
std::string lists(const std::vector<Ints> &all) {
  std::vector<std::string> texts;
  for (const Ints &one : all)
    texts.push_back(list(one));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}
std::string array_attr(const char *type, const Ints &numbers) {
  return numbers.empty() ? fmt::format("array<{}>", type)
                         : fmt::format("array<{}: {}>", type, fmt::join(numbers, ", "));
}

struct Reduction {
  const char *name;
  Fold function;
};
const std::vector<Reduction> &reductions() {
  static const std::vector<Reduction> all = {{"sum", [](int64_t a, int64_t b) { return a + b; }},
                                             {"max", [](int64_t a, int64_t b) { return std::max(a, b); }},
                                             {"min", [](int64_t a, int64_t b) { return std::min(a, b); }},
                                             {"product",
                                              [](int64_t a, int64_t b) {
                                                return static_cast<int64_t>(static_cast<uint64_t>(a) *
                                                                            static_cast<uint64_t>(b));
                                              }},
                                             {"bitwise_and", [](int64_t a, int64_t b) { return a & b; }},
                                             {"bitwise_or", [](int64_t a, int64_t b) { return a | b; }},
                                             {"bitwise_xor", [](int64_t a, int64_t b) { return a ^ b; }},
                                             {"average", [](int64_t a, int64_t b) { return a + b; }}};
  return all;
}

// A value of the program: its name, its type, and what each device holds.
struct Value {
  std::string name;
  bool wide = false; // i64, else i32
  Pieces pieces;

  std::string type() const {
    std::string dims;
    for (const int64_t n : pieces[0].dims)
      dims += fmt::format("{}x", n);
    return fmt::format("tensor<{}{}>", dims, wide ? "i64" : "i32");
  }
};

// Writes a random program, and does what it says.
class Writer {
public:
  Writer(Dice &random, std::map<std::string, int> &kinds) : random_(random), kinds_(kinds) {
    const int64_t rank = random.between(1, 4);
    do {
      devices_.sizes.clear();
      for (int64_t i = 0; i < rank; ++i)
        devices_.sizes.push_back(random.between(1, rank == 1 ? 24 : 4));
    } while (devices_.count() > 24);
  }

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

  const Devices &devices() const { return devices_; }
  const std::vector<Value> &values() const { return values_; }
  size_t arguments() const { return arguments_; }

private:
  Value make_argument(int64_t i) {
    Ints dims;
    for (int64_t d = 0, rank = random_.between(1, 3); d < rank; ++d)
      dims.push_back(random_.pick(Ints{1, 2, 3, 4, 6, 8, 12}));
    while (product(dims) > 100)
      *std::ranges::max_element(dims) = 2;
    Value v{fmt::format("%arg{}", i), false, {}};
    for (int64_t d = 0; d < devices_.count(); ++d)
      v.pieces.push_back(make_piece(dims, [&](const Ints &) { return random_.between(-40, 40); }));
    ++arguments_;
    return v;
  }

  Ints random_axes() {
    Ints axes;
    for (int64_t axis = 0; axis < std::ssize(devices_.sizes); ++axis)
      if (!random_.chance(3))
        axes.push_back(axis);
    std::ranges::shuffle(axes, random_.engine());
    return axes;
  }

  std::string axes_clause() {
    return axes_.empty() && random_.chance(2) ? "" : fmt::format("grid_axes = {} ", list(axes_));
  }

  const Value &pick() { return values_[static_cast<size_t>(random_.below(std::ssize(values_)))]; }

  static int64_t wrap(int64_t x, bool wide) {
    return wide ? x : static_cast<int32_t>(static_cast<uint64_t>(x));
  }

  // The line of an op, `clauses` without their types, in the pretty form or in the generic one.
  struct Said {
    std::string pretty;                  // behind the operand
    std::vector<std::string> attributes; // of the generic form
    std::vector<std::string> operands;   // behind the array: of type index
    bool function_type = false;
  };
  void say(const std::string &op, const Value &of, Value made, const Said &said) {
    made.name = fmt::format("%{}", next_++);
    for (Piece &piece : made.pieces)
      for (int64_t &x : piece.at)
        x = wrap(x, made.wide);
    std::string types = of.type();
    for (size_t i = 0; i < said.operands.size(); ++i)
      types += ", index";
    if (random_.chance(3)) {
      std::vector<std::string> operands{of.name},
          attributes{"grid = @g", fmt::format("grid_axes = {}", array_attr("i16", axes_))};
      operands.insert(operands.end(), said.operands.begin(), said.operands.end());
      attributes.insert(attributes.end(), said.attributes.begin(), said.attributes.end());
      body_ += fmt::format("  {} = \"shard.{}\"({}) <{{{}}}> : ({}) -> {}\n", made.name, op,
                           fmt::join(operands, ", "), fmt::join(attributes, ", "), types, made.type());
    } else {
      body_ +=
          fmt::format("  {} = shard.{} {} on @g {}{} : {} -> {}\n", made.name, op, of.name, axes_clause(),
                      said.pretty, said.function_type ? fmt::format("({})", types) : types, made.type());
    }
    ++kinds_[op];
    values_.push_back(std::move(made));
  }

  // A coordinate of a root, of a destination: a number, a constant, or an index of devices outside the group.
  std::string constant(int64_t number) {
    const std::string name = fmt::format("%c{}", next_++);
    body_ += fmt::format("  {} = arith.constant {} : index\n", name, number);
    return name;
  }

  // Coordinates over the axes, the same for all members of a group; of each device.
  std::vector<Ints> random_root(std::string_view key, Said &said) {
    std::vector<Ints> roots(static_cast<size_t>(devices_.count()));
    std::vector<std::string> texts;
    Ints numbers;
    for (const int64_t axis : axes_) {
      const int64_t size = devices_.sizes[static_cast<size_t>(axis)];
      int64_t number = random_.below(size);
      Ints of_devices(roots.size(), number);
      std::string text = std::to_string(number);
      const int64_t other = random_.below(std::ssize(devices_.sizes));
      if (random_.chance(3)) {
        text = constant(number);
      } else if (random_.chance(3) && std::ranges::find(axes_, other) == axes_.end()) {
        const std::string index = fmt::format("%i{}", next_++), most = constant(size);
        text = fmt::format("%r{}", next_++);
        body_ += fmt::format("  {} = shard.process_multi_index on @g axes = [{}] : index\n", index, other);
        body_ += fmt::format("  {} = arith.remui {}, {} : index\n", text, index, most);
        for (size_t d = 0; d < roots.size(); ++d)
          of_devices[d] = devices_.coordinates(static_cast<int64_t>(d))[static_cast<size_t>(other)] % size;
      }
      const bool is_operand = text[0] == '%';
      numbers.push_back(is_operand ? INT64_MIN : number);
      if (is_operand)
        said.operands.push_back(text);
      texts.push_back(text);
      for (size_t d = 0; d < roots.size(); ++d)
        roots[d].push_back(of_devices[d]);
    }
    said.pretty += fmt::format("{} = [{}] ", key, fmt::join(texts, ", "));
    said.attributes.push_back(fmt::format("{} = {}", key, array_attr("i64", numbers)));
    said.function_type = true;
    return roots;
  }
  bool is_root(int64_t device, const std::vector<Ints> &roots) const {
    return root_of(device, roots) == device;
  }
  int64_t root_of(int64_t device, const std::vector<Ints> &roots) const {
    return devices_.member(device, axes_, roots[static_cast<size_t>(device)]);
  }

  void number_clause(Said &said, std::string_view key, int64_t number, const char *type = "index") {
    said.pretty += fmt::format("{} = {} ", key, number);
    said.attributes.push_back(fmt::format("{} = {} : {}", key, number, type));
  }

  bool add_op() {
    axes_ = random_axes();
    const Value of = pick();
    n_ = devices_.group_size(axes_);
    const auto dim = static_cast<size_t>(random_.below(std::ssize(of.pieces[0].dims)));
    switch (random_.below(12)) {
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
          const Piece all = join_parts(members, dim);
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
                 for (const Piece &member : members)
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

  const Reduction &say_reduction(Said &said) {
    const Reduction &kind = random_.pick(reductions());
    if (std::string_view(kind.name) == "sum" && random_.chance(2))
      return kind; // where nothing is said
    const char *forms[] = {"<{}>", "{}", "#shard.partial<{}>", "#shard<partial {}>"};
    said.pretty +=
        fmt::format("reduction = {} ", fmt::format(fmt::runtime(forms[random_.below(4)]), kind.name));
    said.attributes.push_back(fmt::format("reduction = #shard<partial {}>", kind.name));
    return kind;
  }

  Piece reduced(const Pieces &members, const Reduction &kind, bool wide) const {
    Piece all = fold(members, [&](int64_t a, int64_t b) { return wrap(kind.function(a, b), wide); });
    if (std::string_view(kind.name) == "average")
      for (int64_t &x : all.at)
        x /= n_;
    return all;
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

  Dice &random_;
  std::map<std::string, int> &kinds_;
  Devices devices_;
  std::vector<Value> values_;
  std::string body_;
  Ints axes_; // of the op at hand
  int64_t n_ = 1;
  size_t arguments_ = 0;
  int next_ = 0;
};

// All devices' arrays as one, with the dimensions of the grid in front.
ops::Array stacked(const Devices &devices, const Value &v) {
  graph::TensorType type{v.wide ? graph::DType::s64 : graph::DType::s32, {}};
  type.dims.insert(type.dims.end(), devices.sizes.begin(), devices.sizes.end());
  type.dims.insert(type.dims.end(), v.pieces[0].dims.begin(), v.pieces[0].dims.end());
  ops::Array array{type, {}};
  for (const Piece &piece : v.pieces)
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
  const uint64_t seed = number_of("TW_SEED", 1), rounds = number_of("TW_SHARD_PROGRAMS", 5000);
  std::map<std::string, int> kinds;
  for (uint64_t round = 0; round < rounds; ++round) {
    Dice random(seed + round);
    Writer writer(random, kinds);
    const std::string text = writer.write();
    CAPTURE(seed + round); // again with TW_SEED=.. TW_SHARD_PROGRAMS=1
    CAPTURE(text);
    const import::Imported imported = imported_text(text);
    std::vector<ops::Array> arguments;
    for (size_t i = 0; i < writer.arguments(); ++i)
      arguments.push_back(stacked(writer.devices(), writer.values()[i]));
    const ops::Array wanted = stacked(writer.devices(), writer.values().back());
    const auto got = ops::evaluate(*imported.graph, arguments);
    REQUIRE_MESSAGE(got.has_value(), got.error().message());
    REQUIRE((*got)[0].type == wanted.type);
    REQUIRE((*got)[0].bytes == wanted.bytes);
    if (round % 16 != 0)
      continue;
    const auto program = planned(imported);
    REQUIRE(program->mesh().num_devices() == writer.devices().count());
    REQUIRE(run_on_devices(*program, arguments)[0].bytes == wanted.bytes);
  }
  CHECK(kinds.size() == 12);
  for (const auto &kind : kinds) {
    CAPTURE(kind.first);
    CHECK(kind.second * 40 >= static_cast<int>(rounds));
  }
}
