// SPDX-License-Identifier: Apache-2.0
// Reads the lines of a stated sequence and finds the type after each.
#include "redistribute/stated_steps.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text_reader.hpp"
#include "base/trim.hpp"

namespace tw::redistribute {

using sharding::AxisId;
using sharding::DimSharding;
using sharding::Mesh;
using sharding::Sharding;

namespace {

struct Word {
  std::string_view text;
  StatedKind kind;
};
constexpr std::array<Word, 8> kWords = {{{"allgather", StatedKind::allgather},
                                         {"all_gather", StatedKind::allgather},
                                         {"alltoall", StatedKind::alltoall},
                                         {"all_to_all", StatedKind::alltoall},
                                         {"dynslice", StatedKind::dynslice},
                                         {"slice", StatedKind::dynslice},
                                         {"allpermute", StatedKind::allpermute},
                                         {"permute", StatedKind::allpermute}}};

// One line that says something.
struct Line {
  size_t number = 0;
  std::string text;
  StatedKind kind = StatedKind::any;
  std::vector<std::string> arguments;
  std::optional<DistributedType> after; // of a type; of a step once it is known
  bool is_type = false;
};

class StepReader {
public:
  StepReader(const Mesh &mesh, const DistributedType &src, const DistributedType &dst, graph::DType dtype)
      : mesh_(mesh), src_(src), dst_(dst), dtype_(dtype) {}

  Result<std::vector<StatedStep>> read(std::string_view text) {
    if (dst_.type.dims != src_.type.dims)
      return fail(Code::invalid_argument, "TW-528",
                  fmt::format("steps: the sizes of the source, [{}], and of the target, [{}], differ",
                              fmt::join(src_.type.dims, ","), fmt::join(dst_.type.dims, ",")));
    TW_TRY(read_lines(text));
    // A type behind a step is what the step makes; the last step makes the target.
    for (size_t i = 0; i < lines_.size(); ++i)
      if (!lines_[i].is_type && i + 1 < lines_.size() && lines_[i + 1].is_type && lines_[i].arguments.empty())
        lines_[i].after = lines_[i + 1].after;
    TW_TRY(infer_backward());
    TW_TRY(infer_forward());
    return steps();
  }

private:
  template <class... Args>
  tl::unexpected<Error> fail_at(const Line &line, fmt::format_string<Args...> form, Args &&...args) const {
    return fail(Code::invalid_argument, "TW-528",
                fmt::format("steps, line {}: '{}': {}", line.number, line.text,
                            fmt::format(form, std::forward<Args>(args)...)));
  }

  std::string text_of(const DistributedType &type) const {
    return paper_text(type.sharding, type.type.dims, mesh_);
  }

  Status read_lines(std::string_view text) {
    size_t number = 0;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      std::string_view rest = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      ++number;
      for (;;) { // several steps on a line stand between semicolons
        const size_t stop = std::min(rest.find(';'), rest.size());
        if (const auto one = trim(rest.substr(0, stop)); !one.empty())
          TW_TRY(read_line(number, one));
        if (stop == rest.size())
          break;
        rest.remove_prefix(stop + 1);
      }
    }
    return {};
  }

  Status read_line(size_t number, std::string_view text) {
    Line line;
    line.number = number;
    line.text = text;
    const auto word = std::ranges::find_if(kWords, [&](const Word &w) {
      return text.starts_with(w.text) && (text.size() == w.text.size() || !is_name_char(text[w.text.size()]));
    });
    if (word == kWords.end()) {
      if (text.find('[') == std::string_view::npos)
        return fail_at(line, "no such step: allgather, alltoall, dynslice, allpermute, or a type");
      line.is_type = true;
      auto type = parse_distributed_type(text, mesh_, &src_.type);
      if (!type)
        return fail_at(line, "{}", type.error().message());
      if (type->type.dims != src_.type.dims)
        return fail_at(line, "its sizes are not those of the source, {}", text_of(src_));
      const graph::DType element = src_.type.dtype != graph::DType::invalid   ? src_.type.dtype
                                   : dst_.type.dtype != graph::DType::invalid ? dst_.type.dtype
                                                                              : dtype_;
      if (type->type.dtype != graph::DType::invalid && type->type.dtype != element)
        return fail_at(line, "its elements are {}, and those of the array {}", graph::name(type->type.dtype),
                       graph::name(element));
      if (!type->halos.empty())
        return fail_at(line, "tiles with halos move in one exchange");
      type->type.dtype = src_.type.dtype;
      line.after = std::move(*type);
      lines_.push_back(std::move(line));
      return {};
    }
    line.kind = word->kind;
    TextReader reader("step", "TW-528", text.substr(word->text.size()));
    const bool braces = reader.accept('(');
    while (!reader.at_end() && !(braces && reader.peek() == ')')) {
      auto argument = reader.name();
      if (!argument)
        return fail_at(line, "{}", argument.error().message());
      line.arguments.emplace_back(*argument);
      reader.accept(',');
    }
    if (braces && !reader.accept(')'))
      return fail_at(line, "the ')' is missing");
    if (!reader.at_end())
      return fail_at(line, "expected the end, found '{}'", reader.rest());
    const size_t most = line.kind == StatedKind::allpermute ? 0 : line.kind == StatedKind::allgather ? 1 : 2;
    if (line.arguments.size() != most && !line.arguments.empty())
      return fail_at(line, "{} arguments, and it takes {}", line.arguments.size(), most);
    lines_.push_back(std::move(line));
    return {};
  }

