/* SPDX-License-Identifier: Apache-2.0 */
/* C walks, builds and shards every op: each program of the tree is built again, call by call, from what the
 * walk says of it. Both graphs print the same text, and the shardings that a plan gave to the arguments of
 * the one are those of the other, to whose arguments they were attached. */
#include "support.h"

#include <dirent.h>

struct rebuild {
  const tw_graph_t *from;
  tw_builder_t *to;
  tw_value_t *value;               /* of the new graph, by those of the old one */
  tw_sharding_t *const *shardings; /* by argument */
  size_t arguments, results;       /* so far */
};

static char met[1024]; /* ops, as tw_op_name counts them */

static void meet(const char *op) {
  size_t i = 0;
  while (i < tw_op_count() && strcmp(tw_op_name(i), op) != 0)
    ++i;
  assert_true(i < tw_op_count() && i < sizeof met);
  met[i] = 1;
}

static tw_type_t type_of(const tw_graph_t *graph, tw_value_t value) {
  tw_value_view_t view = {.struct_size = sizeof view};
  assert_ok(tw_graph_value(graph, value, &view));
  return (tw_type_t){.dtype = view.dtype, .dims = view.dims, .ndims = view.ndims};
}

static void *array(size_t count, size_t size) {
  void *made = calloc(count + 1, size);
  assert_non_null(made);
  return made;
}

static void keep_name(struct rebuild *r, tw_value_t old) {
  tw_blob_t *name = NULL;
  assert_ok(tw_graph_symbol(r->from, old, &name));
  tw_builder_name(r->to, r->value[old], tw_blob_data(name));
  tw_blob_release(name);
}

static void build_region(struct rebuild *r, tw_region_t region);

static tw_region_t build_inner(struct rebuild *r, tw_region_t region) {
  tw_region_view_t view = {.struct_size = sizeof view};
  assert_ok(tw_graph_region(r->from, region, &view));
  tw_type_t *types = array(view.num_arguments, sizeof *types);
  tw_value_t *made = array(view.num_arguments, sizeof *made),
             *yields = array(view.num_yields, sizeof *yields);
  for (uint32_t i = 0; i < view.num_arguments; ++i)
    types[i] = type_of(r->from, view.arguments[i]);
  tw_builder_begin_region(r->to, types, view.num_arguments, made);
  for (uint32_t i = 0; i < view.num_arguments; ++i) {
    r->value[view.arguments[i]] = made[i];
    keep_name(r, view.arguments[i]);
  }
  build_region(r, region);
  for (size_t i = 0; i < view.num_yields; ++i)
    yields[i] = r->value[view.yields[i]];
  const tw_region_t number = tw_builder_end_region(r->to, yields, view.num_yields);
  free(types);
  free(made);
  free(yields);
  return number;
}

static void build_argument(struct rebuild *r, const tw_op_view_t *op) {
  const size_t i = r->arguments++;
  const tw_type_t type = type_of(r->from, op->first_result);
  const char *name = tw_graph_argument_name(r->from, i);
  const int64_t donated = tw_graph_donated_to(r->from, i);
  const tw_value_t made = donated == -1
                              ? tw_builder_argument(r->to, name, type.dtype, type.dims, type.ndims)
                              : tw_builder_donated_argument(r->to, name, type.dtype, type.dims, type.ndims,
                                                            donated == -2 ? -1 : donated);
  if (r->shardings[i])
    tw_builder_shard(r->to, made, r->shardings[i]);
  r->value[op->first_result] = made;
  keep_name(r, op->first_result);
}

static void build_constant(struct rebuild *r, tw_op_t op, const tw_op_view_t *view) {
  const void *data = NULL;
  size_t bytes = 0;
  int is_splat = 0;
  assert_ok(tw_graph_constant(r->from, op, &data, &bytes, &is_splat));
  const tw_type_t type = type_of(r->from, view->first_result);
  r->value[view->first_result] =
      (is_splat ? tw_builder_fill : tw_builder_constant)(r->to, type.dtype, type.dims, type.ndims, data);
  keep_name(r, view->first_result);
}

