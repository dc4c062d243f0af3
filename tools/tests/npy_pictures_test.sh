#!/usr/bin/env bash
# npy_pictures draws what an array holds, pixel by pixel, and refuses in one line what holds no pictures.
set -euo pipefail

tool="$(dirname "$(readlink -f "$0")")/../npy_pictures"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# npy FILE SHAPE NUMBER...: an array of doubles.
npy() {
  python3 - "$@" <<'END'
import array, sys
name, shape, *numbers = sys.argv[1:]
header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
open(name, "wb").write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
                       + array.array("d", map(float, numbers)).tobytes())
END
}
# grey FILE: its rows, as PNG stores them without a filter.
grey() {
  python3 - "$1" <<'END'
import struct, sys, zlib
data, at, rows, size = open(sys.argv[1], "rb").read(), 8, b"", None
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + length]
    assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
    size = struct.unpack(">II", body[:8]) if kind == b"IHDR" else size
    rows += body if kind == b"IDAT" else b""
    at += 12 + length
pixels = zlib.decompress(rows)
print(" | ".join(" ".join(str(x) for x in pixels[r * (size[0] + 1) + 1:(r + 1) * (size[0] + 1)]) for r in range(size[1])))
END
}
# expect WANTED GOT
expect() {
  [[ $1 == "$2" ]] || {
    echo "FAILED: want \"$1\", got \"$2\""
    exit 1
  }
}

npy two.npy "(2, 4)" 0 1 2 4 5 5 0 0
expect "2 frames in frames
a strip of 2 in strip.png" "$("$tool" two.npy -o frames --strip strip.png --zoom 1)"
expect "255 191 | 128 0" "$(grey frames/frame_000.png)"
expect "0 0 | 255 255" "$(grey frames/frame_001.png)"
expect "255 191 191 0 0 | 128 0 191 255 255" "$(grey strip.png)"
"$tool" two.npy -o large --zoom 2 >/dev/null
expect "255 255 191 191 | 255 255 191 191 | 128 128 0 0 | 128 128 0 0" "$(grey large/frame_000.png)"

npy wide.npy "(3, 1, 2)" 1 0 0 1 1 1
"$tool" wide.npy --strip wide.png --of 2 --zoom 1 >/dev/null
expect "0 255 191 0 0" "$(grey wide.png)"

# refused WORDS ARGUMENT...
refused() {
  local words="$1" said
  shift
  if said="$("$tool" "$@" 2>&1)"; then expect "a refusal" "$said"; fi
  [[ $said == *"$words"* && $said != *Traceback* ]] || expect "$words" "$said"
}
npy odd.npy "(2, 3)" 1 2 3 4 5 6
npy nan.npy "(1, 1)" nan
refused "pictures of 3 pixels are no squares" odd.npy -o frames
refused "picture 0 holds what is no number" nan.npy -o frames
refused "No such file" nowhere.npy -o frames
refused "nothing to write" two.npy
