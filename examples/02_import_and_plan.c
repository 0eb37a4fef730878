/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a StableHLO program, applies a spec over a mesh, and says what every device holds, what must be sent,
 * and why; runs nothing. Usage: 02_import_and_plan MODEL.mlir MESH SPEC.txt VALUE */
#include <stdio.h>
#include <stdlib.h>

#include <tilewright/tw.h>

/* Everything the error knows: position in our text, one line, then the source line with a caret, the
 * nearest names, the causes. */
static void must(tw_status_t status) {
  if (status == TW_OK)
    return;
  tw_error_t *error;
  tw_error_take(&error);
  fprintf(stderr, "%s:%u:%u: %s [%s]\n", tw_error_file(error), tw_error_line(error), tw_error_column(error),
          tw_error_text(error), tw_error_id(error));
  for (size_t i = 0; i < tw_error_num_notes(error); ++i)
    fprintf(stderr, "%s\n", tw_error_note(error, i));
  tw_error_release(error);
  exit(1);
}

static char *read_file(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  if (!f || fseek(f, 0, SEEK_END) != 0) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  *size = (size_t)ftell(f);
  rewind(f);
  char *bytes = malloc(*size + 1);
  if (!bytes || fread(bytes, 1, *size, f) != *size) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  fclose(f);
  return bytes;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: %s MODEL.mlir MESH SPEC.txt VALUE\n", argv[0]);
    return 2;
  }
  size_t text_size, spec_size;
  char *text = read_file(argv[1], &text_size), *spec = read_file(argv[3], &spec_size);
  tw_graph_t *graph;
  tw_mesh_t *mesh;
  tw_plan_t *plan;
  tw_program_t *program;
  tw_blob_t *why, *report;

  tw_import_options_t options = {.struct_size = sizeof options, .file = argv[1]};
  must(tw_graph_import(text, text_size, &options, &graph));
  printf("%s: %zu ops, %zu arguments\n", tw_graph_name(graph), tw_graph_num_ops(graph),
         tw_graph_num_arguments(graph));

  must(tw_mesh_parse(argv[2], &mesh));
  must(tw_plan_create(graph, mesh, NULL, &plan));
  must(tw_plan_apply(plan, spec, spec_size, argv[3]));
  must(tw_plan_explain(plan, argv[4], NULL, &why));
  printf("\n%s", tw_blob_data(why));

  must(tw_program_lower(plan, NULL, &program));
  must(tw_program_report(program, 100, &report));
  printf("\n%s", tw_blob_data(report));
  const size_t failed = tw_program_num_failed_expectations(program);

  tw_blob_release(report);
  tw_blob_release(why);
  tw_program_release(program);
  tw_plan_release(plan);
  tw_mesh_release(mesh);
  tw_graph_release(graph);
  free(spec);
  free(text);
  return failed == 0 ? 0 : 1;
}
