// SPDX-License-Identifier: Apache-2.0
// The arrays a run starts from and ends with: defaults, fills, files.
#pragma once

#include <string>
#include <vector>

#include "cli/handles.hpp"
#include "cli/options.hpp"

namespace tw::cli {

// One tensor an argument: from --inputs, else the last --fill that matches, else tw_tensor_fill's "default".
std::vector<Tensor> make_inputs(const tw_graph_t *graph, const Options &options);
// The names of those arguments that neither --inputs nor --fill gives; a Failure where --inputs-required
// wants all of them.
std::vector<std::string> drawn_arguments(const tw_graph_t *graph, const Options &options);
std::string listed(const std::vector<std::string> &names); // "a, b, c, d and 3 more"
// One a result, zero-filled.
std::vector<Tensor> make_outputs(const tw_graph_t *graph);
// What the devices of this process hold of them, as an executable with the option `tiles` takes and gives it.
std::vector<Tensor> make_input_tiles(const tw_graph_t *graph, const tw_executable_t *executable,
                                     const Options &options);
std::vector<Tensor> make_output_tiles(const tw_graph_t *graph, const tw_executable_t *executable);
// Into out0.npy, out1.npy, .. of a folder, which all processes write together.
void write_output_tiles(const std::string &folder, const tw_graph_t *graph, const tw_executable_t *executable,
                        const std::vector<Tensor> &tiles);
// As out0, out1, .. and by the names of the results.
void write_outputs(const std::string &path, const tw_graph_t *graph, const std::vector<Tensor> &outputs);

std::vector<tw_tensor_t *> pointers(const std::vector<Tensor> &tensors);
std::vector<const tw_tensor_t *> const_pointers(const std::vector<Tensor> &tensors);

} // namespace tw::cli