static void build_op(struct rebuild *r, tw_op_t op) {
  tw_op_view_t view = {.struct_size = sizeof view};
  assert_ok(tw_graph_op(r->from, op, &view));
  meet(view.name);
  if (strcmp(view.name, "func.argument") == 0) {
    build_argument(r, &view);
    return;
  }
  if (strcmp(view.name, "func.result") == 0) {
    tw_builder_result(r->to, tw_graph_result_name(r->from, r->results++), r->value[view.operands[0]]);
    return;
  }
  if (strcmp(view.name, "stablehlo.constant") == 0) {
    build_constant(r, op, &view);
    return;
  }
  tw_value_t *operands = array(view.num_operands, sizeof *operands),
             *made = array(view.num_results, sizeof *made);
  tw_type_t *types = array(view.num_results, sizeof *types);
  tw_region_t *regions = array(view.num_regions, sizeof *regions);
  tw_attr_t *attrs = array(view.num_attrs, sizeof *attrs);
  for (uint32_t i = 0; i < view.num_operands; ++i)
    operands[i] = r->value[view.operands[i]];
  for (uint32_t i = 0; i < view.num_regions; ++i)
    regions[i] = build_inner(r, view.first_region + i);
  for (uint32_t i = 0; i < view.num_attrs; ++i)
    assert_ok(tw_graph_attr(r->from, op, i, &attrs[i]));
  for (uint32_t i = 0; i < view.num_results; ++i)
    types[i] = type_of(r->from, view.first_result + i);
  const tw_op_spec_t spec = {.struct_size = sizeof spec,
                             .name = view.name,
                             .operands = operands,
                             .num_operands = view.num_operands,
                             .regions = regions,
                             .num_regions = view.num_regions,
                             .attrs = attrs,
                             .num_attrs = view.num_attrs,
                             .result_types = types,
                             .num_result_types = view.num_results,
                             .line = view.line,
                             .column = view.column};
  tw_builder_op(r->to, &spec, made, view.num_results);
  for (uint32_t i = 0; i < view.num_results; ++i) {
    r->value[view.first_result + i] = made[i];
    keep_name(r, view.first_result + i);
  }
  free(operands);
  free(made);
  free(types);
  free(regions);
  free(attrs);
}

static void build_region(struct rebuild *r, tw_region_t region) {
  tw_region_view_t view = {.struct_size = sizeof view};
  assert_ok(tw_graph_region(r->from, region, &view));
  for (size_t i = 0; i < view.num_ops; ++i)
    build_op(r, view.ops[i]);
}

/* Tiles what can be of the first arguments along an axis, and propagates. */
static tw_plan_t *plan_of(const tw_graph_t *graph, const tw_mesh_t *mesh) {
  const tw_plan_options_t options = {.struct_size = sizeof options, .ignore_annotations = 1};
  tw_plan_t *plan = NULL;
  assert_ok(tw_plan_create(graph, mesh, &options, &plan));
  for (size_t i = 0; i < tw_graph_num_arguments(graph) && i < 3; ++i) {
    char name[32];
    snprintf(name, sizeof name, "arg%zu", i);
    if (tw_plan_tile(plan, name, 0, i % 2 ? "b" : "a") != TW_OK) /* a scalar, or a size that is too small */
      assert_true(strlen(tw_error_message()) > 0);
  }
  assert_ok(tw_plan_propagate(plan, TW_INFER_PROPAGATE));
  return plan;
}

static tw_blob_t *text_of(const tw_graph_t *graph, const char *form) {
  const tw_plan_options_t options = {.struct_size = sizeof options, .ignore_annotations = 1};
  tw_mesh_t *mesh = make_mesh("");
  tw_plan_t *plan = NULL;
  tw_blob_t *text = NULL;
  assert_ok(tw_plan_create(graph, mesh, &options, &plan));
  if (tw_plan_emit(plan, form, &text) != TW_OK)
    text = NULL; /* the form cannot express it */
  tw_plan_release(plan);
  tw_mesh_release(mesh);
  return text;
}

