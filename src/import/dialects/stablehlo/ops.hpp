// SPDX-License-Identifier: Apache-2.0
// Forms and meanings of StableHLO's ops, for the list in stablehlo.cpp.
#pragma once

#include "import/reader.hpp"

namespace tw::import {

// approx_top_k.cpp
bool lower_approx_top_k(Reader &r, OpText &op);

// batch_norm.cpp
bool lower_batch_norm(Reader &r, OpText &op);

// collectives.cpp
bool lower_collective(Reader &r, OpText &op);
bool lower_device_number(Reader &r, OpText &op);

// constant_shapes.cpp
bool lower_dimension_size(Reader &r, OpText &op);
bool lower_folded(Reader &r, OpText &op);
bool lower_set_dimension_size(Reader &r, OpText &op);

// control.cpp
bool form_reduce(Reader &r, OpText &op);
bool form_while(Reader &r, OpText &op);
// The region that `applies OP` stands for: OP of its two arguments.
bool compact_reducer(Reader &r, OpText &op, std::string_view reducer, const char *at);
bool lower_control(Reader &r, OpText &op);

// convolution.cpp
bool form_convolution(Reader &r, OpText &op);
bool lower_convolution(Reader &r, OpText &op);

// custom_call.cpp
bool form_custom_call(Reader &r, OpText &op);
bool lower_custom_call(Reader &r, OpText &op);
// The entries of an attribute that is a dictionary, behind those that are there.
bool read_dictionary(Reader &r, std::string_view raw, std::vector<AttrText> &attrs);

// forms.cpp
bool form_compare(Reader &r, OpText &op);
bool form_composite(Reader &r, OpText &op);
bool form_constant(Reader &r, OpText &op);
bool form_slice(Reader &r, OpText &op);
bool form_tuple_element(Reader &r, OpText &op);

// gspmd_calls.cpp
bool lower_full_to_shard(Reader &r, OpText &op);
bool lower_shard_to_full(Reader &r, OpText &op);
bool lower_sharding_call(Reader &r, OpText &op);

// shorthands.cpp
bool lower_einsum(Reader &r, OpText &op);
bool lower_index_select(Reader &r, OpText &op);
bool lower_unary_einsum(Reader &r, OpText &op);

// simple_ops.cpp
bool lower_composite(Reader &r, OpText &op);
bool lower_dot(Reader &r, OpText &op);
bool lower_identity(Reader &r, OpText &op);
bool lower_rng(Reader &r, OpText &op);
bool lower_static(Reader &r, OpText &op);
bool lower_tuple(Reader &r, OpText &op);
bool lower_tuple_element(Reader &r, OpText &op);

} // namespace tw::import
