/* SPDX-License-Identifier: Apache-2.0 */
/* Processes of one machine that talk over sockets, as the functions of <tilewright/tw_transport.h>: what they
 * have to do, in little code. A message is its tag, its size and its bytes. Whatever is asked sends what the
 * sockets take and receives what has come; nothing waits. */
#ifndef SOCKET_TRANSPORT_H
#define SOCKET_TRANSPORT_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* sockets: this file is the first that is included */
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <tilewright/tw_transport.h>

#define MOST_PROCESSES 16
#define NEWS_TAG (-1) /* of what is told to all */

struct head {
  int64_t tag, bytes;
};

/* Bytes that wait: to be sent, or of a message that has come. */
struct waiting {
  struct waiting *next;
  struct head head;
  size_t at, size; /* done, of all */
  char *bytes;
};
struct line {
  struct waiting *first, **end;
};

struct socket_peer {
  int socket;
  struct line out, in; /* `in`: whole messages, and one that is coming at the end of them */
  struct waiting *coming;
  size_t head_at; /* bytes of its head that are there */
  struct head head;
};

typedef struct socket_processes {
  int rank, size;
  struct socket_peer peers[MOST_PROCESSES];
} socket_processes_t;

/* Messages of a batch, and which of them are not through. */
struct socket_batch {
  size_t count;
  tw_message_t *messages;
  int *is_open;
};

static void *need(void *memory) {
  if (!memory)
    abort();
  return memory;
}

/* All pairs of sockets, before processes part: pairs[i][j] is process i's to j. */
static inline void socket_pairs(int size, int pairs[MOST_PROCESSES][MOST_PROCESSES]) {
  for (int i = 0; i < size; ++i)
    for (int j = i; j < size; ++j) {
      int both[2] = {-1, -1};
      if (i != j && socketpair(AF_UNIX, SOCK_STREAM, 0, both) != 0)
        abort();
      pairs[i][j] = both[0];
      pairs[j][i] = both[1];
    }
}

static void wait_a_little(void) { nanosleep(&(struct timespec){0, 1000000}, NULL); }

/* The same for processes that are on their way already: they meet in a folder, under a number of their own.
 * 0: one of them did not come within `seconds`. Each process opens a socket that has its number there, and
 * calls those before it. */
static inline int meet_in_folder(const char *folder, int meeting, int rank, int size, double seconds,
                                 int *sockets) {
  struct sockaddr_un own = {.sun_family = AF_UNIX};
  const int door = socket(AF_UNIX, SOCK_STREAM, 0);
  int tries = (int)(seconds * 1000), open = 0;
  snprintf(own.sun_path, sizeof own.sun_path, "%s/%d.%d", folder, meeting, rank);
  if (door < 0 || bind(door, (struct sockaddr *)&own, sizeof own) != 0 || listen(door, size) != 0)
    abort();
  fcntl(door, F_SETFL, O_NONBLOCK);
  for (int p = 0; p < size; ++p)
    sockets[p] = -1;
  for (int p = 0; p < rank; ++p) {
    struct sockaddr_un other = {.sun_family = AF_UNIX};
    snprintf(other.sun_path, sizeof other.sun_path, "%s/%d.%d", folder, meeting, p);
    sockets[p] = socket(AF_UNIX, SOCK_STREAM, 0);
    while (connect(sockets[p], (struct sockaddr *)&other, sizeof other) != 0 && tries-- > 0)
      wait_a_little();
    open += send(sockets[p], &rank, sizeof rank, MSG_NOSIGNAL) == sizeof rank;
  }
  while (open < size - 1 && tries-- > 0) {
    int caller = -1;
    const int socket = accept(door, NULL, NULL);
    if (socket < 0) {
      wait_a_little();
    } else if (recv(socket, &caller, sizeof caller, MSG_WAITALL) == sizeof caller && caller > rank &&
               caller < size) {
      sockets[caller] = socket;
      ++open;
    } else {
      close(socket);
    }
  }
  close(door);
  unlink(own.sun_path);
  return open == size - 1;
}

static void put_last(struct line *line, struct waiting *one) {
  if (!line->first)
    line->end = &line->first;
  *line->end = one;
  line->end = &one->next;
}

static struct waiting *new_waiting(struct head head, size_t size) {
  struct waiting *one = need(calloc(1, sizeof *one));
  one->head = head;
  one->size = size;
  one->bytes = need(malloc(size ? size : 1));
  return one;
}

static void forget(struct line *line) {
  while (line->first) {
    struct waiting *next = line->first->next;
    free(line->first->bytes);
    free(line->first);
    line->first = next;
  }
}

