// A library for LD_PRELOAD that stands between a program and the file system, for every path below one folder. It makes
// operations fail, tears writes, pretends that the disk is full, ends the process in the middle of an operation, and
// records every operation with its data in a trace. shim.ts compiles and controls it; trace.ts reads the trace.
//
// Environment: FAULTS_FOLDER, the folder to watch (absolute, without symbolic links); FAULTS_CONTROL, a file of at least
// 512 bytes that holds `struct control` and may change at any time; FAULTS_TRACE, the trace to append to (optional).
//
// Not seen: memory maps, streams opened for reading, and system calls made without the C library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind { WRITE, SYNC, CREATE, OPEN, RENAME, LINK, UNLINK, TRUNCATE, MKDIR, SYNC_DIR, READ, RMDIR, SYNC_FAILED };
enum action { FAIL, TEAR, KILL, TEAR_AND_KILL };

struct control {
  int32_t armed;
  int32_t kinds;        // bit set over enum kind
  int32_t first;        // the first matching operation to fail, counted from 1
  int32_t times;        // how many of them fail; below 0: all that follow
  int32_t error;        // errno
  int32_t action;
  int32_t delay_micros; // before each matching operation
  int32_t has_space;    // whether `space` limits the growth of files
  int64_t space;        // bytes that files may still grow by
  int64_t free_bytes;   // what statfs tells; below 0: the truth
  int32_t seen;         // matching operations since it was armed
  int32_t failed;       // operations that were made to fail
  int32_t total;        // all operations
  int32_t unused;
  char filter[256];     // part of the paths to match; empty: all
};

struct file {
  char *path;
  uint64_t inode;
  int is_folder;
  int appends;
};

#define MAX_FILES 65536
#define PAGE 4096

