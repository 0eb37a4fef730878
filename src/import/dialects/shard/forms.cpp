// SPDX-License-Identifier: Apache-2.0
// The text of every op of the shard dialect: arrays, then clauses such as `on @grid`, `grid_axes = [0, 1]` or
// `root = [1, %a]`, then types. The generic form has the same as attributes and operands.
#include "import/dialects/shard/ops.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tw::import::shard {

using graph::TypeId;
using graph::ValueId;

namespace {

// The clauses of an op. In the generic form operands are the arrays, then those of the lists, in this order.
struct Row {
  std::string_view name;
  size_t arrays = 1;
  bool has_grid = true;
  std::string_view axes = {};     // the name of its list of axes
  std::string_view lists[2] = {}; // of numbers, some of which may be operands
  std::string_view numbers[2] = {};
  std::string_view flag = {};
  bool has_sharding = false, has_split_axes = false, reduces = false;
};
constexpr std::string_view kAxes = "grid_axes";
constexpr Row kRows[] = {
    {.name = "all_gather", .axes = kAxes, .numbers = {"gather_axis"}},
    {.name = "all_reduce", .axes = kAxes, .reduces = true},
    {.name = "all_slice", .axes = kAxes, .numbers = {"slice_axis"}},
    {.name = "all_to_all", .axes = kAxes, .numbers = {"split_axis", "concat_axis"}},
    {.name = "broadcast", .axes = kAxes, .lists = {"root"}},
    {.name = "gather", .axes = kAxes, .lists = {"root"}, .numbers = {"gather_axis"}},
    {.name = "get_sharding", .has_grid = false},
    {.name = "grid_shape", .arrays = 0, .axes = "axes"},
    {.name = "neighbors_linear_indices", .arrays = 0, .axes = "split_axes", .lists = {"device"}},
    {.name = "process_linear_index", .arrays = 0},
    {.name = "process_multi_index", .arrays = 0, .axes = "axes"},
    {.name = "recv", .axes = kAxes, .lists = {"source"}},
    {.name = "reduce", .axes = kAxes, .lists = {"root"}, .reduces = true},
    {.name = "reduce_scatter", .axes = kAxes, .numbers = {"scatter_axis"}, .reduces = true},
    {.name = "scatter", .axes = kAxes, .lists = {"root"}, .numbers = {"scatter_axis"}},
    {.name = "send", .axes = kAxes, .lists = {"destination"}},
    {.name = "shard", .has_grid = false, .flag = "annotate_for_users", .has_sharding = true},
    {.name = "shard_shape",
     .arrays = 0,
     .has_grid = false,
     .lists = {"dims", "device"},
     .has_sharding = true},
    {.name = "sharding",
     .arrays = 0,
     .lists = {"sharded_dims_offsets", "halo_sizes"},
     .has_split_axes = true},
    {.name = "shift", .axes = kAxes, .numbers = {"shift_axis", "offset"}, .flag = "rotate"},
    {.name = "update_halo", .lists = {"halo_sizes"}, .has_split_axes = true},
};

class Form {
public:
  Form(Reader &r, OpText &op, const Row &row, Clauses &clauses)
      : r_(r), s_(r.s), op_(op), row_(row), c_(clauses) {}

  bool read() { return (op_.generic ? read_generic() : read_pretty()) && complete(); }

private:
  bool fail(const char *at, std::string_view what) {
    return s_.fail("TW-118", at, fmt::format("{}: {}", op_.name, what));
  }

  // --- the pretty form ---
  bool read_pretty() {
    for (size_t i = 0; i < row_.arrays; ++i) {
      if (s_.peek() != '%')
        return s_.fail_here("an array such as %0", fmt::format("as operand of {}", op_.name));
      if (!r_.read_operand(op_))
        return false;
    }
    if (s_.peek() == '@' && !read_grid_name()) // grid_shape @g, sharding @g
      return false;
    while (is_word_start(s_.peek()))
      if (!read_clause())
        return false;
    return r_.read_attr_dict(op_) && read_types();
  }

  bool read_grid_name() {
    const char *at = s_.here();
    std::string_view name;
    if (!row_.has_grid || c_.grid != nullptr)
      return fail(at, row_.has_grid ? "a second grid" : "it takes no grid");
    c_.grid_at = at;
    return s_.symbol(name) && find_grid(r_, name, at, c_.grid);
  }