/* Whether annotations can say it: tiles that are balanced. */
static int can_be_attached(const tw_sharding_t *sharding) {
  size_t ndims = 0;
  tw_sharding_dims(sharding, &ndims);
  for (size_t d = 0; d < ndims; ++d) {
    tw_dim_sharding_t dim;
    assert_ok(tw_sharding_dim(sharding, d, &dim));
    if (dim.num_axes && (dim.split != TW_SPLIT_BALANCED || dim.unit != 1))
      return 0;
  }
  return 1;
}

static size_t texts = 0, shardings = 0, programs = 0, wrong = 0;
static int may_be_wrong = 0; /* texts of the folder at hand that are no programs, on purpose */

static void compare(const tw_graph_t *graph, const char *what) {
  tw_mesh_t *mesh = make_mesh("a=2,b=2");
  tw_plan_t *plan = plan_of(graph, mesh);
  const size_t n = tw_graph_num_arguments(graph);
  tw_sharding_t **wanted = array(n, sizeof *wanted);
  for (size_t i = 0; i < n; ++i)
    if (tw_graph_argument_dtype(graph, i) != TW_TOKEN) {
      assert_ok(tw_plan_argument_sharding(plan, i, &wanted[i]));
      if (!can_be_attached(wanted[i])) {
        tw_sharding_release(wanted[i]);
        wanted[i] = NULL;
      }
    }

  struct rebuild r = {.from = graph, .shardings = wanted};
  r.value = array(tw_graph_value_end(graph), sizeof *r.value);
  assert_ok(tw_builder_create(tw_graph_name(graph), &r.to));
  build_region(&r, 0);
  tw_graph_t *again = NULL;
  if (tw_builder_finish(r.to, &again) != TW_OK)
    fail_msg("%s: %s", what, tw_error_message());
  tw_builder_release(r.to);

  static const char *const forms[] = {"loops", "stablehlo+sdy", "stablehlo+sdy-all"};
  for (size_t f = 0; f < sizeof forms / sizeof *forms; ++f) {
    tw_blob_t *a = text_of(graph, forms[f]), *b = text_of(again, forms[f]);
    if (!a != !b)
      fail_msg("%s: only one of the two graphs prints as %s", what, forms[f]);
    if (!a)
      continue;
    if (strstr(tw_blob_data(a), "mhlo.memory_kind") != NULL) { /* a builder has no words for it */
      tw_blob_release(a);
      tw_blob_release(b);
      continue;
    }
    ++texts;
    if (strcmp(tw_blob_data(a), tw_blob_data(b)) != 0)
      fail_msg("%s: the texts of %s differ:\n%s\n%s", what, forms[f], tw_blob_data(a), tw_blob_data(b));
    tw_blob_release(a);
    tw_blob_release(b);
  }

  tw_plan_t *annotated = NULL;
  assert_ok(tw_plan_create(again, mesh, NULL, &annotated));
  for (size_t i = 0; i < n; ++i)
    if (wanted[i]) {
      tw_sharding_t *found = NULL;
      assert_ok(tw_plan_argument_sharding(annotated, i, &found));
      /* What a tie leaves whole is open: the annotations together may decide it. */
      if (!tw_sharding_equal(found, wanted[i]) &&
          (tw_plan_num_conflicts(plan) == 0 || !tw_sharding_is_whole(wanted[i])))
        fail_msg("%s: argument %zu has another sharding than was attached", what, i);
      shardings += !tw_sharding_is_whole(found);
      tw_sharding_release(found);
      tw_sharding_release(wanted[i]);
    }
  ++programs;
  tw_plan_release(annotated);
  tw_plan_release(plan);
  tw_graph_release(again);
  tw_mesh_release(mesh);
  free(wanted);
  free(r.value);
}

