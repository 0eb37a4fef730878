/* SPDX-License-Identifier: Apache-2.0 */
/* tw_page.h: one file that asks for nothing, with the figures of the other calls. */
#include "support.h"

#include <stdio.h>

static tw_estimate_t *estimate_of(const tw_program_t *program) {
  tw_system_t *system = NULL;
  tw_estimate_t *estimate = NULL;
  assert_ok(tw_system_load("cpu-local", &system));
  assert_ok(tw_program_estimate(program, system, NULL, &estimate));
  tw_system_release(system);
  return estimate;
}

static void test_page(void **state) {
  (void)state;
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC);
  tw_estimate_t *estimate = estimate_of(program);
  const tw_page_options_t options = {.struct_size = sizeof options, .command = "tw report mlp </script>"};
  tw_blob_t *html = NULL;
  assert_ok(tw_program_page(program, estimate, &options, &html));
  const char *text = tw_blob_data(html);
  assert_contains(text, "<!doctype html>");
  assert_contains(text, "tw report mlp \\u003c/script\\u003e");
  char figure[64];
  snprintf(figure, sizeof figure, "\"bytes_received\":{\"max\":%lld,",
           (long long)tw_program_bytes_received(program));
  assert_contains(text, figure);
  snprintf(figure, sizeof figure, "\"peak_bytes\":%lld,", (long long)tw_program_peak_bytes(program));
  assert_contains(text, figure);
  for (const char *at = text; (at = strstr(at, "://")) != NULL; ++at) /* but for what SVG is called */
    if (strncmp(at, "://www.w3.org/2000/svg\\\"", 24) != 0)
      fail_msg("the page names an address: %.60s", at - 5);
  tw_blob_release(html);
  assert_ok(tw_program_page(program, NULL, NULL, &html)); /* no machine, and nothing else is known */
  tw_blob_release(html);
  tw_estimate_release(estimate);
  tw_program_release(program);
}

static void test_wrong(void **state) {
  (void)state;
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC),
               *other = make_mlp_program("data=2,model=4", MLP_SPEC);
  tw_estimate_t *estimate = estimate_of(other);
  tw_blob_t *html = UNTOUCHED(tw_blob_t);
  assert_fails(TW_INVALID_ARGUMENT, tw_program_page(program, estimate, NULL, &html));
  tw_page_options_t options = {.struct_size = sizeof options, .trace = "{}"};
  assert_fails(TW_INVALID_ARGUMENT, tw_program_page(program, NULL, &options, &html));
  options.trace = "\xff";
  assert_fails(TW_INVALID_ARGUMENT, tw_program_page(program, NULL, &options, &html));
  options.struct_size = 0;
  assert_fails(TW_INVALID_ARGUMENT, tw_program_page(program, NULL, &options, &html));
  assert_null_argument("program", tw_program_page(NULL, NULL, NULL, &html));
  assert_null_argument("out_html", tw_program_page(program, NULL, NULL, NULL));
  assert_ptr_equal(html, UNTOUCHED(tw_blob_t));
  tw_estimate_release(estimate);
  tw_program_release(other);
  tw_program_release(program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_page),
      cmocka_unit_test(test_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
