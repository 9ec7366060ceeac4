#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures slices with several builds of the library, or kernels of it, in turns: each in a process
of its own, with memory of its own, and from the same bytes. Prints each slice's kernels, their
median times, and these divided by the first one's; at last the geometric means over the slices that
all of them moved. Fails where the outputs differ."""

import argparse
import contextlib
import json
import math
import statistics
import subprocess
import sys
import time
import zlib

SERVE = "--serve"  # what a process for a build is started with


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("draws", help="a file of lines as `clslice bench --random N --list` prints")
    parser.add_argument(
        "builds",
        nargs="+",
        metavar="LIBRARY[:KERNEL]",
        help="libclslice.so.0 of a build; of the planner's choice where there is no kernel",
    )
    parser.add_argument("--samples", type=int, default=7, help="of each; default: %(default)s")
    return parser.parse_args()


# ---- A build's process: a line for each slice, then a line for each line that it reads ----


def serve(build, path):
    import clslice_ctypes as cl
    import peers_contest
    import peers_libraries

    library, kernel = parted(build)
    device = cl.Device(library)
    draws = read_draws(path)
    launches = peers_contest.launches(device)
    in_bytes, out_bytes = map(max, zip(*(draw.storage_bytes for draw in draws)))
    source, target = peers_contest.random_bytes(in_bytes), peers_contest.aligned(out_bytes)
    ours = peers_libraries.Clslice(device)
    ours.variant = kernel
    for draw in draws:
        with contextlib.ExitStack() as stack:
            in_size, out_size = draw.storage_bytes
            out = target[:out_size].view(draw.dtype)
            out.fill(peers_contest.UNTOUCHED)
            try:
                side = ours.prepare(draw, source[:in_size].view(draw.dtype), out, stack)
                side.run(1)
                answer([side.variant, zlib.crc32(side.output())])
            except cl.Error as reason:
                side = None
                answer([None, str(reason)])
            for request in sys.stdin:
                if request.strip() == "next":
                    break
                answer(sample(side, launches, peers_contest.SAMPLE_SECONDS))


def sample(side, launches, least):
    """Seconds of one slice. A run ahead wakes the threads and fills the caches."""
    side.run(1)
    start, rounds = time.perf_counter(), 0
    while rounds == 0 or time.perf_counter() - start < least:
        side.run(launches)
        rounds += 1
    return (time.perf_counter() - start) / (rounds * launches)


def answer(value):
    print(json.dumps(value), flush=True)


def parted(build):
    library, colon, kernel = build.rpartition(":")
    return (library, kernel) if colon and "/" not in kernel else (build, None)


def read_draws(path):
    from sweep_draws import Draw

    with open(path, encoding="utf-8") as file:
        return [Draw(json.loads(line)) for line in file if line.strip()]


# ---- All of them in turns ----


class Build:
    def __init__(self, name, path):
        command = [sys.executable, __file__, SERVE, name, path]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.name, self.process = name, subprocess.Popen(command, text=True, **pipes)

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"builds.py: {self.name} ended: see above")
        return json.loads(line)

    def ask(self, request):
        self.process.stdin.write(request + "\n")
        self.process.stdin.flush()


def measure(builds, samples):
    """The median seconds of each."""
    times = [[] for _ in builds]
    for _ in range(samples):
        for build, seconds in zip(builds, times):
            build.ask("sample")
            seconds.append(build.read())
    return [statistics.median(seconds) for seconds in times]


def main():
    if sys.argv[1:2] == [SERVE]:
        return serve(*sys.argv[2:])
    arguments = parse_arguments()
    builds = [Build(name, arguments.draws) for name in arguments.builds]
    logs, refusals, differs = [], {}, False
    for draw in read_draws(arguments.draws):
        answers = [build.read() for build in builds]
        able = [build for build, (kernel, _) in zip(builds, answers) if kernel]
        seconds = dict(zip(able, measure(able, arguments.samples)))
        columns = []
        for build, (kernel, reason) in zip(builds, answers):
            if kernel:
                relative = seconds[build] / seconds[able[0]]
                columns.append(f"{kernel} {1e3 * seconds[build]:.3f} ms ({relative:.2f})")
            else:
                columns.append("-")
                refusals.setdefault(build.name, reason)
            build.ask("next")
        print(f"{draw.name}: " + ", ".join(columns), flush=True)
        if len({checksum for kernel, checksum in answers if kernel}) > 1:
            print(f"{draw.name}: the outputs differ", file=sys.stderr)
            differs = True
        if len(able) == len(builds):
            logs.append([math.log(seconds[build] / seconds[builds[0]]) for build in builds])
    if logs:
        means = [math.exp(statistics.fmean(column)) for column in zip(*logs)]
        print(f"means of {len(logs)}: " + ", ".join(f"{mean:.3f}" for mean in means))
    for name, reason in refusals.items():
        print(f"{name}: not every slice: {reason}", file=sys.stderr)
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
