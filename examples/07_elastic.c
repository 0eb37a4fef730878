/* SPDX-License-Identifier: Apache-2.0 */
/* Training on processes that come and go. Four processes with two devices each train; one is killed, the
 * other three go on, and later a new one joins. Each time the processes that are there make a new
 * communicator and a new program, and the state moves to it: from devices that hold it, and what only lost
 * devices held from a checkpoint. The losses are those of a run that nothing interrupted, bit for bit, since
 * every sum is split as before: the batch always over data=2.
 *
 *   07_elastic [FOLDER]      // where processes meet, and checkpoints lie; else one that is removed
 *
 * Longer than other examples: it has who watches over the processes too. */
#include "socket_transport.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <tilewright/tw.h>

enum { PLACES = 4, EACH = 2, BATCH = 16, ROWS = 13, COLUMNS = 26, STEPS = 24, KILLED_AT = 8, JOINS_AT = 16 };
enum { W, M, X, T, ARGUMENTS }; /* weights and momentum are also results 0 and 1, and 2 is the loss */
enum { STATE = 2, RESULTS = 3 };

static const char program_text[] =
    "func.func @main(%w: tensor<13x26xf32>, %m: tensor<13x26xf32>, %x: tensor<16x13xf32>,\n"
    "    %t: tensor<16x26xf32>) -> (tensor<13x26xf32>, tensor<13x26xf32>, tensor<26xf32>) {\n"
    "  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]\n"
    "      : (tensor<16x13xf32>, tensor<13x26xf32>) -> tensor<16x26xf32>\n"
    "  %e = stablehlo.subtract %y, %t : tensor<16x26xf32>\n"
    "  %g = stablehlo.dot_general %x, %e, contracting_dims = [0] x [0]\n"
    "      : (tensor<16x13xf32>, tensor<16x26xf32>) -> tensor<13x26xf32>\n"
    "  %keep = stablehlo.constant dense<0.9> : tensor<13x26xf32>\n"
    "  %rate = stablehlo.constant dense<0.002> : tensor<13x26xf32>\n"
    "  %kept = stablehlo.multiply %m, %keep : tensor<13x26xf32>\n"
    "  %m1 = stablehlo.add %kept, %g : tensor<13x26xf32>\n"
    "  %change = stablehlo.multiply %m1, %rate : tensor<13x26xf32>\n"
    "  %w1 = stablehlo.subtract %w, %change : tensor<13x26xf32>\n"
    "  %square = stablehlo.multiply %e, %e : tensor<16x26xf32>\n"
    "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %loss = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0]\n"
    "      : (tensor<16x26xf32>, tensor<f32>) -> tensor<26xf32>\n"
    "  return %w1, %m1, %loss : tensor<13x26xf32>, tensor<13x26xf32>, tensor<26xf32>\n"
    "}\n";

/* Each device has columns of the weights, and so does one of the other half of the batch: what is lost with
 * a process another has. The momentum lies once, in rows too. */
static const char spec[] = "tile(arg=2, dim=0, axis=data); tile(arg=3, dim=0, axis=data)\n"
                           "tile(arg=0, dim=1, axis=model); infer-propagate\n"
                           "atomic(arg=0, axis=data); tile(arg=1, dim=0, axis=data); infer-propagate\n"
                           "shard(result=0, [{}, {model}]); shard(result=1, [{data}, {model}])\n"
                           "shard(result=2, [{}])\n";

static void must(tw_status_t status) {
  if (status == TW_OK)
    return;
  fprintf(stderr, "%s\n", tw_error_message());
  exit(1);
}

static int count(int places) {
  int n = 0;
  for (int p = 0; p < PLACES; ++p)
    n += places >> p & 1;
  return n;
}

/* The program for the processes at some places (bits). Place p has devices 2p and 2p+1, always. */
static tw_program_t *program_for(int places) {
  tw_graph_t *graph;
  tw_mesh_t *axes, *mesh;
  tw_plan_t *plan;
  tw_program_t *program;
  char text[48];
  int64_t ids[PLACES * EACH];
  size_t devices = 0;
  for (int p = 0; p < PLACES; ++p)
    for (int d = 0; d < EACH; ++d)
      if (places >> p & 1)
        ids[devices++] = p * EACH + d;
  snprintf(text, sizeof text, "data=2,model=%zu", devices / 2);
  must(tw_graph_import(program_text, sizeof program_text - 1, NULL, &graph));
  must(tw_mesh_parse(text, &axes));
  must(tw_mesh_with_devices(axes, ids, devices, &mesh));
  must(tw_plan_create(graph, mesh, NULL, &plan));
  must(tw_plan_apply(plan, spec, sizeof spec - 1, "spec"));
  must(tw_program_lower(plan, NULL, &program));
  tw_plan_release(plan);
  tw_mesh_release(mesh);
  tw_mesh_release(axes);
  tw_graph_release(graph);
  return program;
}

