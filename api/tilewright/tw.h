/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tilewright: partitions n-d array programs over meshes of devices, and runs the result.
 *
 *   graph    an array program: built call by call, or read from StableHLO text as JAX prints it
 *   mesh     named axes over devices: "data=2,model=4"
 *   plan     graph + mesh + sharding actions, propagated through the whole program
 *   program  the device-local SPMD program that a plan lowers to, with every collective explicit
 *   executable, tensor   the program bound to kernels and memory, and the arrays it runs on
 *   run      an asynchronous run of an executable
 *   system, estimate     a machine, and what one run of a program takes there
 *
 * Ownership.  Objects are opaque and reference counted: a function that hands one out through `out_x` gives
 *   one reference to the caller, who ends it with tw_x_release (NULL is fine). tw_x_retain adds one and
 *   returns its argument. Objects keep what they are made of alive, so they may be released in any order.
 * Strings.    A `const char *` that a call returns, or writes to an output, is borrowed: it belongs to the
 *   object that is the first argument and is valid as long as that. Where no object is asked it is static
 *   storage, but for tw_error_message. Text that is made for the caller is a tw_blob_t, which the caller
 *   releases. Strings that are given to a call are copied or read, never kept. All are UTF-8:
 *   a program, a spec or a name that is not is TW_INVALID_ARGUMENT (TW-003). Names have escapes such as \x1b
 *   for control characters, and so do messages and reports.
 * Threads.    A call that takes an object as pointer to const may run at the same time as any other such call
 *   on it; a call that takes it as pointer to non-const needs it alone. Retain and release are always safe.
 *   tw_builder_t and tw_plan_t are built by one thread at a time; everything else never changes after it was
 *   made.
 * Errors.     A call that can fail returns tw_status_t. Outputs are written only on success. The detail (a
 *   stable id, one line of text, the position in the caller's input, the chain of causes) is kept per thread
 *   until the next failing call there: tw_error_message(), or tw_error_take() to own it. Nothing throws,
 *   aborts, exits or installs a signal handler.
 * Arrays.     (pointer, count) pairs. Sizes are in elements unless a name says bytes. Array data is dense and
 *   row-major (last dimension fastest). Shapes are int64_t. Dimensions and axes are listed major to minor.
 * Constants.  A set of constants is an enum tw_x beside a typedef int32_t tw_x_t, which arguments, fields and
 *   results have. TW_X_SIGNED, -1, is no value: with it the enum is an int in every compiler and every tool
 *   that makes bindings, so that constants compare with tw_x_t without a cast. Handles that are numbers are
 *   uint32_t, with 0xffffffff for none.
 * Options.    Option structs start with `size_t struct_size`; set it to sizeof the struct and leave the rest
 *   zero for the defaults. Fields are only ever appended. A struct_size that was not set is
 *   TW_INVALID_ARGUMENT; a field that a newer header has and the library that runs does not is
 *   TW_UNIMPLEMENTED where it is set. Small structs that stand in arrays (tw_attr_t, tw_type_t, tw_link_t)
 *   never change their size: they end in reserved words, which must be zero, so begin with a struct of zeros.
 *
 * A program in full (compiled and run as examples/01_mlp_four_devices.c):
 *
 *   tw_builder_t *b;  tw_graph_t *graph;  tw_mesh_t *mesh;
 *   tw_plan_t *plan;  tw_program_t *spmd;  tw_executable_t *exe;
 *   tw_builder_create("mlp", &b);                                     // errors are sticky: check at finish
 *   tw_value_t x  = tw_builder_argument(b, "x",  TW_F32, (int64_t[]){16, 256}, 2);
 *   tw_value_t w1 = tw_builder_argument(b, "w1", TW_F32, (int64_t[]){256, 1024}, 2);
 *   tw_value_t w2 = tw_builder_argument(b, "w2", TW_F32, (int64_t[]){1024, 256}, 2);
 *   tw_value_t h  = tw_builder_unary(b, "stablehlo.tanh", tw_builder_einsum(b, "bd,df->bf", x, w1));
 *   tw_builder_result(b, "y", tw_builder_einsum(b, "bf,fd->bd", h, w2));
 *   if (tw_builder_finish(b, &graph) != TW_OK) die(tw_error_message());
 *   tw_mesh_parse("data=2,model=2", &mesh);
 *   tw_plan_create(graph, mesh, NULL, &plan);
 *   tw_plan_tile(plan, "x", 0, "data");
 *   tw_plan_tile(plan, "w1", 1, "model");
 *   tw_plan_propagate(plan, TW_INFER_PROPAGATE);
 *   tw_program_lower(plan, NULL, &spmd);
 *   tw_executable_create(spmd, NULL, &exe);
 *   tw_executable_run(exe, inputs, 3, outputs, 1);                     // global arrays in, global arrays out
 */
#ifndef TW_TW_H
#define TW_TW_H

#define TW_UMBRELLA_ 1
#include <tilewright/tw_base.h>
#include <tilewright/tw_builder.h>
#include <tilewright/tw_custom.h>
#include <tilewright/tw_device.h>
#include <tilewright/tw_environment.h>
#include <tilewright/tw_estimate.h>
#include <tilewright/tw_graph.h>
#include <tilewright/tw_mesh.h>
#include <tilewright/tw_observe.h>
#include <tilewright/tw_page.h>
#include <tilewright/tw_picture.h>
#include <tilewright/tw_plan.h>
#include <tilewright/tw_program.h>
#include <tilewright/tw_redistribute.h>
#include <tilewright/tw_run.h>
#include <tilewright/tw_runtime.h>
#include <tilewright/tw_search.h>
#include <tilewright/tw_solve.h>
#include <tilewright/tw_store.h>
#include <tilewright/tw_walk.h>
#include <tilewright/tw_walk_plan.h>
#include <tilewright/tw_walk_program.h>
#undef TW_UMBRELLA_

#endif
