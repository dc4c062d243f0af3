"""PNG files in memory, by libpng's simplified API (its manual, section V), as png_files.hpp has it."""
import ctypes

_RGB = 2  # PNG_FORMAT_RGB
_16BIT_SRGB = 4  # PNG_IMAGE_FLAG_16BIT_sRGB: levels as they are, as common/oracle/images.cpp has it


class _Image(ctypes.Structure):
    """png_image of png.h, version 1."""

    _fields_ = [("opaque", ctypes.c_void_p), *((name, ctypes.c_uint32) for name in (
        "version", "width", "height", "format", "flags", "colormap_entries", "warning_or_error")),
        ("message", ctypes.c_char * 64)]


class PngFiles:
    def __init__(self):
        try:
            self.library = ctypes.CDLL("libpng16.so.16")
        except OSError as error:
            raise RuntimeError(f"PNG files cannot be read: libpng cannot be loaded: {error}") from error

    def _check(self, done, image):
        if not done:
            raise RuntimeError(f"libpng: {image.message.decode(errors='replace')}")

    def read(self, file, xp):
        """The levels of a file, height x width x 3."""
        image, bytes_ = _Image(version=1), file.astype("u1")
        try:
            begun = self.library.png_image_begin_read_from_memory(
                ctypes.byref(image), ctypes.c_void_p(bytes_.ctypes.data), ctypes.c_size_t(bytes_.size))
            self._check(begun, image)
            image.flags |= _16BIT_SRGB
            image.format = _RGB
            rgb, white = xp.empty((image.height, image.width, 3), "u1"), (ctypes.c_ubyte * 3)(255, 255, 255)
            self._check(self.library.png_image_finish_read(ctypes.byref(image), white,
                                                           ctypes.c_void_p(rgb.ctypes.data), 0, None), image)
            return rgb
        finally:
            self.library.png_image_free(ctypes.byref(image))

    def write(self, rgb, most, xp):
        """A file of these levels, with zeros behind its end."""
        image = _Image(version=1, height=rgb.shape[0], width=rgb.shape[1], format=_RGB)
        levels, bytes_ = xp.ascontiguousarray(rgb.astype("u1")), xp.zeros(most, "u1")
        size = ctypes.c_size_t(most)
        try:
            self._check(self.library.png_image_write_to_memory(
                ctypes.byref(image), ctypes.c_void_p(bytes_.ctypes.data), ctypes.byref(size), 0,
                ctypes.c_void_p(levels.ctypes.data), 0, None), image)
            return bytes_
        finally:
            self.library.png_image_free(ctypes.byref(image))


def most_bytes(width, height):
    """Of such a file, as picture_files.hpp has it."""
    rows = (3 * width + 1) * height
    return rows + rows // 8 + rows // 64 + 1024