/* Who is there, as whoever watches over the processes says (here: main): a file for each meeting. */
struct members {
  int before, now, lost; /* places: of the meeting before, of this one, and those that are gone in between */
};

static int read_members(const char *folder, int meeting, struct members *m) {
  char path[256];
  snprintf(path, sizeof path, "%s/members.%d", folder, meeting);
  FILE *file = fopen(path, "r");
  const int complete = file && fscanf(file, "%d %d %d", &m->before, &m->now, &m->lost) == 3;
  if (file)
    fclose(file);
  return complete;
}

static void write_members(const char *folder, int meeting, struct members m) {
  char path[256], fresh[264];
  snprintf(path, sizeof path, "%s/members.%d", folder, meeting);
  snprintf(fresh, sizeof fresh, "%s.new", path);
  FILE *file = fopen(fresh, "w");
  if (!file || fprintf(file, "%d %d %d\n", m.before, m.now, m.lost) < 0 || fclose(file) != 0 ||
      rename(fresh, path) != 0)
    abort();
}

/* What a process has: the state before its last step and behind it, since the others may not have got as
 * far. */
struct worker {
  const char *folder;
  int place, meeting, quiet;
  tw_comm_t *comm;
  tw_program_t *program;
  tw_executable_t *executable;
  int64_t done;                             /* steps */
  tw_tensor_t *state[2][STATE * EACH];      /* of step s: state[s % 2], array by array, device by device */
  tw_tensor_t *data[2 * EACH], *loss[EACH]; /* x and t; the loss on each device */
  float losses[STEPS];
};

static tw_tensor_t *tile_of(const struct worker *w, int is_result, size_t index, size_t device, size_t rank) {
  int64_t offset[2], extent[2];
  tw_tensor_t *tensor;
  must(tw_executable_tile(w->executable, is_result, index, device, offset, extent));
  must(tw_tensor_create(NULL, TW_F32, extent, rank, &tensor));
  return tensor;
}

/* The part of `whole` rows and columns that device d has. */
static void fill(const struct worker *w, size_t argument, size_t d, tw_tensor_t *tile, uint64_t stream) {
  const int64_t whole[ARGUMENTS][2] = {{ROWS, COLUMNS}, {ROWS, COLUMNS}, {BATCH, ROWS}, {BATCH, COLUMNS}};
  int64_t offset[2], extent[2];
  must(tw_executable_tile(w->executable, 0, argument, d, offset, extent));
  must(
      tw_tensor_fill_part(tile, whole[argument], offset, argument == M ? "zeros" : "normal(0,1)", 1, stream));
}

static void checkpoint_path(const struct worker *w, char *path, size_t size, int64_t step) {
  snprintf(path, size, "%s/m.%lld.npy", w->folder, (long long)step);
}

/* Momentum lies on one device only, so each step leaves it on disk; a mark says that this process's is. */
static void write_checkpoint(const struct worker *w) {
  char path[256], fresh[264];
  checkpoint_path(w, path, sizeof path, w->done);
  for (size_t d = 0; d < EACH; ++d) {
    int64_t offset[2], extent[2];
    must(tw_executable_tile(w->executable, 1, M, d, offset, extent));
    must(tw_store_write_part(path, (int64_t[]){ROWS, COLUMNS}, offset, w->state[w->done % 2][M * EACH + d]));
  }
  snprintf(path, sizeof path, "%s/written.%d", w->folder, w->place);
  snprintf(fresh, sizeof fresh, "%s.new", path);
  FILE *file = fopen(fresh, "w");
  if (!file || fprintf(file, "%lld\n", (long long)w->done) < 0 || fclose(file) != 0 ||
      rename(fresh, path) != 0)
    abort();
}

/* Up to which step all have come: those that are here, and those that are gone with what they left. A new
 * process has done nothing, and is not asked. */
