#include <png.h>
#include <string.h>

// PNG_IMAGE_* values and the image's opaque fields are macros and bit-fields that Swift cannot use.
// Writes 8-bit RGBA pixels, rows from the top; returns 0 and leaves a reason in `message` (64 bytes) on failure.
static inline int barline_png_write(const char *path, unsigned int width, unsigned int height, const void *pixels,
                                    char *message) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGBA;
    int done = png_image_write_to_file(&image, path, 0, pixels, 0, 0);
    memcpy(message, image.message, 64);
    return done;
}
