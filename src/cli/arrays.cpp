// SPDX-License-Identifier: Apache-2.0
// The arrays a run starts from and ends with.
#include "cli/arrays.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/pattern.hpp"
#include "base/suggest.hpp"
#include "cli/files.hpp"
#include "cli/stored.hpp"

namespace tw::cli {

namespace {

constexpr std::string_view kDrawn = "default"; // how an argument is filled that nothing gives

struct Argument {
  std::string name;
  std::string number; // "arg3": always a name too
  tw_dtype_t dtype;
  std::vector<int64_t> dims;
  size_t grid_rank;
};

std::vector<Argument> arguments_of(const tw_graph_t *graph) {
  std::vector<Argument> out;
  for (size_t i = 0; i < tw_graph_num_arguments(graph); ++i) {
    size_t rank = 0;
    const int64_t *dims = tw_graph_argument_dims(graph, i, &rank);
    out.push_back({tw_graph_argument_name(graph, i),
                   fmt::format("arg{}", i),
                   tw_graph_argument_dtype(graph, i),
                   {dims, dims + rank},
                   tw_graph_grid_rank(graph)});
  }
  return out;
}

Failure unknown_argument(const std::string &written, const std::string &where,
                         const std::vector<Argument> &arguments) {
  std::vector<std::string> names;
  for (const auto &argument : arguments) {
    names.push_back(argument.name);
    if (argument.number != argument.name)
      names.push_back(argument.number);
  }
  Failure failure =
      fail("not_found", "TW-804", fmt::format("{}: no argument is called '{}'", where, written));
  constexpr size_t shown = 8;
  if (const auto near = nearest_names(written, names, 3); !near.empty())
    failure.notes.push_back(fmt::format("nearest: {}", fmt::join(near, ", ")));
  else if (!arguments.empty())
    failure.notes.push_back(fmt::format(
        "arguments: {}{}",
        fmt::join(names.begin(), names.begin() + static_cast<ptrdiff_t>(std::min(shown, names.size())), ", "),
        names.size() > shown ? ", .." : ""));
  return failure;
}

void set_bytes(tw_tensor_t *tensor, const std::string &bytes) {
  if (!bytes.empty())
    std::memcpy(tw_tensor_data(tensor), bytes.data(), bytes.size());
}

// The one argument whose name in dots this is.
std::vector<Argument>::const_iterator find_dotted(const std::vector<Argument> &arguments,
                                                  const std::string &key) {
  const auto is_it = [wanted = dotted(key)](const Argument &a) { return dotted(a.name) == wanted; };
  return std::ranges::count_if(arguments, is_it) == 1 ? std::ranges::find_if(arguments, is_it)
                                                      : arguments.end();
}

// Which array of the archive an argument takes, or none.
std::vector<std::optional<size_t>> assign(const tw_store_t *archive, const std::vector<Argument> &arguments,
                                          const std::string &path) {
  std::vector<std::optional<size_t>> taken(arguments.size());
  if (!archive)
    return taken;
  for (size_t i = 0; i < tw_store_num_arrays(archive); ++i) {
    const std::string key = tw_store_array_name(archive, i);
    auto found = std::ranges::find(arguments, key, &Argument::number); // whatever others are called
    if (found == arguments.end())
      found = std::ranges::find(arguments, key, &Argument::name);
    if (found == arguments.end())
      found = find_dotted(arguments, key);
    if (found == arguments.end()) {
      Failure failure = unknown_argument(key, path, arguments);
      const std::string type = tw_store_array_foreign(archive, i);
      if (type.find_first_of("USOa") != std::string::npos)
        failure.notes = {fmt::format(
            "'{}' holds text or objects (NumPy type '{}'), not the elements of an array", key, type)};
      throw failure;
    }
    auto &slot = taken[static_cast<size_t>(found - arguments.begin())];
    if (slot)
      throw fail("invalid_argument", "TW-804",
                 fmt::format("{}: argument '{}' is given twice ('{}' is another name of it)", path,
                             found->name, key));
    slot = i;
  }
  return taken;
}

void check_fills(const std::vector<Argument> &arguments, const Options &options) {
  for (const auto &[pattern, how] : options.fills)
    if (std::ranges::none_of(arguments, [&, &pattern = pattern](const Argument &a) {
          return names_match(pattern, a.name) || names_match(pattern, a.number);
        }))
      throw unknown_argument(pattern, "--fill", arguments);
}

Store archive_of(const Options &options) {
  return options.inputs.empty() ? nullptr : open_inputs(options.inputs);
}

std::string part_of_fill(const std::string &path, const ArgumentPart &part) {
  return part_of_stored(open_inputs(path).get(), 0, path, part);
}

// The last --fill that matches.
std::string fill_of(const Argument &argument, const Options &options) {
  std::string how(kDrawn);
  for (const auto &[pattern, text] : options.fills)
    if (names_match(pattern, argument.name) || names_match(pattern, argument.number))
      how = text;
  return how;
}

struct Tile {
  std::vector<int64_t> offset, extent;
};
Tile tile_of(const tw_executable_t *executable, bool is_result, size_t index, size_t device, size_t rank) {
  Tile tile{std::vector<int64_t>(rank), std::vector<int64_t>(rank)};
  check(tw_executable_tile(executable, is_result, index, device, tile.offset.data(), tile.extent.data()));
  return tile;
}

Tensor make_tile(tw_dtype_t dtype, const Tile &tile) {
  return make<Tensor>([&](tw_tensor_t **out) {
    return tw_tensor_create(nullptr, dtype, tile.extent.data(), tile.extent.size(), out);
  });
}

// A tile of an argument: from the archive, from the file of a fill, or as the fill says.
Tensor make_input(const tw_store_t *archive, std::optional<size_t> entry, const Argument &argument,
                  const Tile &tile, const Options &options, uint64_t stream) {
  const std::string how = fill_of(argument, options);
  Tensor tensor = make_tile(argument.dtype, tile);
  const ArgumentPart part{argument.dtype, argument.dims, tile.offset, tile.extent, argument.grid_rank};
  if (entry)
    set_bytes(tensor.get(),
              part_of_stored(archive, *entry,
                             fmt::format("{}: {}", options.inputs, tw_store_array_name(archive, *entry)),
                             part));
  else if (how.ends_with(".npy"))
    set_bytes(tensor.get(), part_of_fill(how, part));
  else
    check(tw_tensor_fill_part(tensor.get(), argument.dims.data(), tile.offset.data(), how.c_str(),
                              options.seed, stream));
  return tensor;
}

// What `tiles(number, argument, make)` asks for of each argument, in order.
template <class Tiles>
std::vector<Tensor> make_each_input(const tw_graph_t *graph, const Options &options, Tiles &&tiles) {
  const auto arguments = arguments_of(graph);
  check_fills(arguments, options);
  const auto archive = archive_of(options);
  const auto given = assign(archive.get(), arguments, options.inputs);
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < arguments.size(); ++i)
    tiles(i, arguments[i], [&](const Tile &tile) {
      tensors.push_back(make_input(archive.get(), given[i], arguments[i], tile, options, i));
    });
  return tensors;
}

} // namespace

