# SPDX-License-Identifier: MIT
"""Who is measured over draws alone, beside those of peers_libraries.py, and in the same way."""

import ctypes
import math
import pathlib
import shutil
import subprocess
import tempfile

import clslice_ctypes as cl
import peers_cases
import peers_libraries

COMPILED_DRAWS = 4  # of a class: compiling takes seconds
LOOPS_SHARED_OUT = 64  # rounds, at least: an even load for some cores


class TorchCompile(peers_libraries.Torch):
    """PyTorch's copy, with torch.flip where a step is negative, compiled for the shape."""

    label = "torch.compile"

    def __init__(self, device):
        super().__init__(device)
        import torch._dynamo
        import torch._inductor.config

        # What cannot be compiled is an error, not something slower.
        torch._dynamo.config.suppress_errors = False
        torch._inductor.config.implicit_fallbacks = False
        # There is one kernel: a pool of compilers takes longer to start.
        torch._inductor.config.compile_threads = 1

    def prepare(self, case, source, target, stack):
        if case.is_gradient or case.number >= COMPILED_DRAWS:
            return None
        return super().prepare(case, source, target, stack)

    def _copy(self, view, flipped, out):
        torch = self.torch

        def copy(view, out):
            out.copy_(torch.flip(view, flipped) if flipped else view)

        torch._dynamo.reset()
        torch._dynamo.utils.counters.clear()
        compiled = torch.compile(copy, dynamic=False, fullgraph=True)
        compiled(view, out)
        out.zero_()  # what is compared comes from a later call

        def check():
            graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
            if graphs != 1:
                raise RuntimeError(f"torch.compile made {graphs} graphs, not 1")

        return lambda: compiled(view, out), check


class Cuda:
    """transpose.cu, for draws that are transposes; CuPy has the memory."""

    label = "CUDA"

    def __init__(self, device):
        self.cupy = peers_libraries.CuPy(device).cupy
        nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
        if not nvcc:
            raise peers_libraries.Unavailable("needs nvcc, in PATH or /usr/local/cuda/bin")
        source = pathlib.Path(__file__).resolve().parent / "transpose.cu"
        options = ["-O3", "-std=c++17", "-arch=native", "-Xcompiler", "-fPIC", "-shared"]
        self.transpose = built([nvcc, *options, source]).transpose
        # Input, output, bytes of an element, matrices, rows and columns of the input.
        self.transpose.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_uint] * 4
        runtime = self.cupy.cuda.runtime
        self.version, self.finish = str(runtime.runtimeGetVersion()), runtime.deviceSynchronize

    def prepare(self, case, source, target, stack):
        shape = None if case.is_gradient else transposed(case)
        if not shape:
            return None
        cupy = self.cupy
        cupy.get_default_memory_pool().free_all_blocks()  # of the case before
        storage, result = cupy.asarray(source), cupy.asarray(target)
        view, out = storage[case.in_offset :], result[case.out_offset :]

        def once():
            code = self.transpose(view.data.ptr, out.data.ptr, source.itemsize, *shape)
            if code:
                raise RuntimeError(f"the kernel was not launched: CUDA's code {code}")

        run = peers_libraries.repeated(once, self.finish)
        return peers_libraries.Contender(run, lambda: result.get(out=target))


class PlainC:
    """Nested loops with the draw's numbers, which a compiler may make of them what it can."""

    label = "plain C"
    options = ["-O3", "-march=native", "-fopenmp", "-fPIC", "-shared"]

    def __init__(self, device):
        self.gcc = shutil.which("gcc")
        if not self.gcc:
            raise peers_libraries.Unavailable("needs gcc")
        if not device.is_cpu:
            raise peers_libraries.Unavailable("runs on the processors, so the device must be one")
        self.version = subprocess.run(
            [self.gcc, "-dumpfullversion"], check=True, capture_output=True, text=True
        ).stdout.strip()

    def prepare(self, case, source, target, stack):
        if case.is_gradient:
            return None
        with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
            file.write(loops_of(case))
            file.flush()
            library = built([self.gcc, *self.options, file.name])
        operands = [ctypes.c_void_p(array.ctypes.data) for array in (source, target)]
        return peers_libraries.Contender(
            peers_libraries.repeated(lambda: library.slice(*operands)), lambda: target
        )


def loops_of(case):
    """void slice(in, out) in C. The outer loops are shared out among all cores."""
    element = f"uint{8 * case.width}_t"
    steps = [r.step * stride for r, stride in zip(case.ranges, case.in_strides)]
    first = case.in_offset + sum(r.start * s for r, s in zip(case.ranges, case.in_strides))
    loops, shared = [], 1
    while shared < len(steps) - 1 and math.prod(case.out_sizes[:shared]) < LOOPS_SHARED_OUT:
        shared += 1
    for axis, size in enumerate(case.out_sizes):
        loops.append(f"for (long i{axis} = 0; i{axis} < {size}; ++i{axis})")
    place = [
        " + ".join(f"i{axis} * {n}L" for axis, n in enumerate(numbers))
        for numbers in (steps, case.out_strides)
    ]
    return "\n".join(
        [
            "#include <stdint.h>",
            f"void slice(const {element} *restrict in, {element} *restrict out)",
            "{",
            f"#pragma omp parallel for collapse({shared})",
            *loops,
            f"out[{case.out_offset}L + {place[1]}] = in[{first}L + {place[0]}];",
            "}",
            "",
        ]
    )


def built(command):
    """The library that a compiler makes."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            command = [*command, "-o", f"{folder}/library.so"]
            subprocess.run(command, check=True, capture_output=True, text=True)
        except subprocess.CalledProcessError as reason:
            raise peers_libraries.Unavailable(f"{command[0]}: {reason.stdout}{reason.stderr}")
        return ctypes.CDLL(f"{folder}/library.so")


def transposed(case):
    """Matrices, rows and columns of a packed input whose matrices the output has transposed, or
    None where the slice is another."""
    *outer, columns, rows = case.sizes
    strides = (rows * columns,) * len(outer) + (1, columns)
    is_whole = case.out_sizes == case.sizes and all(r.step == 1 for r in case.ranges)
    is_packed = case.out_strides == peers_cases.packed(case.sizes)
    if len(outer) > 1 or not is_whole or not is_packed or case.in_strides != strides:
        return None
    return math.prod(outer), rows, columns


class Variant(peers_libraries.Clslice):
    """clslice with another kernel than the planner's choice."""

    def __init__(self, device, name):
        super().__init__(device)
        self.label = self.variant = name

    def prepare(self, case, source, target, stack):
        chosen = cl.compiled_slice(self.device, case)[1]
        if chosen == self.variant:
            return None
        try:
            return super().prepare(case, source, target, stack)
        except cl.Error as reason:
            if reason.rule != cl.RULE_VARIANT:
                raise
            return None  # it cannot do this slice


def variants(device):
    return [Variant(device, name) for name in cl.variant_names()]


PEERS = peers_libraries.PEERS | {"c": PlainC, "compile": TorchCompile, "cuda": Cuda}
