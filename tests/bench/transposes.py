#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints transposes of matrices as sweep.py reads them, in classes by the bytes of an element:
large squares, primes, many small matrices, tall and wide ones, outputs of about 128 MiB."""

import argparse
import json
import math

import peers_cases


def next_prime(number):
    while any(number % divisor == 0 for divisor in range(2, math.isqrt(number) + 1)):
        number += 1
    return number


def shapes(elements):
    """(matrices, rows, columns) of the input."""
    side = math.isqrt(elements)
    prime = next_prime(side)
    yield 1, side // 64 * 64, side // 64 * 64
    yield 1, prime, next_prime(prime + 1)
    yield elements // (64 * 64), 64, 64
    yield elements // (67 * 61), 67, 61
    yield 1, elements // 100, 100
    yield 1, 100, elements // 100


def line(width, number, size, shape):
    matrices, rows, columns = shape
    sizes, in_strides = (matrices, columns, rows), (rows * columns, 1, columns)
    if matrices == 1:
        sizes, in_strides = sizes[1:], in_strides[1:]
    window = [0] * len(sizes), sizes, [1] * len(sizes)
    name = f"transpose{width}/{number}"
    return peers_cases.draw(name, size, f"uint{8 * width}", sizes, in_strides, window, sizes)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mib", type=int, default=128, help="of an output; default: %(default)s")
    size = parser.parse_args().mib << 20
    for width in (1, 2, 4, 8):
        for number, shape in enumerate(shapes(size // width)):
            print(json.dumps(line(width, number, size, shape)))


if __name__ == "__main__":
    main()