std::vector<Tensor> make_input_tiles(const tw_graph_t *graph, const tw_executable_t *executable,
                                     const Options &options) {
  return make_each_input(graph, options, [&](size_t i, const Argument &argument, auto &&make) {
    for (size_t k = 0; k < tw_executable_num_devices(executable); ++k)
      make(tile_of(executable, false, i, k, argument.dims.size()));
  });
}

std::vector<Tensor> make_output_tiles(const tw_graph_t *graph, const tw_executable_t *executable) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < tw_graph_num_results(graph); ++i) {
    size_t rank = 0;
    static_cast<void>(tw_graph_result_dims(graph, i, &rank));
    for (size_t k = 0; k < tw_executable_num_devices(executable); ++k)
      tensors.push_back(make_tile(tw_graph_result_dtype(graph, i), tile_of(executable, true, i, k, rank)));
  }
  return tensors;
}

void write_output_tiles(const std::string &folder, const tw_graph_t *graph, const tw_executable_t *executable,
                        const std::vector<Tensor> &tiles) {
  const size_t n = tw_executable_num_devices(executable);
  for (size_t i = 0; i < tiles.size(); ++i) {
    size_t rank = 0;
    const int64_t *dims = tw_graph_result_dims(graph, i / n, &rank);
    const Tile tile = tile_of(executable, true, i / n, i % n, rank);
    check(tw_store_write_part(fmt::format("{}out{}.npy", folder, i / n).c_str(), dims, tile.offset.data(),
                              tiles[i].get()));
  }
}

