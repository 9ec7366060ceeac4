# SPDX-License-Identifier: MIT
"""The provider beside ONNX Runtime's own CPU Slice, in one process and in turns.

    EP_LIBRARY=.../libonnxruntime_ep_clslice.so python bench.py [--sizes 64K 1M 16M] [--threads 2]

Each line is a case at one size of output: the medians of both, and the median of the ratios of
neighbouring runs (above 1: the provider is faster); once with outputs that are bound and stay, and
once with outputs that each run allocates. The last lines say from which size on the provider is not
slower: the break-even that min_bytes stands for. POCL_AFFINITY=1 keeps PoCL's threads apart.
"""
import argparse
import math
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import onnxruntime

import sessions

ALL = 2**63 - 1
BACK = -(2**63)


@dataclass(frozen=True)
class Case:
    """A slice whose output can be of any size."""

    name: str
    dtype: type
    shape: Callable[[int], tuple[int, ...]]  # of the input, from the output's number of elements
    cuts: tuple[tuple[int, int, int, int], ...]  # start, end, axis, step


def side(elements: int, channels: int) -> int:
    """Of a square picture of so many elements."""
    return max(2, math.isqrt(elements // channels))


CASES = (
    Case("crop", np.float32, lambda n: (max(n // 1024, 1), 2048), ((512, 1536, 1, 1),)),
    Case("rows 1:", np.float32, lambda n: (n // 1024 + 1, 1024), ((1, ALL, 0, 1),)),
    Case("rows ::2", np.float32, lambda n: (2 * max(n // 1024, 1), 1024), ((0, ALL, 0, 2),)),
    Case("K of QKV", np.float16, lambda n: (max(n // 768, 1), 3 * 768), ((768, 1536, 1, 1),)),
    Case("KV window", np.float16, lambda n: (8, 2 * max(n // 512, 1), 64),
         ((-1024 * 1024, ALL, 2, 1), (1, ALL, 1, 1))),
    Case("half of heads", np.float32, lambda n: (max(n // 64, 1), 128), ((64, ALL, 1, 1),)),
    Case("columns ::2", np.float32, lambda n: (max(n // 1024, 1), 2048), ((0, ALL, 1, 2),)),
    Case("columns ::-1", np.float32, lambda n: (max(n // 1024, 1), 1024), ((-1, BACK, 1, -1),)),
    Case("bytes ::-1", np.uint8, lambda n: (max(n // 4096, 1), 4096), ((-1, BACK, 1, -1),)),
    Case("focus", np.float32, lambda n: (1, 3, 2 * side(n, 3), 2 * side(n, 3)),
         ((0, ALL, 2, 2), (1, ALL, 3, 2))),
    Case("RGB to BGR", np.uint8, lambda n: (1, side(n, 3), side(n, 3), 3), ((-1, BACK, 3, -1),)),
)


def cut(x: np.ndarray, case: Case) -> np.ndarray:
    """A view: what the slice's result is."""
    key = [slice(None)] * x.ndim
    for start, end, axis, step in case.cuts:
        key[axis] = slice(start, None if end in (ALL, BACK) else end, step)
    return x[tuple(key)]


def sessions_of(case: Case, x: np.ndarray, device: onnxruntime.OrtEpDevice,
                threads: int) -> list[onnxruntime.InferenceSession]:
    """The CPU provider's and ours."""
    names = ("starts", "ends", "axes", "steps")
    model = sessions.slice_model(sessions.value("x", case.dtype, x.shape),
                                 sessions.value("y", case.dtype, cut(x, case).shape),
                                 **dict(zip(names, zip(*case.cuts, strict=True), strict=True)))
    made = []
    for ours in (False, True):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        if ours:
            options.add_provider_for_devices([device], {"min_bytes": "0"})
            options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
        made.append(onnxruntime.InferenceSession(
            model.SerializeToString(), options, None if ours else [sessions.CPU],
            enable_fallback=0))
    return made


def bound(session: onnxruntime.InferenceSession, x: np.ndarray,
          y: np.ndarray) -> Callable[[], object]:
    """A run whose input and output stay where they are."""
    binding = session.io_binding()
    binding.bind_input("x", "cpu", 0, x.dtype.type, x.shape, x.ctypes.data)
    binding.bind_output("y", "cpu", 0, y.dtype.type, y.shape, y.ctypes.data)
    return lambda: session.run_with_iobinding(binding)


def contest(runs: list[Callable[[], object]], seconds: float) -> tuple[float, float, float]:
    """Medians in microseconds of both, and of theirs over ours, from runs in turns."""
    for run in runs * 3:
        run()
    times: list[list[float]] = [[], []]
    end = time.perf_counter() + seconds
    turn = 0
    while turn < 9 or time.perf_counter() < end:
        for which in (0, 1) if turn % 2 else (1, 0):
            start = time.perf_counter()
            runs[which]()
            times[which].append(time.perf_counter() - start)
        turn += 1
    ratio = statistics.median(a / b for a, b in zip(*times, strict=True))
    return statistics.median(times[0]) * 1e6, statistics.median(times[1]) * 1e6, ratio


def measure(case: Case, output_bytes: int, device: onnxruntime.OrtEpDevice,
            arguments: argparse.Namespace) -> tuple[int, float, float]:
    """Prints a line. Bytes of the output, and the ratios of bound and of allocated outputs."""
    random = np.random.default_rng(1)
    shape = case.shape(output_bytes // np.dtype(case.dtype).itemsize)
    x = random.integers(0, 100, shape, np.uint8).astype(case.dtype)
    expected = cut(x, case)
    both = sessions_of(case, x, device, arguments.threads)
    outputs = [np.zeros(expected.shape, case.dtype) for _ in both]
    stay = contest([bound(s, x, y) for s, y in zip(both, outputs, strict=True)], arguments.seconds)
    for output in outputs:
        np.testing.assert_array_equal(output, expected)
    anew = contest([lambda s=s: s.run(None, {"x": x}) for s in both], arguments.seconds)
    print(f"{case.name:14}{expected.nbytes / 1024:10.0f}"
          + "".join(f"{cpu:12.1f}{ours:12.1f}{ratio:8.2f}" for cpu, ours, ratio in (stay, anew)),
          flush=True)
    return expected.nbytes, stay[2], anew[2]


def break_even(points: Iterable[tuple[int, float, float]]) -> int | None:
    """The smallest size from which on the provider is not slower with either kind of output."""
    least = None
    for output_bytes, stay, anew in points:
        if min(stay, anew) < 1:
            least = None
        elif least is None:
            least = output_bytes
    return least


def size(text: str) -> int:
    shift = {"K": 10, "M": 20, "G": 30}.get(text[-1], 0)
    return int(text[:-1] if shift else text) << shift


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", nargs="+", type=size, metavar="BYTES", default=[
        4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20])
    parser.add_argument("--cases", nargs="+", choices=[case.name for case in CASES], metavar="NAME")
    parser.add_argument("--threads", type=int, default=2, help="of ONNX Runtime's (%(default)s)")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each figure (%(default)s)")
    arguments = parser.parse_args()
    with sessions.registered() as devices:
        device = devices[0]
        print(f"onnxruntime {onnxruntime.__version__}, {device.ep_metadata['selector']}\n\n"
              f"{'':24}{'outputs that stay, us':^32}{'outputs made anew, us':^32}\n"
              f"{'case':14}{'KiB':>10}" + f"{'CPU':>12}{'clslice':>12}{'ratio':>8}" * 2)
        lines = []
        for case in CASES:
            if arguments.cases and case.name not in arguments.cases:
                continue
            least = break_even([measure(case, output_bytes, device, arguments)
                                for output_bytes in sorted(arguments.sizes)])
            lines.append(f"{case.name:14}{least / 1024:10.0f} KiB" if least else case.name)
        print("\nnot slower from this size on:\n" + "\n".join(lines))


if __name__ == "__main__":
    main()
