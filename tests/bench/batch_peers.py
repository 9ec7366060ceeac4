#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What batches.c measures, as PyTorch on a GPU does it: crops by torch.stack and by a loop of
copies, pages by index_select and index_copy_. Microseconds, medians: from the call to completion,
and back to back. The operand is MiB of the input, 2048 where nothing is said."""

import statistics
import sys
import time

import torch

TURNS, IN_A_ROW, CROPS, PAGES = 21, 20, 1000, 4096


def measured(name, once, has_rows=True):
    def taken(count):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(count):
            once()
        torch.cuda.synchronize()
        return 1e6 * (time.perf_counter() - start) / count

    turns = TURNS if has_rows else 5
    taken(2)
    single = statistics.median(taken(1) for _ in range(turns))
    row = statistics.median(taken(IN_A_ROW) for _ in range(turns)) if has_rows else single
    print(f"| {name} | {single:.0f} | {row:.0f} |", flush=True)


def crops(storage, side):
    frames = storage[: len(storage) // 6220800 * 6220800].view(-1, 1080, 1920, 3)
    limits = (len(frames), 1081 - side, 1921 - side)
    places = torch.stack([torch.randint(n, (CROPS,)) for n in limits], 1).tolist()
    out = torch.empty((CROPS, side, side, 3), dtype=torch.uint8, device="cuda")
    parts = [frames[f, y : y + side, x : x + side] for f, y, x in places]

    def loop():
        for i, (f, y, x) in enumerate(places):
            out[i].copy_(frames[f, y : y + side, x : x + side])

    name = f"{CROPS} crops of {side} x {side} x 3"
    measured(f"{name}, torch.stack of views", lambda: torch.stack(parts, out=out))
    measured(f"{name}, loop", loop, False)


def pages(storage, kib):
    page = kib * 128
    values = storage[: len(storage) // 8 * 8].view(torch.float64)
    memory = values[: len(values) // page * page].view(-1, page)
    if len(memory) < PAGES:
        return
    index = torch.randperm(len(memory), device="cuda")[:PAGES]
    to = torch.randperm(PAGES, device="cuda")
    out = torch.empty((PAGES, page), dtype=torch.float64, device="cuda")
    name = f"{PAGES} pages of {kib} KiB"
    measured(f"{name}, index_select", lambda: torch.index_select(memory, 0, index, out=out))
    measured(f"{name}, index_copy_", lambda: out.index_copy_(0, to, memory[:PAGES]))


def main():
    mib = int(sys.argv[1]) if len(sys.argv) > 1 else 2048
    storage = torch.randint(256, (mib << 20,), dtype=torch.uint8, device="cuda")
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}; microseconds\n")
    print("| items | call to completion | back to back |\n|---|---:|---:|")
    for side in (224, 64, 32):
        crops(storage, side)
    for kib in (4, 8, 32, 128):
        pages(storage, kib)


main()