std::vector<Tensor> make_inputs(const tw_graph_t *graph, const Options &options) {
  return make_each_input(graph, options, [](size_t, const Argument &argument, auto &&make) {
    make(Tile{std::vector<int64_t>(argument.dims.size(), 0), argument.dims});
  });
}

std::vector<std::string> drawn_arguments(const tw_graph_t *graph, const Options &options) {
  const auto arguments = arguments_of(graph);
  const auto given = assign(archive_of(options).get(), arguments, options.inputs);
  std::vector<std::string> drawn;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (!given[i] && fill_of(arguments[i], options) == kDrawn)
      drawn.push_back(arguments[i].name);
  if (options.inputs_required && !drawn.empty())
    throw fail("failed_precondition", "TW-804",
               fmt::format("--inputs-required: no --inputs and no --fill gives {}", listed(drawn)));
  return drawn;
}

std::string listed(const std::vector<std::string> &names) {
  constexpr size_t shown = 4;
  const size_t n = std::min(shown, names.size());
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<ptrdiff_t>(n), ", "),
                     names.size() > n ? fmt::format(" and {} more", names.size() - n) : "");
}

std::vector<Tensor> make_outputs(const tw_graph_t *graph) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < tw_graph_num_results(graph); ++i) {
    size_t rank = 0;
    const int64_t *dims = tw_graph_result_dims(graph, i, &rank);
    tensors.push_back(make<Tensor>([&](tw_tensor_t **out) {
      return tw_tensor_create(nullptr, tw_graph_result_dtype(graph, i), dims, rank, out);
    }));
  }
  return tensors;
}

void write_outputs(const std::string &path, const tw_graph_t *graph, const std::vector<Tensor> &outputs) {
  std::vector<std::string> names;
  for (size_t i = 0; i < outputs.size(); ++i)
    names.push_back(fmt::format("out{}", i));
  std::vector<const tw_tensor_t *> tensors = const_pointers(outputs);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (const std::string name = tw_graph_result_name(graph, i);
        std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
      tensors.push_back(outputs[i].get());
    }
  std::vector<const char *> keys;
  for (const std::string &name : names)
    keys.push_back(name.c_str());
  const bool has_format = path.ends_with(".safetensors");
  check(tw_store_write(path.c_str(), has_format ? nullptr : "npz", keys.data(), tensors.data(),
                       tensors.size()));
}

std::vector<tw_tensor_t *> pointers(const std::vector<Tensor> &tensors) {
  std::vector<tw_tensor_t *> out;
  for (const auto &tensor : tensors)
    out.push_back(tensor.get());
  return out;
}

std::vector<const tw_tensor_t *> const_pointers(const std::vector<Tensor> &tensors) {
  std::vector<const tw_tensor_t *> out;
  for (const auto &tensor : tensors)
    out.push_back(tensor.get());
  return out;
}

} // namespace tw::cli
