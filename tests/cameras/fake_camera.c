/* Preloaded into a program (LD_PRELOAD), it makes that program see webcams that are not there.

   Everything below /dev/video, /dev/v4l and /sys/class/video4linux is looked for below the folder that the environment
   variable FAKE_CAMERAS names. A file dev/videoN there is a camera; its lines say what the camera does:

     mode MJPG 1920 1080 30           it lists pictures of this size and rate
     picture 1920 1080 FILE           the JPEG that it sends in that size, whatever the JPEG's own size is
     control 0x009a090c 1             a control and its value
     refuses 1920 1080                asked for this size it takes the last listed one instead
     crowded 1920 1080                there is no room for this size on the USB bus: ENOSPC
     busy                             another program reads it: EBUSY
     silent                           it never sends a picture
     hangs                            the driver never answers that pictures are wanted
     frames 20                        its plug is pulled out after this number of pictures
     metadata                         this node of a camera sends no pictures

   What the program sets is appended to the file `log` in FAKE_CAMERAS. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

enum { MODES = 16, CONTROLS = 16, BUFFERS = 4, FILES = 4096, PATHS = 4096, FRAME_US = 20000 };
static const size_t BUFFER_BYTES = 1920 * 1080 * 3;

struct mode {
    unsigned format, width, height, rate;
    int refused, crowded;
    char picture[PATHS];
};
struct camera {
    char path[PATHS];
    struct mode modes[MODES];
    int mode_count, mode, busy, silent, hangs, metadata, frames, sent, is_on;
    unsigned rate;
    unsigned ids[CONTROLS];
    int values[CONTROLS], control_count;
    unsigned queued[BUFFERS], queue_length, buffer_count;
    void *buffers[BUFFERS];
};
static struct camera cameras[8];
static int camera_count;
static struct camera *opened[FILES];

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Paths. */

static int is_moved(const char *path) {
    return path && getenv("FAKE_CAMERAS")
        && (!strncmp(path, "/dev/video", 10) || !strncmp(path, "/dev/v4l", 8)
            || !strncmp(path, "/sys/class/video4linux", 22));
}

static const char *move(const char *path, char moved[PATHS]) {
    if (!is_moved(path)) return path;
    snprintf(moved, PATHS, "%s%s", getenv("FAKE_CAMERAS"), path);
    return moved;
}

static int is_device(const char *path) { return is_moved(path) && !strncmp(path, "/dev/video", 10); }

static int fix_stat(const char *path, int result, struct stat *found) {
    if (!result && is_device(path)) {
        found->st_mode = S_IFCHR | 0660;
        found->st_rdev = makedev(81, atoi(path + 10));
    }
    return result;
}

/* link/to/../../videoN of a moved folder leads to the moved device, as its path is followed by hand. */
int stat(const char *path, struct stat *found) {
    char moved[PATHS], link[PATHS];
    if (is_moved(path) && !is_device(path)) {
        ssize_t length = REAL(readlink)(move(path, moved), link, PATHS - 1);
        if (length > 0) {
            link[length] = 0;
            const char *name = strrchr(link, '/');
            char device[PATHS];
            snprintf(device, PATHS, "/dev%s", name ? name : "");
            return stat(device, found);
        }
    }
    return fix_stat(path, REAL(stat)(move(path, moved), found), found);
}
int stat64(const char *path, struct stat64 *found) { return stat(path, (struct stat *)found); }
int lstat(const char *path, struct stat *found) {
    char moved[PATHS];
    return fix_stat(path, REAL(lstat)(move(path, moved), found), found);
}
int lstat64(const char *path, struct stat64 *found) { return lstat(path, (struct stat *)found); }
int access(const char *path, int how) {
    char moved[PATHS];
    return REAL(access)(move(path, moved), how);
}
ssize_t readlink(const char *path, char *link, size_t size) {
    char moved[PATHS];
    return REAL(readlink)(move(path, moved), link, size);
}
DIR *opendir(const char *path) {
    char moved[PATHS];
    return REAL(opendir)(move(path, moved));
}

/* What a camera does. */

static void note(const char *format, ...) {
    char path[PATHS];
    snprintf(path, PATHS, "%s/log", getenv("FAKE_CAMERAS"));
    FILE *log = fopen(path, "a");
    if (!log) return;
    va_list values;
    va_start(values, format);
    vfprintf(log, format, values);
    va_end(values);
    fclose(log);
}