static struct file files[MAX_FILES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile struct control *control;
static char folder[PATH_MAX];
static size_t folder_length;
static int trace = -1;

#define REAL(result, name, ...)                                                                                        \
  static result (*real_##name)(__VA_ARGS__);                                                                           \
  static inline void load_##name(void) {                                                                               \
    if (!real_##name) real_##name = dlsym(RTLD_NEXT, #name);                                                           \
  }

REAL(int, open, const char *, int, ...)
REAL(int, close, int)
REAL(ssize_t, write, int, const void *, size_t)
REAL(ssize_t, pwrite, int, const void *, size_t, off_t)
REAL(ssize_t, read, int, void *, size_t)
REAL(ssize_t, pread, int, void *, size_t, off_t)
REAL(ssize_t, writev, int, const struct iovec *, int)
REAL(ssize_t, pwritev, int, const struct iovec *, int, off_t)
REAL(ssize_t, preadv, int, const struct iovec *, int, off_t)
REAL(int, fsync, int)
REAL(int, fdatasync, int)
REAL(int, ftruncate, int, off_t)
REAL(int, renameat, int, const char *, int, const char *)
REAL(int, linkat, int, const char *, int, const char *, int)
REAL(int, unlinkat, int, const char *, int)
REAL(int, mkdirat, int, const char *, mode_t)
REAL(int, statfs, const char *, struct statfs *)
REAL(FILE *, fopen, const char *, const char *)
REAL(int, fileno, FILE *)

__attribute__((constructor)) static void start(void) {
  load_open(), load_close(), load_write(), load_pwrite(), load_read(), load_pread(), load_writev(), load_pwritev();
  load_preadv(), load_fsync(), load_fdatasync(), load_ftruncate(), load_renameat(), load_linkat(), load_unlinkat();
  load_mkdirat(), load_statfs(), load_fopen(), load_fileno();
  const char *name = getenv("FAULTS_FOLDER");
  const char *control_name = getenv("FAULTS_CONTROL");
  const char *trace_name = getenv("FAULTS_TRACE");
  if (!name || !control_name) return;
  int fd = real_open(control_name, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *memory = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  real_close(fd);
  if (memory == MAP_FAILED) return;
  if (trace_name) trace = real_open(trace_name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  snprintf(folder, sizeof folder, "%s", name);
  folder_length = strlen(folder);
  control = memory;
}

/** The absolute path, when it lies below the folder (or is the folder); else NULL. */
static const char *watched(int at, const char *path, char *space) {
  if (!control || !path) return NULL;
  if (path[0] == '/') {
    snprintf(space, PATH_MAX, "%s", path);
  } else {
    char base[PATH_MAX / 2], link[64];
    if (at == AT_FDCWD) {
      if (!getcwd(base, sizeof base)) return NULL;
    } else {
      snprintf(link, sizeof link, "/proc/self/fd/%d", at);
      ssize_t length = readlink(link, base, sizeof base - 1);
      if (length < 0) return NULL;
      base[length] = 0;
    }
    snprintf(space, PATH_MAX, "%s/%.*s", base, PATH_MAX / 2 - 2, path);
  }
  size_t length = strlen(space);
  while (length > 1 && space[length - 1] == '/') space[--length] = 0;
  if (strncmp(space, folder, folder_length) != 0) return NULL;
  return space[folder_length] == '/' || space[folder_length] == 0 ? space : NULL;
}

/** The file behind a descriptor, when it is watched. Not every descriptor is closed through `close` below. */
static struct file *file_of(int fd) {
  if (!control || fd < 0 || fd >= MAX_FILES || !files[fd].path) return NULL;
  struct stat found;
  int is_same = fstat(fd, &found) == 0 && found.st_ino == files[fd].inode &&
                (files[fd].is_folder ? S_ISDIR(found.st_mode) : S_ISREG(found.st_mode));
  return is_same ? &files[fd] : NULL;
}

static int64_t pages(int64_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

/** Counts an operation. @returns the action to take, or -1 to let it through */
static int decide(enum kind kind, const char *path) {
  control->total++;
  if (!control->armed || !(control->kinds & (1 << kind))) return -1;
  const char *filter = (const char *)control->filter;
  if (filter[0] && !strstr(path, filter)) return -1;
  int n = ++control->seen;
  if (n < control->first || (control->times >= 0 && n >= control->first + control->times)) return -1;
  control->failed++;
  return control->action;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/** Fails an operation that cannot be done by halves. @returns whether it fails */
static int fails(enum kind kind, const char *path) {
  int action = decide(kind, path);
  if (action < 0) return 0;
  if (action == KILL || action == TEAR_AND_KILL) die();
  errno = control->error;
  return 1;
}

/** Waits before the operation, outside of the lock. */
static void delay(enum kind kind) {
  int micros = control ? control->delay_micros : 0;
  if (micros > 0 && control->armed && (control->kinds & (1 << kind))) usleep(micros);
}

struct header {
  uint32_t kind;
  uint32_t path_length;
  uint32_t target_length;
  uint32_t data_length;
  uint64_t inode;
  int64_t offset;
  uint64_t nanos; // CLOCK_MONOTONIC
};

static void record(struct header header, const char *path, const char *target, const struct iovec *data, int parts) {
  if (trace < 0) return;
  int error = errno;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  header.nanos = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  header.path_length = path ? strlen(path) : 0;
  header.target_length = target ? strlen(target) : 0;
  size_t size = sizeof header + header.path_length + header.target_length + header.data_length;
  char *bytes = malloc(size), *end = bytes;
  memcpy(end, &header, sizeof header), end += sizeof header;
  if (path) memcpy(end, path, header.path_length), end += header.path_length;
  if (target) memcpy(end, target, header.target_length), end += header.target_length;
  size_t left = header.data_length;
  for (int i = 0; i < parts && left > 0; i++) {
    size_t length = data[i].iov_len < left ? data[i].iov_len : left;
    memcpy(end, data[i].iov_base, length), end += length, left -= length;
  }
  for (char *at = bytes; at < end;) {
    ssize_t written = real_write(trace, at, end - at);
    if (written < 0) abort();
    at += written;
  }
  free(bytes);
  errno = error;
}

static uint64_t inode_of(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 ? found.st_ino : 0;
}

static int do_open(int at, const char *name, int flags, mode_t mode) {
  char space[PATH_MAX];
  const char *path = watched(at, name, space);
  if (!path) return at == AT_FDCWD || name[0] == '/' ? real_open(name, flags, mode) : openat(at, name, flags, mode);
  int writes = (flags & O_ACCMODE) != O_RDONLY;
  delay(OPEN);
  pthread_mutex_lock(&lock);
  struct stat before;
  int existed = stat(path, &before) == 0;
  int creates = (flags & O_CREAT) && !existed;
  int fd = -1;
  if (!fails(creates ? CREATE : OPEN, path)) {
    fd = real_open(path, flags, mode);
    struct stat found;
    if (fd >= 0 && fd < MAX_FILES && fstat(fd, &found) == 0) {
      free(files[fd].path);
      files[fd] = (struct file){strdup(path), found.st_ino, S_ISDIR(found.st_mode), (flags & O_APPEND) != 0};
      if (creates) record((struct header){.kind = CREATE, .inode = found.st_ino}, path, NULL, NULL, 0);
      if (existed && writes && (flags & O_TRUNC) && before.st_size > 0) {
        if (control->has_space) control->space += pages(before.st_size);
        record((struct header){.kind = TRUNCATE, .inode = found.st_ino}, path, NULL, NULL, 0);
      }
    }
  }
  pthread_mutex_unlock(&lock);
  return fd;
}

#define OPEN_MODE(last)                                                                                                \
  mode_t mode = 0;                                                                                                     \
  if (flags & (O_CREAT | __O_TMPFILE)) {                                                                               \
    va_list list;                                                                                                      \
    va_start(list, last);                                                                                              \
    mode = va_arg(list, mode_t);                                                                                       \
    va_end(list);                                                                                                      \
  }

int open(const char *path, int flags, ...) {
  load_open();
  OPEN_MODE(flags)
  return do_open(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  load_open();
  OPEN_MODE(flags)
  return do_open(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }
int openat(int at, const char *path, int flags, ...) {
  static int (*real)(int, const char *, int, ...);
  if (!real) real = dlsym(RTLD_NEXT, "openat");
  OPEN_MODE(flags)
  char space[PATH_MAX];
  if (!watched(at, path, space)) return real(at, path, flags, mode);
  return do_open(at, path, flags, mode);
}
int openat64(int at, const char *path, int flags, ...) {
  OPEN_MODE(flags)
  return openat(at, path, flags | O_LARGEFILE, mode);
}

int close(int fd) {
  load_close();
  struct file *file = file_of(fd);
  if (!file) return real_close(fd);
  pthread_mutex_lock(&lock);
  free(file->path);
  file->path = NULL;
  int result = real_close(fd);
  pthread_mutex_unlock(&lock);
  return result;
}

static size_t size_of(const struct iovec *data, int parts) {
  size_t size = 0;
  for (int i = 0; i < parts; i++) size += data[i].iov_len;
  return size;
}

/** How many of the bytes a full disk still takes. */
static size_t fitting(int fd, int64_t at, size_t length) {
  if (!control->has_space) return length;
  struct stat found;
  if (fstat(fd, &found) != 0) return length;
  int64_t growth = pages(at + length) - pages(found.st_size);
  if (growth <= 0) return length;
  if (growth <= control->space) {
    control->space -= growth;
    return length;
  }
  int64_t end = pages(found.st_size) + control->space / PAGE * PAGE;
  if (end <= at) return 0;
  control->space = 0;
  return end - at;
}

/** One write of a watched file; `offset` below 0 stands for the position of the descriptor. */
static ssize_t do_write(int fd, const struct iovec *data, int parts, off_t offset) {
  struct file *file = file_of(fd);
  delay(WRITE);
  pthread_mutex_lock(&lock);
  size_t length = size_of(data, parts), wanted = length;
  struct stat found = {0};
  if (file->appends) fstat(fd, &found);
  int64_t at = file->appends ? found.st_size : offset >= 0 ? offset : lseek(fd, 0, SEEK_CUR);
  int action = decide(WRITE, file->path), error = control->error;
  ssize_t result = -1;
  if (action == KILL) die();
  if (action >= 0) length = action == FAIL ? 0 : length / 2;
  else if ((length = fitting(fd, at, length)) < wanted) error = ENOSPC, control->failed++;
  if (length > 0) {
    char *bytes = malloc(length), *end = bytes;
    for (int i = 0; i < parts && end < bytes + length; i++) {
      size_t left = bytes + length - end, part = data[i].iov_len < left ? data[i].iov_len : left;
      memcpy(end, data[i].iov_base, part), end += part;
    }
    result = file->appends || offset < 0 ? real_write(fd, bytes, length) : real_pwrite(fd, bytes, length, offset);
    if (result > 0) {
      struct iovec whole = {bytes, result};
      struct header header = {.kind = WRITE, .inode = file->inode, .offset = at, .data_length = result};
      record(header, file->path, NULL, &whole, 1);
    }
    free(bytes);
  } else if (wanted == 0) {
    result = 0;
  } else {
    errno = error;
  }
  if (action == TEAR_AND_KILL) die();
  // The torn half stays on the disk; the program is told of the error at once, not by a short count.
  if (action == TEAR) errno = error, result = -1;
  pthread_mutex_unlock(&lock);
  return result;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  load_write();
  struct iovec one = {(void *)bytes, length};
  return file_of(fd) ? do_write(fd, &one, 1, -1) : real_write(fd, bytes, length);
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  load_pwrite();
  struct iovec one = {(void *)bytes, length};
  return file_of(fd) ? do_write(fd, &one, 1, offset) : real_pwrite(fd, bytes, length, offset);
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return pwrite(fd, bytes, length, offset); }
ssize_t writev(int fd, const struct iovec *data, int parts) {
  load_writev();
  return file_of(fd) ? do_write(fd, data, parts, -1) : real_writev(fd, data, parts);
}
ssize_t pwritev(int fd, const struct iovec *data, int parts, off_t offset) {
  load_pwritev();
  return file_of(fd) ? do_write(fd, data, parts, offset) : real_pwritev(fd, data, parts, offset);
}
ssize_t pwritev64(int fd, const struct iovec *data, int parts, off64_t offset) {
  return pwritev(fd, data, parts, offset);
}

/** @returns whether reading from the file fails */
static int read_fails(int fd) {
  struct file *file = file_of(fd);
  if (!file) return 0;
  pthread_mutex_lock(&lock);
  int result = fails(READ, file->path);
  pthread_mutex_unlock(&lock);
  return result;
}

ssize_t read(int fd, void *bytes, size_t length) {
  load_read();
  return read_fails(fd) ? -1 : real_read(fd, bytes, length);
}
ssize_t pread(int fd, void *bytes, size_t length, off_t offset) {
  load_pread();
  return read_fails(fd) ? -1 : real_pread(fd, bytes, length, offset);
}
ssize_t pread64(int fd, void *bytes, size_t length, off64_t offset) { return pread(fd, bytes, length, offset); }
ssize_t preadv(int fd, const struct iovec *data, int parts, off_t offset) {
  load_preadv();
  return read_fails(fd) ? -1 : real_preadv(fd, data, parts, offset);
}
ssize_t preadv64(int fd, const struct iovec *data, int parts, off64_t offset) { return preadv(fd, data, parts, offset); }

static int do_sync(int fd, int (*real)(int)) {
  struct file *file = file_of(fd);
  if (!file) return real(fd);
  delay(SYNC);
  pthread_mutex_lock(&lock);
  enum kind kind = file->is_folder ? SYNC_DIR : SYNC;
  // A real force is what makes tests slow, and nothing here survives a real power cut anyway.
  int result = fails(kind, file->path) ? -1 : 0;
  if (result != 0 && kind == SYNC) kind = SYNC_FAILED;
  if (result == 0 || kind == SYNC_FAILED) {
    record((struct header){.kind = kind, .inode = file->inode}, file->path, NULL, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}
int fsync(int fd) {
  load_fsync();
  return do_sync(fd, real_fsync);
}
int fdatasync(int fd) {
  load_fdatasync();
  return do_sync(fd, real_fdatasync);
}

int ftruncate(int fd, off_t length) {
  load_ftruncate();
  struct file *file = file_of(fd);
  if (!file) return real_ftruncate(fd, length);
  delay(TRUNCATE);
  pthread_mutex_lock(&lock);
  struct stat found = {0};
  fstat(fd, &found);
  int result = -1;
  if (!fails(TRUNCATE, file->path) && (result = real_ftruncate(fd, length)) == 0) {
    if (control->has_space && length < found.st_size) control->space += pages(found.st_size) - pages(length);
    record((struct header){.kind = TRUNCATE, .inode = file->inode, .offset = length}, file->path, NULL, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}
int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

int renameat(int from_at, const char *from, int to_at, const char *to) {
  load_renameat();
  char one[PATH_MAX], two[PATH_MAX];
  const char *source = watched(from_at, from, one), *target = watched(to_at, to, two);
  if (!source && !target) return real_renameat(from_at, from, to_at, to);
  delay(RENAME);
  pthread_mutex_lock(&lock);
  int result = -1;
  if (!fails(RENAME, target ? target : source) && (result = real_renameat(from_at, from, to_at, to)) == 0) {
    record((struct header){.kind = RENAME, .inode = inode_of(to)}, source ? source : from, target ? target : to, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}
int rename(const char *from, const char *to) { return renameat(AT_FDCWD, from, AT_FDCWD, to); }

int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
  load_linkat();
  char one[PATH_MAX], two[PATH_MAX];
  const char *source = watched(from_at, from, one), *target = watched(to_at, to, two);
  if (!source || !target) return real_linkat(from_at, from, to_at, to, flags);
  delay(LINK);
  pthread_mutex_lock(&lock);
  int result = -1;
  if (!fails(LINK, target) && (result = real_linkat(from_at, from, to_at, to, flags)) == 0) {
    record((struct header){.kind = LINK, .inode = inode_of(target)}, source, target, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int unlinkat(int at, const char *name, int flags) {
  load_unlinkat();
  char space[PATH_MAX];
  const char *path = watched(at, name, space);
  if (!path) return real_unlinkat(at, name, flags);
  delay(UNLINK);
  pthread_mutex_lock(&lock);
  enum kind kind = flags & AT_REMOVEDIR ? RMDIR : UNLINK;
  struct stat found = {0};
  lstat(path, &found);
  int result = -1;
  if (!fails(kind, path) && (result = real_unlinkat(at, name, flags)) == 0) {
    if (control->has_space && kind == UNLINK && found.st_nlink == 1) control->space += pages(found.st_size);
    record((struct header){.kind = kind, .inode = found.st_ino}, path, NULL, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int at, const char *name, mode_t mode) {
  load_mkdirat();
  char space[PATH_MAX];
  const char *path = watched(at, name, space);
  if (!path) return real_mkdirat(at, name, mode);
  delay(MKDIR);
  pthread_mutex_lock(&lock);
  int result = -1;
  if (!fails(MKDIR, path) && (result = real_mkdirat(at, name, mode)) == 0) {
    record((struct header){.kind = MKDIR, .inode = inode_of(path)}, path, NULL, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int statfs(const char *name, struct statfs *found) {
  load_statfs();
  int result = real_statfs(name, found);
  char space[PATH_MAX];
  if (result == 0 && watched(AT_FDCWD, name, space) && control->free_bytes >= 0) {
    found->f_bfree = found->f_bavail = control->free_bytes / found->f_bsize;
  }
  return result;
}
int statfs64(const char *name, struct statfs64 *found) { return statfs(name, (struct statfs *)found); }

// Streams, by which LevelDB writes: each is one of ours over a watched descriptor.
static FILE *streams[MAX_FILES];

// As the streams of the C library do, it writes on after a short count: only the next write tells what is wrong.
static ssize_t stream_write(void *cookie, const char *bytes, size_t length) {
  size_t done = 0;
  while (done < length) {
    ssize_t result = write((int)(intptr_t)cookie, bytes + done, length - done);
    if (result <= 0) break;
    done += result;
  }
  return done;
}
static int stream_close(void *cookie) {
  int fd = (int)(intptr_t)cookie;
  streams[fd] = NULL;
  return close(fd);
}

FILE *fopen(const char *name, const char *mode) {
  load_fopen();
  char space[PATH_MAX];
  if (mode[0] == 'r' || !watched(AT_FDCWD, name, space)) return real_fopen(name, mode);
  int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | (mode[0] == 'a' ? O_APPEND : O_TRUNC), 0666);
  if (fd < 0) return NULL;
  cookie_io_functions_t calls = {.write = stream_write, .close = stream_close};
  FILE *stream = fopencookie((void *)(intptr_t)fd, mode, calls);
  if (!stream) close(fd);
  else if (fd < MAX_FILES) streams[fd] = stream;
  return stream;
}
FILE *fopen64(const char *name, const char *mode) { return fopen(name, mode); }

int fileno(FILE *stream) {
  load_fileno();
  for (int fd = 0; control && fd < 4096; fd++) {
    if (streams[fd] == stream) return fd;
  }
  return real_fileno(stream);
}
