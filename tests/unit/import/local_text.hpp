// SPDX-License-Identifier: Apache-2.0
// The code of one device as it is written line by line: grid, values with what every device holds of them,
// and what the clauses of ops say.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grid_devices.hpp"
#include "support/random_program.hpp"

namespace tw::test {

inline std::string list(const Ints &numbers) { return fmt::format("[{}]", fmt::join(numbers, ", ")); }
inline std::string lists(const std::vector<Ints> &all) {
  std::vector<std::string> texts;
  for (const Ints &one : all)
    texts.push_back(list(one));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}
inline std::string array_attr(const char *type, const Ints &numbers) {
  return numbers.empty() ? fmt::format("array<{}>", type)
                         : fmt::format("array<{}: {}>", type, fmt::join(numbers, ", "));
}

struct Reduction {
  const char *name;
  Fold function;
};
inline const std::vector<Reduction> &reductions() {
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

class LocalText {
public:
  const Devices &devices() const { return devices_; }
  const std::vector<Value> &values() const { return values_; }
  size_t arguments() const { return arguments_; }

protected:
  LocalText(Dice &random, std::map<std::string, int> &kinds) : random_(random), kinds_(kinds) {
    const int64_t rank = random.between(1, 4);
    do {
      devices_.sizes.clear();
      for (int64_t i = 0; i < rank; ++i)
        devices_.sizes.push_back(random.between(1, rank == 1 ? 24 : 4));
    } while (devices_.count() > 24);
  }

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
    for (TextPiece &piece : made.pieces)
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

  TextPiece reduced(const Pieces &members, const Reduction &kind, bool wide) const {
    TextPiece all = fold(members, [&](int64_t a, int64_t b) { return wrap(kind.function(a, b), wide); });
    if (std::string_view(kind.name) == "average")
      for (int64_t &x : all.at)
        x /= n_;
    return all;
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

} // namespace tw::test