/* Calls visit for each run of a message; loops count like the digits of a number. */
static void each_run(const tw_message_t *m, char *packed, int packs) {
  int64_t at[16] = {0};
  for (;;) {
    char *run = m->data;
    for (size_t l = 0; l < m->num_loops; ++l)
      run += at[l] * m->loops[l].stride;
    memcpy(packs ? packed : run, packs ? run : packed, (size_t)m->bytes);
    packed += m->bytes;
    size_t l = m->num_loops;
    while (l > 0 && ++at[l - 1] == m->loops[l - 1].n)
      at[--l] = 0;
    if (l == 0)
      return;
  }
}

static size_t bytes_of(const tw_message_t *m) {
  int64_t bytes = m->bytes;
  for (size_t l = 0; l < m->num_loops; ++l)
    bytes *= m->loops[l].n;
  return (size_t)bytes;
}

static tw_status_t gone(int peer) {
  char text[64];
  snprintf(text, sizeof text, "process %d is gone", peer);
  return tw_error_set(TW_UNAVAILABLE, text);
}

/* Sends and receives as much as goes at once; 0: the peer is gone. */
static int move_on(struct socket_peer *peer) {
  while (peer->out.first) {
    struct waiting *one = peer->out.first;
    ssize_t n = send(peer->socket, one->bytes + one->at, one->size - one->at, MSG_NOSIGNAL);
    if (n < 0)
      break; /* full, or gone: receiving tells */
    one->at += (size_t)n;
    if (one->at < one->size)
      break;
    peer->out.first = one->next;
    free(one->bytes);
    free(one);
  }
  for (;;) {
    struct waiting *one = peer->coming;
    char *to = one ? one->bytes + one->at : (char *)&peer->head + peer->head_at;
    const size_t missing = one ? one->size - one->at : sizeof peer->head - peer->head_at;
    ssize_t n = missing ? recv(peer->socket, to, missing, 0) : 0;
    if (missing && n == 0)
      return 0;
    if (n < 0 && (errno == EINTR || errno == ECONNRESET)) /* what came before that is still there */
      continue;
    if (n < 0)
      return errno == EAGAIN || errno == EWOULDBLOCK;
    if (one)
      one->at += (size_t)n;
    else
      peer->head_at += (size_t)n;
    if (one && one->at == one->size) {
      put_last(&peer->in, one);
      peer->coming = NULL;
    } else if (!one && peer->head_at == sizeof peer->head) {
      peer->coming = new_waiting(peer->head, (size_t)peer->head.bytes);
      peer->head_at = 0;
    }
  }
}

/* The first message of a tag that has come whole, taken out; NULL: there is none. */
static struct waiting *take_from(struct socket_peer *peer, int64_t tag) {
  for (struct waiting **at = &peer->in.first; *at; at = &(*at)->next)
    if ((*at)->head.tag == tag) {
      struct waiting *found = *at;
      *at = found->next;
      if (!found->next)
        peer->in.end = at;
      return found;
    }
  return NULL;
}

static int has_come(const struct socket_peer *peer, int64_t tag) {
  const struct waiting *at = peer->in.first;
  while (at && at->head.tag != tag)
    at = at->next;
  return at != NULL;
}

/* ---- the functions ---- */

static tw_status_t sockets_prepare(const tw_message_t *const *messages, size_t count, void *user,
                                   void **out) {
  struct socket_batch *batch = need(calloc(1, sizeof *batch));
  (void)user;
  batch->count = count;
  batch->messages = need(calloc(count ? count : 1, sizeof *batch->messages));
  batch->is_open = need(calloc(count ? count : 1, sizeof *batch->is_open));
  for (size_t i = 0; i < count; ++i) {
    tw_message_t *m = &batch->messages[i];
    *m = *messages[i];
    tw_message_loop_t *loops = need(malloc((m->num_loops + 1) * sizeof *loops));
    if (m->num_loops)
      memcpy(loops, m->loops, m->num_loops * sizeof *loops);
    m->loops = loops;
  }
  *out = batch;
  return TW_OK;
}

static tw_status_t sockets_start(void *given, void *user) {
  struct socket_batch *batch = given;
  socket_processes_t *all = user;
  for (size_t i = 0; i < batch->count; ++i) {
    const tw_message_t *m = &batch->messages[i];
    batch->is_open[i] = 1;
    if (m->sends) {
      const struct head head = {m->tag, (int64_t)bytes_of(m)};
      struct waiting *one = new_waiting(head, sizeof head + bytes_of(m));
      memcpy(one->bytes, &head, sizeof head);
      each_run(m, one->bytes + sizeof head, 1);
      put_last(&all->peers[m->peer].out, one);
    }
  }
  return TW_OK;
}