static void import_and_compare(const char *text, size_t size, const char *entry, const char *what) {
  const tw_import_options_t options = {.struct_size = sizeof options, .file = what, .entry = entry};
  tw_graph_t *graph = NULL;
  if (tw_graph_import(text, size, &options, &graph) != TW_OK) {
    if (!may_be_wrong)
      fail_msg("%s: %s", what, tw_error_message());
    ++wrong;
    return;
  }
  compare(graph, what);
  tw_graph_release(graph);
}

/* The functions of a text that others may call, where none of several is @main: each is a program. */
static void each_program(const char *text, size_t size, const char *what) {
  char *copy = array(size, 1);
  memcpy(copy, text, size);
  char names[64][64];
  int count = 0, has_main = 0;
  for (const char *at = strstr(copy, "func.func"); at && count < 64; at = strstr(at + 1, "func.func")) {
    const char *name = strchr(at, '@'), *secret = strstr(at, "private");
    if (!name || (secret && secret < name))
      continue;
    snprintf(names[count], sizeof names[count], "%.*s", (int)strcspn(name + 1, "("), name + 1);
    has_main |= strcmp(names[count], "main") == 0;
    ++count;
  }
  if (count <= 1 || has_main)
    import_and_compare(text, size, NULL, what);
  else
    for (int i = 0; i < count; ++i)
      import_and_compare(text, size, names[i], what);
  free(copy);
}

static void each_part(const char *path) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  char *text = array(size, 1);
  assert_int_equal(fread(text, 1, size, file), size);
  fclose(file);
  char *begin = text;
  for (char *line = strstr(text, "\n// -----"); line; line = strstr(begin, "\n// -----")) {
    each_program(begin, (size_t)(line + 1 - begin), path);
    begin = line + 1 + strcspn(line + 1, "\n");
  }
  each_program(begin, strlen(begin), path);
  free(text);
}

static void each_file(const char *folder) {
  char path[1024];
  snprintf(path, sizeof path, TW_TEST_DATA "/../../../%s", folder);
  DIR *all = opendir(path);
  assert_non_null(all);
  for (struct dirent *entry = readdir(all); entry; entry = readdir(all)) {
    const size_t length = strlen(entry->d_name);
    if (length < 5 || strcmp(entry->d_name + length - 5, ".mlir") != 0)
      continue;
    snprintf(path, sizeof path, TW_TEST_DATA "/../../../%s/%s", folder, entry->d_name);
    each_part(path);
  }
  closedir(all);
}

static void test_rebuild(void **state) {
  may_be_wrong = 0;
  each_file(*state);
}
static void test_rebuild_what_is_right(void **state) {
  may_be_wrong = 1;
  each_file(*state);
}

static void test_something_was_compared(void **state) {
  (void)state;
  print_message("%zu programs, %zu texts, %zu tiled arguments; %zu texts are no programs\n", programs, texts,
                shardings, wrong);
  for (size_t i = 0; i < tw_op_count(); ++i)
    if (!met[i])
      fail_msg("no program has %s", tw_op_name(i));
  assert_true(programs > 200 && texts > 2 * programs && shardings > 300 && wrong < programs / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(test_rebuild, "tests/golden/programs"),
      cmocka_unit_test_prestate(test_rebuild, "tests/golden/checked"),
      cmocka_unit_test_prestate(test_rebuild, "examples/models"),
      cmocka_unit_test_prestate(test_rebuild, "examples/models/zoo"),
      cmocka_unit_test_prestate(test_rebuild, "tests/golden/comparison"),
      cmocka_unit_test_prestate(test_rebuild, "tests/golden/oracles"),
      cmocka_unit_test_prestate(test_rebuild_what_is_right, "tests/api/data"),
      cmocka_unit_test_prestate(test_rebuild_what_is_right, "tests/golden/cli"),
      cmocka_unit_test_prestate(test_rebuild_what_is_right, "tests/fuzz/corpus/import"),
      cmocka_unit_test(test_something_was_compared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