static int64_t common_step(const struct worker *w, struct members m) {
  int64_t least = INT64_MAX;
  for (int p = 0, rank = 0; p < PLACES; ++p) {
    int64_t step = INT64_MAX;
    if (m.now >> p & 1) {
      step = m.before >> p & 1 && !(m.lost >> p & 1) ? w->done : INT64_MAX;
      must(tw_comm_share(w->comm, rank++, &step));
    }
    if (m.lost >> p & 1) {
      char path[256];
      long long written = 0;
      snprintf(path, sizeof path, "%s/written.%d", w->folder, p);
      FILE *file = fopen(path, "r");
      if (!file || fscanf(file, "%lld", &written) != 1)
        abort();
      fclose(file);
      step = written < step ? written : step;
    }
    least = step < least ? step : least;
  }
  return least;
}

/* The state goes from the devices of the old program that are left to those of the new one. */
static void move_state(struct worker *w, struct members m, const tw_program_t *old,
                       tw_tensor_t *const *from) {
  tw_redistribution_t *plans[STATE];
  tw_redistributor_t *mover;
  int64_t lost[PLACES * EACH];
  char levels[16];
  size_t num_lost = 0;
  for (int p = 0; p < PLACES; ++p)
    for (int d = 0; d < EACH; ++d)
      if (m.lost >> p & 1)
        lost[num_lost++] = p * EACH + d;
  snprintf(levels, sizeof levels, "node=%d", count(m.now));
  for (size_t a = 0; a < STATE; ++a) {
    tw_sharding_t *before, *after;
    must(tw_program_result_sharding(old, a, &before));
    must(tw_program_argument_sharding(w->program, a, &after));
    const tw_redistribution_options_t options = {
        .struct_size = sizeof options, .levels = levels, .lost = lost, .num_lost = num_lost};
    must(tw_redistribution_between(before, after, TW_F32, &options, &plans[a]));
    tw_sharding_release(before);
    tw_sharding_release(after);
  }
  const tw_redistributor_options_t options = {.struct_size = sizeof options, .comm = w->comm};
  must(tw_redistributor_create((const tw_redistribution_t *const *)plans, STATE, &options, &mover));

  /* Tiles of this process, where each plan counts its devices. */
  const size_t devices = tw_redistribution_num_devices(plans[0]);
  const void *src[STATE * PLACES * EACH] = {NULL};
  void *dst[STATE * PLACES * EACH] = {NULL};
  for (size_t a = 0; a < STATE; ++a)
    for (size_t d = 0; d < devices; ++d) {
      const int64_t id = tw_redistribution_device_id(plans[a], d);
      if (id / EACH != w->place)
        continue;
      const size_t own = a * EACH + (size_t)(id % EACH);
      if (from[own])
        src[a * devices + d] = tw_tensor_const_data(from[own]);
      dst[a * devices + d] = tw_tensor_data(w->state[w->done % 2][own]);
    }
  must(tw_redistributor_run(mover, src, dst));

  /* What nobody has any more. */
  int64_t restored = 0, received = 0;
  for (size_t a = 0; a < STATE; ++a) {
    tw_store_t *checkpoint = NULL;
    char path[256];
    checkpoint_path(w, path, sizeof path, w->done);
    if (tw_redistribution_num_missing(plans[a]))
      must(tw_store_open(path, NULL, &checkpoint));
    for (size_t d = 0; d < devices; ++d) {
      int64_t bytes = 0;
      received += tw_redistribution_bytes_received(plans[a], d);
      const int64_t id = tw_redistribution_device_id(plans[a], d);
      if (checkpoint && id / EACH == w->place)
        must(tw_store_read_missing(checkpoint, 0, plans[a], d,
                                   w->state[w->done % 2][a * EACH + (size_t)(id % EACH)], &bytes));
      restored += bytes;
    }
    tw_store_release(checkpoint);
    tw_redistribution_release(plans[a]);
  }
  tw_redistributor_release(mover);
  int64_t all = 0;
  for (int rank = 0; rank < count(m.now); ++rank) {
    int64_t one = restored;
    must(tw_comm_share(w->comm, rank, &one));
    all += one;
  }
  if (!w->quiet && tw_comm_rank(w->comm) == 0)
    printf("step %2lld: %d processes; devices received %lld B of state, %lld B came from the checkpoint\n",
           (long long)w->done, count(m.now), (long long)received, (long long)all);
}

