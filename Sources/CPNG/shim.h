#include <png.h>
#include <string.h>

// PNG_IMAGE_* values and the image's opaque fields are macros and bit-fields that Swift cannot use.
// Makes a PNG file of 8-bit RGBA pixels, rows from the top, in `*count` bytes of memory; where that is NULL, sets `*count`
// to what is needed. Returns 0 and leaves a reason in `message` (64 bytes) on failure. libpng's own way to write to a
// file removes what is there where that fails, be it a device.
static inline int barline_png_encode(void *memory, size_t *count, unsigned int width, unsigned int height,
                                     const void *pixels, char *message) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGBA;
    png_alloc_size_t bytes = *count;
    int done = png_image_write_to_memory(&image, memory, &bytes, 0, pixels, 0, 0);
    *count = bytes;
    memcpy(message, image.message, 64);
    return done;
}