  bool read_clause() {
    const char *at = s_.here();
    const std::string_view key = s_.word();
    if (key == "on")
      return s_.peek() == '@' ? read_grid_name() && (s_.peek() != '[' || read_device())
                              : s_.fail_here("a grid such as @grid0", "after on");
    if (key == "to" && row_.has_sharding)
      return read_sharding();
    if (!row_.flag.empty() && key == row_.flag) {
      c_.flags.push_back(row_.flag);
      return true;
    }
    if (!s_.expect('=', fmt::format("after {} of {}", key, op_.name)))
      return false;
    if (key == "sharding" && row_.has_sharding)
      return read_sharding();
    if (std::ranges::find(row_.lists, key) != std::end(row_.lists))
      return read_list(key, at);
    std::string_view raw;
    return s_.skip_term(raw) && take(key, raw, at);
  }

  // @grid[%a, %b] of neighbors_linear_indices
  bool read_device() {
    const char *at = s_.here();
    return row_.lists[0] == "device" ? read_list("device", at) : s_.fail_here("a clause", "after the grid");
  }

  // [1, %a, 2]
  bool read_list(std::string_view key, const char *at) {
    if (c_.list(key) != nullptr)
      return fail(at, fmt::format("{} is said twice", key));
    Clauses::List list{key, at, {}, {}};
    if (!s_.expect('[', fmt::format("before the numbers of {}", key)))
      return false;
    if (!s_.accept(']')) {
      do {
        if (s_.peek() == '%') {
          if (!read_index(list))
            return false;
        } else if (!parse_static(s_, list.numbers.emplace_back())) {
          return false;
        }
      } while (s_.accept(','));
      if (!s_.expect(']', fmt::format("after the numbers of {}", key)))
        return false;
    }
    c_.lists.push_back(std::move(list));
    return true;
  }

  bool read_index(Clauses::List &list) {
    OpText one;
    if (!r_.read_operand(one))
      return false;
    if (one.operands.size() != 1)
      return fail(s_.here(), fmt::format("{} takes whole numbers", list.name));
    list.numbers.push_back(kOperand);
    list.operands.push_back(one.operands[0]);
    return check_index(list, one.operand_at[0]);
  }

  bool check_index(const Clauses::List &list, const char *at) {
    const graph::TensorType &type = r_.c.type_of(list.operands.back());
    return (type.rank() == 0 && graph::is_int(type.dtype)) ||
           fail(at, fmt::format("{} takes whole numbers, and this is {}", list.name, graph::to_text(type)));
  }

  // %sharding
  bool read_sharding() {
    const char *at = s_.here();
    bool is_sharding = false;
    if (!look_up_sharding(is_sharding))
      return false;
    return is_sharding || s_.fail("TW-116", at,
                                  "this is no sharding: a value of shard.sharding or "
                                  "shard.get_sharding is expected");
  }

  // Takes a name where it is a sharding's.
  bool look_up_sharding(bool &is_sharding) {
    const Cursor back = s_.cursor();
    const char *at = s_.here();
    if (!s_.accept('%'))
      return s_.fail_here("a value such as %0", {});
    const Scope::Entry *entry = r_.scope->find(s_.suffix());
    const auto known =
        entry == nullptr ? r_.grid_code.shardings.end() : r_.grid_code.shardings.find(entry->at);
    is_sharding = entry != nullptr && entry->count == 0 && known != r_.grid_code.shardings.end();
    if (!is_sharding) {
      s_.seek(back);
      return true;
    }
    if (!row_.has_sharding || c_.sharding != nullptr)
      return fail(at, "an array is expected here, and this is a sharding");
    c_.sharding = &known->second;
    return true;
  }

  // --- both forms: one attribute ---
  bool take(std::string_view key, std::string_view raw, const char *at) {
    if (!r_.c.attributes.resolve(raw))
      return false;
    if (!row_.axes.empty() && key == row_.axes) {
      if (c_.axes_at != nullptr)
        return fail(at, fmt::format("{} is said twice", key));
      c_.axes_at = at;
      return r_.c.attributes.read_ints(raw, c_.axes);
    }
    if (row_.has_split_axes && key == "split_axes") {
      c_.split_at = at;
      return read_axes_array(raw);
    }
    if (row_.reduces && key == "reduction") {
      c_.reduction = raw;
      return true;
    }
    if (std::ranges::find(row_.numbers, key) != std::end(row_.numbers) && !key.empty()) {
      if (c_.number(key) != nullptr)
        return fail(at, fmt::format("{} is said twice", key));
      c_.numbers.push_back({key, at, 0});
      return r_.c.attributes.read_int(raw, c_.numbers.back().value);
    }
    return fail(at, fmt::format("it has no {}", key));
  }