/* A new communicator and a new program, and the state there. */
static void meet(struct worker *w) {
  struct members m;
  int sockets[MOST_PROCESSES], rank = 0;
  for (int tries = 0; !read_members(w->folder, w->meeting, &m); ++tries) {
    if (tries == 20000)
      abort();
    wait_a_little();
  }
  for (int p = 0; p < w->place; ++p)
    rank += m.now >> p & 1;
  if (!meet_in_folder(w->folder, w->meeting, rank, count(m.now), 20, sockets))
    abort();
  const tw_transport_t transport = {.struct_size = sizeof transport,
                                    .rank = rank,
                                    .size = count(m.now),
                                    .highest_tag = 1 << 20,
                                    .prepare = sockets_prepare,
                                    .start = sockets_start,
                                    .test = sockets_test,
                                    .missing = sockets_missing,
                                    .give_up = sockets_give_up,
                                    .release = sockets_release,
                                    .broadcast = sockets_broadcast,
                                    .poll = sockets_poll,
                                    .user = new_sockets(rank, count(m.now), sockets),
                                    .destroy = sockets_close};
  tw_tensor_t *from[STATE * EACH] = {NULL};
  tw_program_t *old = w->program;
  const int is_new = !w->comm;
  tw_executable_release(w->executable);
  tw_comm_release(w->comm);
  must(tw_comm_create_transport(&transport, 20, &w->comm));
  w->program = program_for(m.now);
  const tw_executable_options_t options = {
      .struct_size = sizeof options, .comm = w->comm, .tiles = 1, .workers = 1};
  must(tw_executable_create(w->program, &options, &w->executable));

  if (m.before) {
    const int64_t step = common_step(w, m);
    if (!is_new)
      memcpy(from, w->state[step % 2], sizeof from);
    for (int i = 0; i < STATE * EACH && !is_new; ++i)
      tw_tensor_release(w->state[(step + 1) % 2][i]);
    w->done = step;
  }
  for (int i = 0; i < EACH; ++i) {
    for (int a = 0; a < STATE; ++a) {
      w->state[0][a * EACH + i] = tile_of(w, 0, (size_t)a, (size_t)i, 2);
      w->state[1][a * EACH + i] = tile_of(w, 0, (size_t)a, (size_t)i, 2);
      tw_tensor_release(w->data[a * EACH + i]);
      w->data[a * EACH + i] = tile_of(w, 0, (size_t)(X + a), (size_t)i, 2);
    }
    tw_tensor_release(w->loss[i]);
    w->loss[i] = tile_of(w, 1, 2, (size_t)i, 1);
  }
  if (m.before) {
    if (is_new)
      old = program_for(m.before);
    move_state(w, m, old, from);
    for (int i = 0; i < STATE * EACH; ++i)
      tw_tensor_release(from[i]);
    tw_program_release(old);
  } else {
    for (int a = 0; a < STATE; ++a)
      for (size_t d = 0; d < EACH; ++d)
        fill(w, (size_t)a, d, w->state[0][(size_t)a * EACH + d], (uint64_t)a);
  }
  write_checkpoint(w);
  ++w->meeting;
}

/* A step, from the state of one buffer to that of the other; data depend on the step alone. */
static tw_status_t step(struct worker *w) {
  const tw_tensor_t *inputs[ARGUMENTS * EACH];
  tw_tensor_t *outputs[RESULTS * EACH];
  for (size_t d = 0; d < EACH; ++d) {
    fill(w, X, d, w->data[d], 100 + 2 * (uint64_t)w->done);
    fill(w, T, d, w->data[EACH + d], 101 + 2 * (uint64_t)w->done);
    outputs[STATE * EACH + d] = w->loss[d];
  }
  for (int i = 0; i < STATE * EACH; ++i) {
    inputs[i] = w->state[w->done % 2][i];
    inputs[STATE * EACH + i] = w->data[i];
    outputs[i] = w->state[(w->done + 1) % 2][i];
  }
  const tw_status_t status =
      tw_executable_run(w->executable, inputs, ARGUMENTS * EACH, outputs, RESULTS * EACH);
  if (status != TW_OK)
    return status;
  const float *columns = tw_tensor_const_data(w->loss[0]);
  float sum = 0;
  for (int c = 0; c < COLUMNS; ++c)
    sum += columns[c];
  w->losses[w->done++] = sum;
  write_checkpoint(w);
  return TW_OK;
}

/* Whether another meeting is due, as process 0 sees it, so that all see it at the same step. */
static tw_status_t is_called(const struct worker *w, int *called) {
  struct members m;
  int64_t answer = read_members(w->folder, w->meeting, &m);
  const tw_status_t status = tw_comm_share(w->comm, 0, &answer);
  *called = answer != 0;
  return status;
}