  // ---- the type after a step, from the type before it ----

  Result<size_t> dimension(const Line &line, const std::string &text) const {
    const size_t rank = src_.type.rank();
    if (text.empty() || text.size() > 4 || text.find_first_not_of("0123456789") != std::string::npos)
      return fail_at(line, "'{}' is no dimension; they are counted from 0", text);
    if (const size_t d = std::stoul(text); d < rank)
      return d;
    return fail_at(line, "dimension {} of an array of {}", text, rank);
  }

  // What leaves its dimension: `0`, the innermost axis there, or an axis by name, which must be that.
  struct Leaving {
    size_t dimension;
    AxisId axis;
  };
  Result<Leaving> leaving(const Line &line, const DistributedType &before) const {
    const std::string &text = line.arguments[0];
    if (const auto axis = mesh_.find(text)) {
      for (size_t d = 0; d < before.sharding.dims.size(); ++d)
        if (const auto &axes = before.sharding.dims[d].axes; std::ranges::count(axes, *axis) != 0) {
          if (axes.back() != *axis)
            return fail_at(line,
                           "axis '{}' is not the innermost of dimension {} in {}, but '{}' is: put an "
                           "allpermute before it",
                           text, d, text_of(before), mesh_.axis(axes.back()).name);
          return Leaving{d, *axis};
        }
      return fail_at(line, "axis '{}' tiles nothing in {}", text, text_of(before));
    }
    if (text.find_first_not_of("0123456789") != std::string::npos)
      return fail_at(line, "'{}' is neither a dimension nor an axis of mesh {}", text, mesh_.text());
    TW_ASSIGN(const size_t d, dimension(line, text));
    const auto &axes = before.sharding.dims[d].axes;
    if (axes.empty())
      return fail_at(line, "no axis tiles dimension {} of {}", d, text_of(before));
    return Leaving{d, axes.back()};
  }

  // Words say which axes tile a dimension, not where it is cut.
  static bool has_cuts(const DistributedType &type, size_t d) {
    return type.sharding.dims[d].rule.kind > sharding::SplitRule::Kind::ceil;
  }
  tl::unexpected<Error> refuse_cuts(const Line &line, size_t d) const {
    return fail_at(line, "dimension {} has cuts of its own: write the type that the step makes instead", d);
  }

  static void take_inner(DistributedType &type, size_t d) {
    DimSharding &dim = type.sharding.dims[d];
    dim.axes.pop_back();
    if (dim.axes.empty())
      dim.rule = {};
  }

  Result<DistributedType> apply(const Line &line, DistributedType type) const {
    switch (line.kind) {
    case StatedKind::allgather: {
      TW_ASSIGN(const Leaving from, leaving(line, type));
      if (has_cuts(type, from.dimension))
        return refuse_cuts(line, from.dimension);
      take_inner(type, from.dimension);
      return type;
    }
    case StatedKind::alltoall: {
      TW_ASSIGN(const Leaving from, leaving(line, type));
      TW_ASSIGN(const size_t to, dimension(line, line.arguments[1]));
      if (to == from.dimension)
        return fail_at(line, "from dimension {} to itself", to);
      if (has_cuts(type, from.dimension) || has_cuts(type, to))
        return refuse_cuts(line, has_cuts(type, to) ? to : from.dimension);
      take_inner(type, from.dimension);
      type.sharding.dims[to].axes.push_back(from.axis);
      return type;
    }
    case StatedKind::dynslice: {
      TW_ASSIGN(const size_t d, dimension(line, line.arguments[0]));
      const auto axis = mesh_.find(line.arguments[1]);
      if (!axis)
        return fail_at(line, "mesh {} has no axis '{}'", mesh_.text(), line.arguments[1]);
      if (type.sharding.uses(*axis))
        return fail_at(line, "axis '{}' is in use already in {}", line.arguments[1], text_of(type));
      if (has_cuts(type, d))
        return refuse_cuts(line, d);
      type.sharding.dims[d].axes.push_back(*axis);
      return type;
    }
    default: return fail_at(line, "write the type that it makes on the next line");
    }
  }

