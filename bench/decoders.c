/*
 * The peers in C that bench/decoders.ts measures against: eccodes, libaec and OpenJPEG. `make FOLDER` writes a field of
 * 1024 by 1024 values as GRIB messages, packed in each way; `time FOLDER` then answers lines of a packing, a peer and a
 * number of repetitions with the fastest time in milliseconds, or -1 where the peer cannot.
 */
#include <eccodes.h>
#include <libaec.h>
#include <math.h>
#include <openjpeg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 1024, COUNT = SIDE * SIDE };
static double values[COUNT];
static unsigned char message[16 * COUNT];
static unsigned char samples[4 * COUNT];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static void fill(void) {
  unsigned state = 12345;
  for (int i = 0; i < COUNT; i++) {
    state = state * 1664525u + 1013904223u;
    int x = i % SIDE, y = i / SIDE;
    values[i] = 280 + 20 * sin(x / 90.0) * cos(y / 70.0) + (state >> 8) / 16777216.0 * 0.5;
  }
}

static int make(const char *folder, const char *packing, const char *name) {
  codes_handle *h = codes_grib_handle_new_from_samples(NULL, "regular_ll_sfc_grib2");
  size_t length = strlen(packing);
  int failed = !h;
  failed = failed || codes_set_long(h, "Ni", SIDE) || codes_set_long(h, "Nj", SIDE);
  failed = failed || codes_set_double(h, "longitudeOfLastGridPointInDegrees", 255.75);
  failed = failed || codes_set_double(h, "iDirectionIncrementInDegrees", 0.25);
  failed = failed || codes_set_double(h, "latitudeOfFirstGridPointInDegrees", 80);
  failed = failed || codes_set_double(h, "latitudeOfLastGridPointInDegrees", -47.875);
  failed = failed || codes_set_double(h, "jDirectionIncrementInDegrees", 0.125);
  failed = failed || codes_set_long(h, "bitsPerValue", 12);
  failed = failed || codes_set_double_array(h, "values", values, COUNT);
  failed = failed || codes_set_string(h, "packingType", packing, &length);
  const void *bytes;
  size_t size;
  failed = failed || codes_get_message(h, &bytes, &size);
  if (failed) return 1;
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.grib2", folder, name);
  FILE *file = fopen(path, "wb");
  if (!file) return 1;
  fwrite(bytes, 1, size, file);
  fclose(file);
  codes_handle_delete(h);
  return 0;
}

static size_t be32(const unsigned char *at) {
  return (size_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
}

/* A section of the message, from its length on. */
static unsigned char *section(int number, size_t size) {
  for (size_t at = 16; at + 5 < size; at += be32(message + at)) {
    if (message[at + 4] == number) return message + at;
  }
  return NULL;
}

static int by_eccodes(size_t size) {
  codes_handle *h = codes_handle_new_from_message(NULL, message, size);
  size_t count = COUNT;
  int failed = !h || codes_get_double_array(h, "values", values, &count) || count != COUNT;
  codes_handle_delete(h);
  return failed;
}

static int by_libaec(size_t size) {
  unsigned char *five = section(5, size), *seven = section(7, size);
  struct aec_stream s = {0};
  s.bits_per_sample = five[19];
  s.flags = five[21];
  s.block_size = five[22];
  s.rsi = five[23] << 8 | five[24];
  s.next_in = seven + 5;
  s.avail_in = be32(seven) - 5;
  s.next_out = samples;
  s.avail_out = COUNT * (s.bits_per_sample > 16 ? 4 : s.bits_per_sample > 8 ? 2 : 1);
  return aec_buffer_decode(&s) != AEC_OK;
}

struct span {
  const unsigned char *bytes;
  size_t size, at;
};

static OPJ_SIZE_T read_span(void *to, OPJ_SIZE_T wanted, void *user) {
  struct span *span = user;
  size_t left = span->size - span->at, taken = wanted < left ? wanted : left;
  if (taken == 0) return (OPJ_SIZE_T)-1;
  memcpy(to, span->bytes + span->at, taken);
  span->at += taken;
  return taken;
}

static OPJ_OFF_T skip_span(OPJ_OFF_T bytes, void *user) {
  ((struct span *)user)->at += bytes;
  return bytes;
}

static int by_openjpeg(size_t size) {
  unsigned char *seven = section(7, size);
  struct span span = {seven + 5, be32(seven) - 5, 0};
  opj_stream_t *stream = opj_stream_default_create(OPJ_TRUE);
  opj_stream_set_user_data(stream, &span, NULL);
  opj_stream_set_user_data_length(stream, span.size);
  opj_stream_set_read_function(stream, read_span);
  opj_stream_set_skip_function(stream, skip_span);
  opj_codec_t *codec = opj_create_decompress(OPJ_CODEC_J2K);
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  opj_image_t *image = NULL;
  int failed = !opj_setup_decoder(codec, &parameters) || !opj_read_header(stream, codec, &image);
  failed = failed || !opj_decode(codec, stream, image);
  opj_image_destroy(image);
  opj_destroy_codec(codec);
  opj_stream_destroy(stream);
  return failed;
}

static double fastest(const char *folder, const char *name, const char *peer, int repetitions) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.grib2", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) return -1;
  size_t size = fread(message, 1, sizeof message, file);
  fclose(file);
  double best = -1;
  for (int i = 0; i < repetitions; i++) {
    double start = now();
    int failed = !strcmp(peer, "eccodes") ? by_eccodes(size) : !strcmp(peer, "libaec") ? by_libaec(size) : by_openjpeg(size);
    double taken = now() - start;
    if (failed) return -1;
    if (best < 0 || taken < best) best = taken;
  }
  return best;
}

int main(int count, char **words) {
  if (count < 3) return 1;
  if (!strcmp(words[1], "make")) {
    fill();
    return make(words[2], "grid_simple", "simple") | make(words[2], "grid_complex_spatial_differencing", "complex") << 1 |
           make(words[2], "grid_ccsds", "ccsds") << 2 | make(words[2], "grid_jpeg", "jpeg2000") << 3;
  }
  char name[64], peer[64];
  int repetitions;
  while (scanf("%63s %63s %d", name, peer, &repetitions) == 3) {
    printf("%.4f\n", fastest(words[2], name, peer, repetitions));
    fflush(stdout);
  }
  return 0;
}