static unsigned code_of(const char *name) { return v4l2_fourcc(name[0], name[1], name[2], name[3]); }

static void describe(struct camera *camera, unsigned width, unsigned height, int refused, int crowded, const char *picture) {
    for (int at = 0; at < camera->mode_count; at++) {
        struct mode *mode = &camera->modes[at];
        if (mode->width != width || mode->height != height) continue;
        mode->refused |= refused;
        mode->crowded |= crowded;
        if (picture) strcpy(mode->picture, picture);
    }
}

static void read_line(struct camera *camera, const char *line) {
    char format[5], file[PATHS];
    unsigned width, height, rate, id;
    int value;
    if (sscanf(line, "mode %4s %u %u %u", format, &width, &height, &rate) == 4 && camera->mode_count < MODES)
        camera->modes[camera->mode_count++]
            = (struct mode){.format = code_of(format), .width = width, .height = height, .rate = rate};
    else if (sscanf(line, "picture %u %u %4095s", &width, &height, file) == 3)
        describe(camera, width, height, 0, 0, file);
    else if (sscanf(line, "refuses %u %u", &width, &height) == 2)
        describe(camera, width, height, 1, 0, NULL);
    else if (sscanf(line, "crowded %u %u", &width, &height) == 2)
        describe(camera, width, height, 0, 1, NULL);
    else if (sscanf(line, "control %x %d", &id, &value) == 2 && camera->control_count < CONTROLS) {
        camera->ids[camera->control_count] = id;
        camera->values[camera->control_count++] = value;
    } else if (sscanf(line, "frames %d", &value) == 1)
        camera->frames = value;
    else if (!strncmp(line, "busy", 4))
        camera->busy = 1;
    else if (!strncmp(line, "silent", 6))
        camera->silent = 1;
    else if (!strncmp(line, "hangs", 5))
        camera->hangs = 1;
    else if (!strncmp(line, "metadata", 8))
        camera->metadata = 1;
}

static struct camera *find_camera(const char *path) {
    for (int at = 0; at < camera_count; at++)
        if (!strcmp(cameras[at].path, path)) return &cameras[at];
    char moved[PATHS], line[PATHS];
    FILE *file = fopen(move(path, moved), "r");
    if (!file || camera_count == 8) return NULL;
    struct camera *camera = &cameras[camera_count++];
    strcpy(camera->path, path);
    while (fgets(line, PATHS, file)) read_line(camera, line);
    fclose(file);
    return camera;
}

static int open_moved(const char *path, int flags, mode_t mode) {
    char moved[PATHS];
    if (!is_device(path)) return REAL(open)(move(path, moved), flags, mode);
    if (REAL(access)(move(path, moved), F_OK)) {
        errno = ENOENT;
        return -1;
    }
    struct camera *camera = find_camera(path);
    int file = eventfd(!(camera && camera->silent), flags & O_CLOEXEC ? EFD_CLOEXEC : 0);
    if (file >= 0 && file < FILES) opened[file] = camera;
    return file;
}
#define OPEN(name)                                          \
    int name(const char *path, int flags, ...) {            \
        va_list more;                                       \
        va_start(more, flags);                              \
        mode_t mode = va_arg(more, int);                    \
        va_end(more);                                       \
        return open_moved(path, flags, mode);               \
    }
OPEN(open)
OPEN(open64)
int close(int file) {
    if (file >= 0 && file < FILES) opened[file] = NULL;
    return REAL(close)(file);
}

static int fail(int error) {
    errno = error;
    return -1;
}

static void fill(struct camera *camera, struct v4l2_pix_format *format) {
    struct mode *mode = &camera->modes[camera->mode];
    memset(format, 0, sizeof *format);
    format->pixelformat = mode->format;
    format->width = mode->width;
    format->height = mode->height;
    format->field = V4L2_FIELD_NONE;
    format->bytesperline = mode->format == V4L2_PIX_FMT_MJPEG ? 0 : mode->width * 2;
    format->sizeimage = mode->width * mode->height * 2;
    format->colorspace = V4L2_COLORSPACE_SRGB;
}