  // [[0, 1], []], whatever stands around it: #shard.axisarray<[[0]]>, #shard<axisarray[[0]]>
  bool read_axes_array(std::string_view raw) {
    const size_t open = raw.find('['), close = raw.rfind(']');
    if (open == std::string_view::npos || close == std::string_view::npos)
      return fail(raw.data(), "split_axes is a list of lists, such as [[0], [1, 2]]");
    const Cursor back = s_.cursor();
    s_.seek({raw.data() + open, back.line, raw.data()});
    const char *end = s_.set_end(raw.data() + close + 1);
    std::vector<std::string_view> items;
    const bool ok = parse_items(s_, items);
    s_.set_end(end);
    s_.seek(back);
    if (!ok)
      return false;
    for (const std::string_view item : items) {
      if (!item.starts_with('[') && !item.starts_with("array"))
        return fail(item.data(), "split_axes is a list of lists, such as [[0], [1, 2]]");
      if (!r_.c.attributes.read_ints(item, c_.split_axes.emplace_back()))
        return false;
    }
    return true;
  }

  // --- the generic form ---
  bool read_generic() {
    const char *at = s_.here();
    std::vector<const char *> operand_at;
    if (!s_.expect('(', "before the operands"))
      return false;
    if (!s_.accept(')')) {
      do {
        bool is_sharding = false;
        operand_at.push_back(s_.here());
        if (!look_up_sharding(is_sharding) || (!is_sharding && !r_.read_operand(op_)))
          return false;
      } while (s_.accept(','));
      if (!s_.expect(')', "after the operands"))
        return false;
    }
    if (s_.accept('<') && !(parse_dict(s_, op_.attrs) && s_.expect('>', "after properties")))
      return false;
    if (s_.peek() == '{' && !parse_dict(s_, op_.attrs))
      return false;
    if (!take_attributes() || !take_operands(at))
      return false;
    op_.attrs.clear();
    return read_types();
  }

  bool take_attributes() {
    for (const AttrText &attr : op_.attrs) {
      std::string_view key = attr.name;
      if (key == "operandSegmentSizes" || key == "operand_segment_sizes")
        continue;
      if (key.starts_with("static_"))
        key.remove_prefix(7);
      if (!row_.flag.empty() && key == row_.flag) {
        c_.flags.push_back(row_.flag);
      } else if (key == "grid" && row_.has_grid) {
        c_.grid_at = attr.raw.data();
        const std::string_view name = unquoted_symbol(attr.raw);
        if (!find_grid(r_, name, c_.grid_at, c_.grid))
          return false;
      } else if (std::ranges::find(row_.lists, key) != std::end(row_.lists)) {
        std::string_view raw = attr.raw;
        Clauses::List list{key, raw.data(), {}, {}};
        if (!r_.c.attributes.resolve(raw) || !r_.c.attributes.read_ints(raw, list.numbers))
          return false;
        if (!list.numbers.empty() || (key != "halo_sizes" && key != "sharded_dims_offsets"))
          c_.lists.push_back(std::move(list));
      } else if (!take(key, attr.raw, attr.raw.data())) {
        return false;
      }
    }
    return true;
  }

  static std::string_view unquoted_symbol(std::string_view raw) {
    if (raw.starts_with('@'))
      raw.remove_prefix(1);
    return raw.size() > 1 && raw.starts_with('"') ? raw.substr(1, raw.size() - 2) : raw;
  }

  // Operands behind the arrays are the numbers of lists that are none in their attributes. The device of
  // neighbors_linear_indices has no attribute: it is all operands.
  bool take_operands(const char *at) {
    if (row_.lists[0] == "device" && c_.list("device") == nullptr)
      c_.lists.push_back({"device", at, std::vector<int64_t>(op_.operands.size(), kOperand), {}});
    size_t next = row_.arrays;
    for (const std::string_view name : row_.lists)
      for (Clauses::List &list : c_.lists)
        if (list.name == name)
          for (const int64_t number : list.numbers) {
            if (number != kOperand)
              continue;
            if (next >= op_.operands.size())
              return fail(list.at, fmt::format("{} has more operands than the op", name));
            list.operands.push_back(op_.operands[next++]);
            if (!check_index(list, op_.operand_at[next - 1]))
              return false;
          }
    if (next != op_.operands.size())
      return fail(at, fmt::format("{} operands, and {} are expected", op_.operands.size(), next));
    return true;
  }