static void train(const char *folder, int place, int meeting, int interrupted) {
  struct worker w = {.folder = folder, .place = place, .meeting = meeting, .quiet = !interrupted};
  char path[256];
  meet(&w);
  while (w.done < STEPS) {
    int called = 0;
    /* Whoever watches knows how far they are: here, who shall be killed or joined is known by the step. */
    if (interrupted && w.done == JOINS_AT && place == 0 && w.meeting == 2) {
      snprintf(path, sizeof path, "%s/join", folder);
      fclose(fopen(path, "w"));
      struct members m;
      while (!read_members(folder, w.meeting, &m))
        wait_a_little();
    }
    tw_status_t status = is_called(&w, &called);
    if (interrupted && w.done == KILLED_AT && place == 2 && w.meeting == 1)
      raise(SIGKILL);
    if (status == TW_OK && !called)
      status = step(&w);
    if (status != TW_OK && !w.quiet && tw_comm_rank(w.comm) == 0)
      printf("step %2lld: %s\n", (long long)w.done, tw_error_message());
    if (status != TW_OK || called)
      meet(&w);
  }
  if (place == 0) {
    snprintf(path, sizeof path, "%s/losses", folder);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(w.losses, sizeof w.losses, 1, file) != 1 || fclose(file) != 0)
      abort();
  }
  exit(0); /* with all memory: the processes end here */
}

static pid_t start(const char *folder, int place, int meeting, int interrupted) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0)
    train(folder, place, meeting, interrupted);
  return child;
}

/* Starts the processes and watches over them: one that was killed makes the others meet without it, and one
 * that shall join makes all meet. 0: all ended well. */
static int watch(const char *folder, int interrupted) {
  pid_t children[PLACES];
  char path[256];
  int here = (1 << PLACES) - 1, running = PLACES, meeting = 0, failed = 0;
  mkdir(folder, 0700);
  write_members(folder, meeting, (struct members){0, here, 0});
  for (int p = 0; p < PLACES; ++p)
    children[p] = start(folder, p, 0, interrupted);
  while (running > 0) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, WNOHANG);
    snprintf(path, sizeof path, "%s/join", folder);
    if (ended == 0) {
      const int free_place = ~here & ((1 << PLACES) - 1);
      if (free_place && access(path, F_OK) == 0) {
        unlink(path);
        write_members(folder, ++meeting, (struct members){here, here | free_place, 0});
        here |= free_place;
        for (int p = 0; p < PLACES; ++p)
          if (free_place >> p & 1) {
            children[p] = start(folder, p, meeting, interrupted);
            ++running;
          }
      }
      wait_a_little();
      continue;
    }
    --running;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
      int place = 0;
      while (children[place] != ended)
        ++place;
      write_members(folder, ++meeting, (struct members){here, here & ~(1 << place), 1 << place});
      here &= ~(1 << place);
    } else {
      failed += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
      if (failed)
        for (int p = 0; p < PLACES; ++p) /* the others wait for nobody */
          kill(children[p], SIGTERM);
    }
  }
  return failed;
}

static int read_losses(const char *folder, float *losses) {
  char path[256];
  snprintf(path, sizeof path, "%s/losses", folder);
  FILE *file = fopen(path, "rb");
  const int complete = file && fread(losses, sizeof(float), STEPS, file) == STEPS;
  if (file)
    fclose(file);
  return complete;
}

/* What a run left; files alone. */
static void remove_folder(const char *folder) {
  DIR *all = opendir(folder);
  for (struct dirent *entry; all && (entry = readdir(all)) != NULL;) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    unlink(path);
  }
  if (all)
    closedir(all);
  rmdir(folder);
}

int main(int argc, char **argv) {
  char made[] = "/tmp/elastic.XXXXXX", calm[200], changing[200];
  const char *folder = argc > 1 ? argv[1] : mkdtemp(made);
  float expected[STEPS], losses[STEPS];
  if (!folder || (argc > 1 && mkdir(folder, 0700) != 0 && errno != EEXIST)) {
    perror("the folder cannot be made");
    return 1;
  }
  snprintf(calm, sizeof calm, "%s/calm", folder);
  snprintf(changing, sizeof changing, "%s/changing", folder);
  if (watch(calm, 0) || watch(changing, 1) || !read_losses(calm, expected) ||
      !read_losses(changing, losses)) {
    fprintf(stderr, "a process failed\n");
    return 1;
  }
  if (argc < 2) {
    remove_folder(calm);
    remove_folder(changing);
    rmdir(folder);
  }
  const int same = memcmp(expected, losses, sizeof losses) == 0;
  printf("%d steps: the loss fell from %.1f to %.1f, %s a run that nothing interrupted\n", STEPS, losses[0],
         losses[STEPS - 1], same ? "bit for bit as in" : "UNLIKE");
  return !same;
}