static tw_status_t sockets_test(void *given, void *user, int *out_done) {
  struct socket_batch *batch = given;
  socket_processes_t *all = user;
  int done = 1;
  for (int p = 0; p < all->size; ++p)
    if (p != all->rank && !move_on(&all->peers[p]))
      for (size_t i = 0; i < batch->count; ++i) /* what came before may be all that is wanted */
        if (batch->is_open[i] && batch->messages[i].peer == p && !has_come(&all->peers[p], NEWS_TAG) &&
            (batch->messages[i].sends ? all->peers[p].out.first != NULL
                                      : !has_come(&all->peers[p], batch->messages[i].tag)))
          return gone(p);
  for (size_t i = 0; i < batch->count; ++i) {
    const tw_message_t *m = &batch->messages[i];
    if (batch->is_open[i] && m->sends)
      batch->is_open[i] = all->peers[m->peer].out.first != NULL;
    struct waiting *came = batch->is_open[i] && !m->sends ? take_from(&all->peers[m->peer], m->tag) : NULL;
    if (came) {
      const int fits = came->size == bytes_of(m);
      if (fits)
        each_run(m, came->bytes, 0);
      free(came->bytes);
      free(came);
      if (!fits)
        return tw_error_set(TW_INTERNAL, "a message of another size than its receiver expects");
      batch->is_open[i] = 0;
    }
    done = done && !batch->is_open[i];
  }
  *out_done = done;
  return TW_OK;
}

static int32_t sockets_missing(void *given, void *user) {
  struct socket_batch *batch = given;
  (void)user;
  for (size_t i = 0; i < batch->count; ++i)
    if (batch->is_open[i])
      return batch->messages[i].peer;
  return -1;
}

/* What is sent was copied, and what comes is taken by nobody. */
static int sockets_give_up(void *given, void *user) {
  struct socket_batch *batch = given;
  (void)user;
  memset(batch->is_open, 0, batch->count * sizeof *batch->is_open);
  return 1;
}

static void sockets_release(void *given, void *user) {
  struct socket_batch *batch = given;
  (void)user;
  for (size_t i = 0; i < batch->count; ++i)
    free((void *)batch->messages[i].loops);
  free(batch->messages);
  free(batch->is_open);
  free(batch);
}

static void sockets_broadcast(const void *news, size_t size, void *user) {
  socket_processes_t *all = user;
  const struct head head = {NEWS_TAG, (int64_t)size};
  for (int p = 0; p < all->size; ++p)
    if (p != all->rank) {
      struct waiting *one = new_waiting(head, sizeof head + size);
      memcpy(one->bytes, &head, sizeof head);
      memcpy(one->bytes + sizeof head, news, size);
      put_last(&all->peers[p].out, one);
      move_on(&all->peers[p]);
    }
}

/* News are passed on: so who goes away because of them has told everybody why. */
static int sockets_poll(void *news, size_t size, void *user) {
  socket_processes_t *all = user;
  for (int p = 0; p < all->size; ++p)
    if (p != all->rank) {
      move_on(&all->peers[p]);
      struct waiting *came = take_from(&all->peers[p], NEWS_TAG);
      if (came) {
        memcpy(news, came->bytes, came->size < size ? came->size : size);
        sockets_broadcast(came->bytes, came->size, all);
        free(came->bytes);
        free(came);
        return 1;
      }
    }
  return 0;
}

static void sockets_close(void *user) {
  socket_processes_t *all = user;
  for (int p = 0; p < all->size; ++p)
    if (p != all->rank) {
      struct socket_peer *peer = &all->peers[p];
      move_on(peer);
      forget(&peer->out);
      forget(&peer->in);
      if (peer->coming)
        free(peer->coming->bytes);
      free(peer->coming);
      close(peer->socket);
    }
  free(all);
}

/* Of process `rank` of `size`, with its sockets of socket_pairs. */
static socket_processes_t *new_sockets(int rank, int size, const int *sockets) {
  socket_processes_t *all = need(calloc(1, sizeof *all));
  all->rank = rank;
  all->size = size;
  for (int p = 0; p < size; ++p)
    if (p != rank) {
      all->peers[p].socket = sockets[p];
      fcntl(sockets[p], F_SETFL, O_NONBLOCK);
    }
  return all;
}

#endif