  // The type before a step, from the type after it; none where more than one would do.
  std::optional<DistributedType> undo(const Line &line, DistributedType type) const {
    if (line.arguments.size() != 2)
      return std::nullopt;
    if (line.kind == StatedKind::dynslice) {
      const auto d = dimension(line, line.arguments[0]);
      if (!d || has_cuts(type, *d) || type.sharding.dims[*d].axes.empty() ||
          mesh_.find(line.arguments[1]) != type.sharding.dims[*d].axes.back())
        return std::nullopt;
      take_inner(type, *d);
      return type;
    }
    const auto from = dimension(line, line.arguments[0]), to = dimension(line, line.arguments[1]);
    if (line.kind != StatedKind::alltoall || !from || !to || has_cuts(type, *from) || has_cuts(type, *to) ||
        type.sharding.dims[*to].axes.empty())
      return std::nullopt;
    const AxisId axis = type.sharding.dims[*to].axes.back();
    take_inner(type, *to);
    type.sharding.dims[*from].axes.push_back(axis);
    return type;
  }

  // What a step without arguments makes, where the steps behind it and the type that they end in tell.
  Status infer_backward() {
    std::optional<DistributedType> after = dst_;
    for (size_t i = lines_.size(); i-- > 0;) {
      Line &line = lines_[i];
      if (line.is_type) {
        after = line.after;
        continue;
      }
      if (line.arguments.empty()) {
        if (!line.after)
          line.after = after;
        if (!line.after)
          return fail_at(line, "its result does not follow from the steps behind it: write the type that it "
                               "makes on the next line");
        after.reset(); // what it starts from follows from what stands before it
        continue;
      }
      if (after)
        after = undo(line, *after);
    }
    return {};
  }

  Status infer_forward() {
    DistributedType at = src_;
    for (size_t i = 0; i < lines_.size(); ++i) {
      Line &line = lines_[i];
      if (line.is_type) {
        const bool made = i > 0 && !lines_[i - 1].is_type;
        if (made && line.after->sharding != at.sharding)
          return fail_at(line, "the step before it makes {}", text_of(at));
      } else if (!line.arguments.empty()) {
        TW_ASSIGN(line.after, apply(line, at));
      }
      at = *line.after;
    }
    if (!lines_.empty() && at.sharding != dst_.sharding && !lines_.back().is_type)
      return fail_at(lines_.back(), "the sequence ends in {}, and the target is {}", text_of(at),
                     text_of(dst_));
    return {};
  }

  std::vector<StatedStep> steps() {
    std::vector<StatedStep> found;
    Sharding at = src_.sharding;
    for (size_t i = 0; i < lines_.size(); ++i) {
      Line &line = lines_[i];
      // A type that a step has made, or where the sequence begins, is no step of its own.
      if (line.is_type && line.after->sharding == at)
        continue;
      at = line.after->sharding;
      found.push_back({line.number, line.text, line.kind, std::move(*line.after)});
    }
    if (at != dst_.sharding) // a type alone, the target, ends a list of types
      found.push_back({lines_.empty() ? 1 : lines_.back().number + 1, text_of(dst_), StatedKind::any, dst_});
    return found;
  }

  const Mesh &mesh_;
  const DistributedType &src_, &dst_;
  const graph::DType dtype_; // where no type names one
  std::vector<Line> lines_;
};

} // namespace

Result<std::vector<StatedStep>> read_stated_steps(std::string_view text, const Mesh &mesh,
                                                  const DistributedType &src, const DistributedType &dst,
                                                  graph::DType dtype) {
  return StepReader(mesh, src, dst, dtype).read(without_comments(text));
}

std::string without_comments(std::string_view text) {
  std::string left;
  bool comment = false;
  for (const char c : text) {
    comment = c != '\n' && (comment || c == '#');
    if (!comment)
      left += c;
  }
  return left;
}

} // namespace tw::redistribute