/* The listed mode that is nearest to what is asked for, as drivers choose it. */
static void choose(struct camera *camera, const struct v4l2_pix_format *asked) {
    long best = -1;
    for (int at = 0; at < camera->mode_count; at++) {
        struct mode *mode = &camera->modes[at];
        long off = labs((long)mode->width - (long)asked->width) + labs((long)mode->height - (long)asked->height);
        off += mode->format == asked->pixelformat ? 0 : 100000;
        if (best < 0 || off < best) {
            best = off;
            camera->mode = at;
        }
    }
    if (camera->modes[camera->mode].refused) camera->mode = camera->mode_count - 1;
}

static int list_formats(struct camera *camera, struct v4l2_fmtdesc *listed) {
    unsigned count = 0;
    for (int at = 0; at < camera->mode_count; at++) {
        int is_new = 1;
        for (int before = 0; before < at; before++) is_new &= camera->modes[before].format != camera->modes[at].format;
        if (is_new && count++ == listed->index) {
            listed->pixelformat = camera->modes[at].format;
            return 0;
        }
    }
    return fail(EINVAL);
}

static int list_sizes(struct camera *camera, struct v4l2_frmsizeenum *listed) {
    unsigned count = 0;
    for (int at = 0; at < camera->mode_count; at++) {
        struct mode *mode = &camera->modes[at];
        int is_new = mode->format == listed->pixel_format;
        for (int before = 0; before < at; before++)
            is_new &= camera->modes[before].format != mode->format || camera->modes[before].width != mode->width
                || camera->modes[before].height != mode->height;
        if (is_new && count++ == listed->index) {
            listed->type = V4L2_FRMSIZE_TYPE_DISCRETE;
            listed->discrete = (struct v4l2_frmsize_discrete){mode->width, mode->height};
            return 0;
        }
    }
    return fail(EINVAL);
}

static int list_rates(struct camera *camera, struct v4l2_frmivalenum *listed) {
    unsigned count = 0;
    for (int at = 0; at < camera->mode_count; at++) {
        struct mode *mode = &camera->modes[at];
        if (mode->format != listed->pixel_format || mode->width != listed->width || mode->height != listed->height) continue;
        if (count++ == listed->index) {
            listed->type = V4L2_FRMIVAL_TYPE_DISCRETE;
            listed->discrete = (struct v4l2_fract){1, mode->rate};
            return 0;
        }
    }
    return fail(EINVAL);
}

