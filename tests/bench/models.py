#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints slices typical of language and vision models and of preparing their inputs, as sweep.py
reads them: a class for each slice, numbered by the bytes of an element."""

import argparse
import json
import math

import peers_cases

FLOATS = (2, 4)
BYTES = (1,)

# Class, bytes of an element, the input's sizes behind the batch, its axes in the output's order,
# the batch's first, and the key behind the batch.
SLICES = (
    # Attention: tokens, heads, elements of a head; the cache's newest tokens; one of Q, K and V.
    ("split-heads", FLOATS, (2048, 16, 64), (0, 2, 1, 3), ":,:,:"),
    ("merge-heads", FLOATS, (16, 2048, 64), (0, 2, 1, 3), ":,:,:"),
    ("split-128", FLOATS, (1024, 32, 128), (0, 2, 1, 3), ":,:,:"),
    ("keys", FLOATS, (16, 2048, 64), (0, 1, 3, 2), ":,:,:"),
    ("newest", FLOATS, (16, 2048, 128), (0, 1, 2, 3), ":,1024:,:"),
    ("one-of-qkv", FLOATS, (1024, 3072), (0, 1, 2), ":,1024:2048"),
    ("rotary-pairs", FLOATS, (4096, 16, 128), (0, 1, 2, 3), ":,:,::2"),
    ("rotary-halves", FLOATS, (4096, 16, 128), (0, 1, 2, 3), ":,:,64:"),
    # Layouts of channels.
    ("channels-last", FLOATS, (256, 56, 56), (0, 2, 3, 1), ":,:,:"),
    ("channels-first", FLOATS, (56, 56, 256), (0, 3, 1, 2), ":,:,:"),
    ("colors-last", BYTES + FLOATS, (3, 224, 224), (0, 2, 3, 1), ":,:,:"),
    ("colors-first", BYTES + FLOATS, (224, 224, 3), (0, 3, 1, 2), ":,:,:"),
    ("shuffle-channels", FLOATS, (4, 64, 56 * 56), (0, 2, 1, 3), ":,:,:"),
    # Windows and patches.
    ("windows", FLOATS, (8, 7, 8, 7, 96), (0, 1, 3, 2, 4, 5), ":,:,:,:,:"),
    ("patches", FLOATS, (3, 14, 16, 14, 16), (0, 2, 4, 1, 3, 5), ":,:,:,:,:"),
    ("shuffle-pixels", FLOATS, (64, 4, 4, 128, 128), (0, 1, 4, 2, 5, 3), ":,:,:,:,:"),
    ("focus", FLOATS, (3, 640, 640), (0, 1, 2, 3), ":,1::2,::2"),
    # Pictures.
    ("crop", BYTES, (256, 256, 3), (0, 1, 2, 3), "16:240,16:240,:"),
    ("mirror", BYTES + FLOATS, (3, 224, 448), (0, 1, 2, 3), ":,:,::-1"),
    ("rgb-to-bgr", BYTES, (224, 224, 3), (0, 1, 2, 3), ":,:,::-1"),
    ("planes-of-bgr", BYTES, (224, 224, 3), (0, 3, 1, 2), "::-1,:,:"),
    ("drop-alpha", BYTES, (224, 224, 4), (0, 1, 2, 3), ":,:,:3"),
    ("alpha", BYTES, (512, 512, 4), (0, 1, 2, 3), ":,:,3:"),
    ("chroma", BYTES, (1080, 1920), (0, 1, 2), "::2,::2"),
)


def line(name, width, sizes, axes, key, size):
    """Of a batch whose output has about `size` bytes."""
    case = peers_cases.Case(name, f"uint{8 * width}", tuple(sizes[a - 1] for a in axes[1:]), key)
    batch = max(1, round(size / (width * math.prod(case.out_sizes))))
    strides = peers_cases.packed((batch, *sizes))
    offsets, windows, steps = case.window
    return peers_cases.draw(
        f"{name}/{width}",
        size,
        case.dtype,
        (batch, *case.sizes),
        [strides[a] for a in axes],
        ([0, *offsets], [batch, *windows], [1, *steps]),
        (batch, *case.out_sizes),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mib", type=int, default=128, help="of an output; default: %(default)s")
    size = parser.parse_args().mib << 20
    for name, widths, sizes, axes, key in SLICES:
        for width in widths:
            print(json.dumps(line(name, width, sizes, axes, key, size)))


if __name__ == "__main__":
    main()