  // --- types: of the results, of arrays and results, or as a function's ---
  bool read_types() {
    if (s_.peek() != ':') {
      return no_types();
    }
    s_.accept(':');
    std::vector<TypeId> left, right;
    if (s_.accept('(')) {
      if (!s_.accept(')') && !(read_type_list(left) && s_.expect(')', "after the operand types")))
        return false;
      if (!s_.expect("->", "between operand and result types") || !read_results(right))
        return false;
      return state_operands(left) && state_results(std::move(right));
    }
    if (!read_type_list(left))
      return false;
    if (s_.accept("->"))
      return read_results(right) && state_operands(left) && state_results(std::move(right));
    return state_operands({}) && state_results(std::move(left));
  }

  // What is left out may be one thing only.
  bool no_types() {
    if (row_.name != "sharding" && row_.name != "get_sharding")
      return s_.fail_here("':'", fmt::format("before the type of {}", op_.name));
    return state_operands({});
  }

  bool read_results(std::vector<TypeId> &types) {
    if (!s_.accept('('))
      return read_type_list(types, 1);
    return s_.accept(')') || (read_type_list(types) && s_.expect(')', "after the result types"));
  }

  // Shardings are no values of the program: they are left out.
  bool read_type_list(std::vector<TypeId> &types, size_t most = SIZE_MAX) {
    do {
      if (s_.accept("!shard.sharding"))
        continue;
      if (!r_.c.types.parse(types.emplace_back()))
        return false;
    } while (--most > 0 && s_.accept(','));
    return true;
  }

  // Where the text says types of arrays and none of numbers, these are what they are.
  bool state_operands(const std::vector<TypeId> &types) {
    if (!op_.generic) // the arrays, then the numbers of lists
      for (const std::string_view name : row_.lists)
        for (const Clauses::List &list : c_.lists)
          if (list.name == name)
            for (const ValueId v : list.operands) {
              op_.operands.push_back(v);
              op_.operand_at.push_back(list.at);
            }
    op_.operand_types = types;
    for (size_t i = types.size(); i < op_.operands.size(); ++i)
      op_.operand_types.push_back(r_.c.local.type(op_.operands[i]));
    return r_.emitter.check_operand_types(op_);
  }

  bool state_results(std::vector<TypeId> types) {
    op_.result_types = std::move(types);
    if (row_.name == "neighbors_linear_indices" && op_.result_types.size() == 1)
      op_.result_types.push_back(op_.result_types[0]); // two of one type
    return true;
  }

  bool complete() {
    op_.operands.resize(row_.arrays);
    op_.operand_types.resize(row_.arrays);
    const bool wants_grid = row_.has_grid, wants_sharding = row_.has_sharding;
    if (wants_grid && c_.grid == nullptr)
      return fail(op_.at, "the grid is missing: on @grid");
    if (wants_sharding && c_.sharding == nullptr)
      return fail(op_.at, "the sharding is missing");
    if (row_.has_split_axes && c_.split_at == nullptr)
      return fail(op_.at, "split_axes is missing");
    for (const std::string_view name : row_.numbers)
      if (!name.empty() && c_.number(name) == nullptr)
        return fail(op_.at, fmt::format("{} is missing", name));
    for (const std::string_view name : row_.lists)
      if (!name.empty() && c_.list(name) == nullptr && row_.name != "sharding" &&
          row_.name != "update_halo" && row_.name != "recv")
        return fail(op_.at, fmt::format("{} is missing", name));
    return true;
  }

  Reader &r_;
  Scanner &s_;
  OpText &op_;
  const Row &row_;
  Clauses &c_;
};

} // namespace

bool form_op(Reader &r, OpText &op) {
  const auto row = std::ranges::find(kRows, op.name.substr(std::string_view("shard.").size()), &Row::name);
  r.grid_code.clauses = {};
  return Form(r, op, *row, r.grid_code.clauses).read();
}

} // namespace tw::import::shard