static int send_frame(struct camera *camera, struct v4l2_buffer *buffer) {
    if (camera->frames && camera->sent >= camera->frames) return fail(ENODEV);
    if (!camera->queue_length || camera->silent) return fail(EAGAIN);
    usleep(FRAME_US);
    unsigned index = camera->queued[0];
    memmove(camera->queued, camera->queued + 1, --camera->queue_length * sizeof *camera->queued);
    struct mode *mode = &camera->modes[camera->mode];
    size_t size = mode->width * mode->height * 2;
    if (mode->format == V4L2_PIX_FMT_MJPEG) {
        FILE *file = fopen(mode->picture, "rb");
        size = file ? fread(camera->buffers[index], 1, BUFFER_BYTES, file) : 0;
        if (file) fclose(file);
    } else
        memset(camera->buffers[index], 128, size);
    buffer->index = index;
    buffer->bytesused = size;
    buffer->length = BUFFER_BYTES;
    buffer->sequence = camera->sent++;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    buffer->timestamp = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

static int *find_control(struct camera *camera, unsigned id) {
    for (int at = 0; at < camera->control_count; at++)
        if (camera->ids[at] == id) return &camera->values[at];
    return NULL;
}

static int answer(struct camera *camera, unsigned long request, void *asked) {
    if (camera->frames && camera->sent >= camera->frames) return fail(ENODEV);
    struct v4l2_format *format = asked;
    struct v4l2_buffer *buffer = asked;
    struct v4l2_control *control = asked;
    int *value;
    switch (request & 0xffffffff) {
    case VIDIOC_QUERYCAP: {
        struct v4l2_capability *capability = asked;
        memset(capability, 0, sizeof *capability);
        strcpy((char *)capability->driver, "uvcvideo");
        strcpy((char *)capability->card, "Fake webcam");
        capability->device_caps = V4L2_CAP_STREAMING | (camera->metadata ? V4L2_CAP_META_CAPTURE : V4L2_CAP_VIDEO_CAPTURE);
        capability->capabilities
            = V4L2_CAP_STREAMING | V4L2_CAP_META_CAPTURE | V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_DEVICE_CAPS;
        return 0;
    }
    case VIDIOC_ENUMINPUT: {
        struct v4l2_input *input = asked;
        input->type = V4L2_INPUT_TYPE_CAMERA;
        return input->index ? fail(EINVAL) : 0;
    }
    case VIDIOC_G_INPUT:
        *(int *)asked = 0;
        return 0;
    case VIDIOC_S_INPUT:
        return 0;
    case VIDIOC_ENUM_FMT:
        return list_formats(camera, asked);
    case VIDIOC_ENUM_FRAMESIZES:
        return list_sizes(camera, asked);
    case VIDIOC_ENUM_FRAMEINTERVALS:
        return list_rates(camera, asked);
    case VIDIOC_G_FMT:
        fill(camera, &format->fmt.pix);
        return 0;
    case VIDIOC_S_FMT:
        if (camera->busy) return fail(EBUSY);
        choose(camera, &format->fmt.pix);
        fill(camera, &format->fmt.pix);
        note("format %.4s %u %u\n", (char *)&format->fmt.pix.pixelformat, format->fmt.pix.width, format->fmt.pix.height);
        return 0;
    case VIDIOC_G_PARM:
    case VIDIOC_S_PARM: {
        struct v4l2_captureparm *capture = &((struct v4l2_streamparm *)asked)->parm.capture;
        struct v4l2_fract *time = &capture->timeperframe;
        capture->capability = V4L2_CAP_TIMEPERFRAME;
        if ((request & 0xffffffff) == VIDIOC_S_PARM && time->numerator) {
            camera->rate = time->denominator / time->numerator;
            note("rate %u\n", camera->rate);
        }
        *time = (struct v4l2_fract){1, camera->rate ? camera->rate : camera->modes[camera->mode].rate};
        return 0;
    }
    case VIDIOC_REQBUFS: {
        struct v4l2_requestbuffers *wanted = asked;
        if (camera->busy) return fail(EBUSY);
        wanted->count = wanted->count > BUFFERS ? BUFFERS : wanted->count;
        camera->buffer_count = wanted->count;
        camera->queue_length = 0;
        return 0;
    }
    case VIDIOC_QUERYBUF:
        buffer->length = BUFFER_BYTES;
        buffer->m.offset = buffer->index * BUFFER_BYTES;
        return 0;
    case VIDIOC_QBUF:
        if (camera->queue_length < BUFFERS) camera->queued[camera->queue_length++] = buffer->index;
        return 0;
    case VIDIOC_STREAMON:
        while (camera->hangs) sleep(1);
        if (camera->modes[camera->mode].crowded) return fail(ENOSPC);
        camera->is_on = 1;
        return 0;
    case VIDIOC_STREAMOFF:
        camera->is_on = 0;
        camera->queue_length = 0;
        return 0;
    case VIDIOC_DQBUF:
        return camera->is_on ? send_frame(camera, buffer) : fail(EINVAL);
    case VIDIOC_G_CTRL:
        if (!(value = find_control(camera, control->id))) return fail(EINVAL);
        control->value = *value;
        return 0;
    case VIDIOC_S_CTRL:
        if (!(value = find_control(camera, control->id))) return fail(EINVAL);
        note("control %#010x %d\n", control->id, control->value);
        *value = control->value;
        return 0;
    }
    return fail(ENOTTY);
}

int ioctl(int file, unsigned long request, ...) {
    va_list more;
    va_start(more, request);
    void *asked = va_arg(more, void *);
    va_end(more);
    struct camera *camera = file >= 0 && file < FILES ? opened[file] : NULL;
    return camera ? answer(camera, request, asked) : REAL(ioctl)(file, request, asked);
}

static void *map(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    struct camera *camera = file >= 0 && file < FILES ? opened[file] : NULL;
    if (!camera) return REAL(mmap)(at, size, protection, flags, file, offset);
    void *buffer = REAL(mmap)(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    camera->buffers[offset / BUFFER_BYTES % BUFFERS] = buffer;
    return buffer;
}
void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    return map(at, size, protection, flags, file, offset);
}
void *mmap64(void *at, size_t size, int protection, int flags, int file, off64_t offset) {
    return map(at, size, protection, flags, file, offset);
}
