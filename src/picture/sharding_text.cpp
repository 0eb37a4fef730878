// SPDX-License-Identifier: Apache-2.0
// Grids of characters.
#include "picture/sharding_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/table.hpp"
#include "picture/words.hpp"

namespace tw::picture {

namespace {

constexpr size_t kWidth = 76; // of a grid
constexpr std::string_view kIndent = "  ";

std::string centred(std::string_view text, size_t width) {
  const size_t own = shown_width(text);
  if (own >= width)
    return std::string(text);
  return fmt::format("{}{}{}", std::string((width - own) / 2, ' '), text,
                     std::string(width - own - (width - own) / 2, ' '));
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

class Grid {
public:
  Grid(const Subject &subject, const Tiles &tiles) : s_(subject), tiles_(tiles) {
    columns_ = tiles.sides.empty() ? nullptr : &tiles.sides.back();
    rows_ = tiles.sides.size() < 2 ? nullptr : &tiles.sides[tiles.sides.size() - 2];
    for (size_t i = 0; i < num_rows(); ++i)
      margin_ = std::max(margin_, shown_width(row_label(i)));
    for (const Tile &tile : tiles.tiles)
      cell_ = std::max(cell_, shown_width(ways(tile).front()) + 4);
    for (size_t i = 0; i < num_columns(); ++i)
      for (const std::string &label : place_labels(columns_, i))
        cell_ = std::max(cell_, shown_width(label) + 2);
    const size_t most = std::max<size_t>((kWidth - std::min(margin_, kWidth / 2)) / num_columns(), 8);
    cell_ = std::min(cell_, most - 1);
  }

  std::string text() const {
    std::string out;
    const size_t in_panel = num_rows() * num_columns();
    for (size_t first = 0; first < tiles_.tiles.size(); first += in_panel) {
      if (first > 0)
        out += "\n";
      out += panel(first);
    }
    return out;
  }

private:
  size_t num_columns() const { return columns_ == nullptr ? 1 : columns_->shown.size(); }
  size_t num_rows() const { return rows_ == nullptr ? 1 : rows_->shown.size(); }

  // "data 1", for each axis of a dimension, and where the tiles differ which elements: "3:6".
  std::vector<std::string> place_labels(const Side *side, size_t i) const {
    std::vector<std::string> labels;
    if (side == nullptr)
      return labels;
    int64_t rest = side->shown[i];
    for (auto axis = side->axes.rbegin(); axis != side->axes.rend(); ++axis) {
      labels.insert(labels.begin(),
                    fmt::format("{} {}", plain(s_.mesh.axis(*axis).name), rest % s_.mesh.size(*axis)));
      rest /= s_.mesh.size(*axis);
    }
    if (!side->even)
      labels.push_back(fmt::format("{}:{}", side->core[i].begin, side->core[i].end));
    return labels;
  }
  std::string row_label(size_t i) const { return fmt::format("{}", fmt::join(place_labels(rows_, i), "  ")); }

  std::vector<std::string> ways(const Tile &tile) const {
    return device_words(devices_at(s_.mesh, tile.positions), tile.devices);
  }

  std::string panel(size_t first) const {
    std::string out;
    for (size_t k = 0; k + 2 < tiles_.sides.size(); ++k) {
      const Side &side = tiles_.sides[k];
      const size_t i = tiles_.tiles[first].at[k];
      std::vector<std::string> labels = place_labels(&side, i);
      if (side.even)
        labels.push_back(fmt::format("{}:{}", side.core[i].begin, side.core[i].end));
      out += fmt::format("{}{}, at {}\n", kIndent, side_words(side), fmt::join(labels, "  "));
    }
    const size_t whole = num_columns() * (cell_ + 1) + 1;
    if (columns_ != nullptr) {
      out += trimmed(margin("") + centred(side_words(*columns_), whole));
      const size_t levels = place_labels(columns_, 0).size();
      for (size_t level = 0; level < levels; ++level) {
        std::string line = margin("");
        for (size_t i = 0; i < num_columns(); ++i)
          line += gap_before(columns_, i) + " " + cut(centred(place_labels(columns_, i)[level], cell_));
        out += trimmed(line);
      }
    }
    const std::string border = border_line();
    out += border;
    for (size_t r = 0; r < num_rows(); ++r) {
      if (rows_ != nullptr && rows_->breaks_before(r))
        out += trimmed(margin("") + centred("..", whole)) + border;
      std::string line = margin(row_label(r));
      for (size_t c = 0; c < num_columns(); ++c)
        line += (gap_before(columns_, c).empty() ? "|" : "| .. |") +
                centred(best(tiles_.tiles[first + r * num_columns() + c]), cell_);
      out += line + "|" + (columns_ != nullptr && columns_->breaks_behind() ? " .." : "") + "\n" + border;
    }
    if (rows_ != nullptr)
      out += fmt::format("{}{}\n", margin(""),
                         side_words(*rows_) + (rows_->breaks_behind() ? " .." : "") + " (down)");
    return out;
  }

  std::string margin(std::string_view label) const {
    return fmt::format("{}{}{} ", kIndent, std::string(margin_ - std::min(margin_, shown_width(label)), ' '),
                       label);
  }
  static std::string gap_before(const Side *side, size_t i) {
    return side != nullptr && side->breaks_before(i) ? "     " : "";
  }
  std::string cut(std::string text) const {
    return shown_width(text) > cell_ ? std::string(cell_, ' ') : text;
  }
  std::string border_line() const {
    std::string line = margin("");
    for (size_t c = 0; c < num_columns(); ++c)
      line += (gap_before(columns_, c).empty() ? "+" : "+    +") + std::string(cell_, '-');
    return line + "+\n";
  }
  std::string best(const Tile &tile) const {
    for (const std::string &way : ways(tile))
      if (shown_width(way) <= cell_)
        return way;
    return "";
  }

  const Subject &s_;
  const Tiles &tiles_;
  const Side *columns_, *rows_;
  size_t margin_ = 0, cell_ = 7;
};

std::string heading(const Subject &s) {
  const std::string name = plain(s.name);
  return fmt::format("{}{}{}  {}\n", name, name.empty() ? "" : "  ", type_words(s), sharding_words(s));
}

} // namespace

std::string sharding_text(const Subject &s, bool bare) {
  const Tiles tiles = tiles_of(s);
  std::string out = bare ? "" : heading(s);
  out += tiles.tiles.empty() ? std::string(kIndent) + "no elements\n" : Grid(s, tiles).text();
  if (bare)
    return out;
  for (const AxisWords &axis : axis_words(s, tiles))
    out += fmt::format("{}{}\n", kIndent, axis.text);
  for (const std::string &line : notes(s, tiles))
    out += fmt::format("{}{}\n", kIndent, line);
  return out;
}

std::string move_text(const Move &move, bool bare) {
  const MoveSubjects subjects(move.problem, move.name);
  std::string out = sharding_text(subjects.before(), bare) + "\n";
  for (const std::string &line : step_words(move))
    out += fmt::format("{}| {}\n", kIndent, line);
  return out + std::string(kIndent) + "v\n\n" + sharding_text(subjects.after(), bare);
}

} // namespace tw::picture
