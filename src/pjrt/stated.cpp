// SPDX-License-Identifier: Apache-2.0
// Reads what `tw_graph_info` says of annotations: `<@mesh, [{"x", "y":(1)2}, {}], unreduced={"z"}>`.
#include "pjrt/stated.hpp"

#include <algorithm>
#include <charconv>

#include <nlohmann/json.hpp>

namespace tw::pjrt {

namespace {

// The words of a sharding, one after the other.
class Words {
public:
  explicit Words(std::string_view text) : rest_(text) {}
  bool accept(char c) {
    skip();
    if (rest_.empty() || rest_.front() != c)
      return false;
    rest_.remove_prefix(1);
    return true;
  }
  // A name, in quotes or not.
  std::string name() {
    if (accept('"')) {
      const size_t end = std::min(rest_.find('"'), rest_.size());
      std::string found(rest_.substr(0, end));
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      return found;
    }
    skip();
    size_t n = 0;
    while (n < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[n])) || rest_[n] == '_' ||
                                rest_[n] == '.' || rest_[n] == '$' || rest_[n] == '-'))
      ++n;
    std::string found(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return found;
  }
  int64_t number() {
    skip();
    int64_t value = 0;
    const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    rest_.remove_prefix(static_cast<size_t>(read.ptr - rest_.data()));
    return value;
  }
  bool at(char c) {
    skip();
    return !rest_.empty() && rest_.front() == c;
  }
  bool at_end() {
    skip();
    return rest_.empty();
  }

private:
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  std::string_view rest_;
};

} // namespace

StatedShardings::StatedShardings(const tw_graph_t *graph, int64_t num_partitions)
    : num_partitions_(num_partitions), arguments_(tw_graph_num_arguments(graph)),
      results_(tw_graph_num_results(graph)) {
  const auto info =
      nlohmann::json::parse(text_of([&](tw_blob_t **out) { return tw_graph_info(graph, 0, out); }));
  for (const auto &mesh : info.at("meshes")) {
    Mesh &made = meshes_.emplace_back();
    made.name = mesh.at("name");
    for (const auto &axis : mesh.at("axes")) {
      made.axes.push_back(axis.at(0));
      made.sizes.push_back(axis.at(1));
    }
    if (mesh.contains("device_ids"))
      made.devices = mesh.at("device_ids").get<std::vector<int64_t>>();
  }
  for (const auto &stated : info.at("stated"))
    (stated.at("at") == "result" ? results_ : arguments_).at(stated.at("index")) = stated.at("sharding");
}

std::optional<StatedShardings::Sharding> StatedShardings::read(std::string_view text) const {
  Words words(text);
  if (!words.accept('<') || !words.accept('@'))
    return std::nullopt;
  Sharding made;
  const std::string mesh_name = words.name();
  const auto mesh = std::ranges::find(meshes_, mesh_name, &Mesh::name);
  if (mesh == meshes_.end() || !words.accept(',') || !words.accept('['))
    return std::nullopt;
  made.mesh = &*mesh;
  const auto read_parts = [&](std::vector<Part> &parts) {
    if (!words.accept('{'))
      return false;
    while (!words.accept('}')) {
      if (words.accept('?')) {
        made.is_open = true;
      } else {
        const auto axis = std::ranges::find(mesh->axes, words.name());
        if (axis == mesh->axes.end())
          return false;
        Part part{static_cast<size_t>(axis - mesh->axes.begin()), 1, 0};
        part.size = mesh->sizes[part.axis];
        if (words.accept(':')) {
          words.accept('(');
          part.before = words.number();
          words.accept(')');
          part.size = words.number();
          if (part.before < 1 || part.size < 1 || mesh->sizes[part.axis] % (part.before * part.size) != 0)
            return false;
        }
        parts.push_back(part);
      }
      words.accept(',');
      if (words.at_end())
        return false;
    }
    return true;
  };
  while (!words.accept(']')) {
    if (!read_parts(made.dims.emplace_back()))
      return std::nullopt;
    if (words.at('p'))
      words.name(); // a priority
    words.accept(',');
    if (words.at_end())
      return std::nullopt;
  }
  while (words.accept(',')) {
    const std::string list = words.name();
    std::vector<Part> parts;
    if (!words.accept('=') || !read_parts(parts))
      return std::nullopt;
    if (list == "unreduced")
      made.unreduced = std::move(parts);
  }
  return made;
}

int64_t StatedShardings::coordinate(const Mesh &mesh, const std::vector<Part> &parts, int64_t position) {
  int64_t found = 0;
  for (const Part &part : parts) {
    int64_t behind = 1;
    for (size_t a = part.axis + 1; a < mesh.sizes.size(); ++a)
      behind *= mesh.sizes[a];
    const int64_t in_axis = position / behind % mesh.sizes[part.axis];
    found = found * part.size + in_axis / (mesh.sizes[part.axis] / (part.before * part.size)) % part.size;
  }
  return found;
}

int64_t StatedShardings::count(const std::vector<Part> &parts) {
  int64_t product = 1;
  for (const Part &part : parts)
    product *= part.size;
  return product;
}

std::optional<Holding> StatedShardings::of(bool is_result, size_t i, const std::vector<int64_t> &dims) const {
  const std::string &text = is_result ? results_[i] : arguments_[i];
  if (text.empty())
    return std::nullopt;
  const auto sharding = read(text);
  if (!sharding || sharding->dims.size() != dims.size() || (sharding->is_open && sharding->unreduced.empty()))
    return std::nullopt;
  int64_t devices = 1;
  for (const int64_t size : sharding->mesh->sizes)
    devices *= size;
  if (devices != num_partitions_ && devices != 1)
    return std::nullopt;
  Holding made;
  made.boxes.resize(static_cast<size_t>(num_partitions_));
  made.num_addends = count(sharding->unreduced);
  if (made.num_addends > 1)
    made.addend.resize(made.boxes.size());
  for (int64_t position = 0; position < num_partitions_; ++position) {
    const int64_t place = devices == 1 ? 0 : position; // on a mesh of one device all is whole everywhere
    const std::vector<int64_t> &ids = sharding->mesh->devices;
    const int64_t partition = devices != 1 && !ids.empty() ? ids[static_cast<size_t>(position)] : position;
    if (partition < 0 || partition >= num_partitions_)
      return std::nullopt;
    Box &box = made.boxes[static_cast<size_t>(partition)];
    for (size_t d = 0; d < dims.size(); ++d) {
      const int64_t tiles = count(sharding->dims[d]);
      if (dims[d] % tiles != 0)
        return std::nullopt;
      box.extent.push_back(dims[d] / tiles);
      box.offset.push_back(coordinate(*sharding->mesh, sharding->dims[d], place) * box.extent[d]);
    }
    if (made.num_addends > 1)
      made.addend[static_cast<size_t>(partition)] = coordinate(*sharding->mesh, sharding->unreduced, place);
    made.order.push_back(partition);
  }
  return made;
}

} // namespace tw::pjrt
