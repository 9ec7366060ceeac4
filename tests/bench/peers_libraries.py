# SPDX-License-Identifier: MIT
"""Who is measured: each library prepares a case as its users would write it.

A library is made with clslice's device, and raises Unavailable or ImportError where it cannot run.
Its prepare(case, source, target, stack) takes the storage of both tensors as flat NumPy arrays of
the case's type, which begin case.in_offset and case.out_offset elements into it, and an ExitStack
for what is to be released after the case; it returns a Contender, or None for a case that it cannot
say. On a CPU everybody reads and writes these arrays; on a GPU everybody has copies of them, and
reads the output into the target.
"""

import dataclasses
import os
import typing

import numpy as np

import clslice_ctypes as cl


class Unavailable(Exception):
    """Why a library cannot be measured here."""


@dataclasses.dataclass
class Contender:
    run: typing.Callable  # run(launches): so many slices in a row; returns when the last is done
    output: typing.Callable  # output(): the last output's storage, a NumPy array
    variant: str = ""


def repeated(once, finish=lambda: None):
    """run(launches) of a call and of what waits for it."""

    def run(launches):
        for _ in range(launches):
            once()
        finish()

    return run


def strided(as_strided, array, sizes, strides):
    """A view of a flat array, strides in elements."""
    return as_strided(array, sizes, [array.itemsize * stride for stride in strides])


def ends(as_strided, case, source, target):
    """Views of what is read and of what that fills, and of what is to be 0 before: all of a
    gradient's output, else nothing."""
    read = strided(as_strided, source[case.in_offset :], case.sizes, case.in_strides)
    out = strided(as_strided, target[case.out_offset :], case.out_sizes, case.out_strides)
    return (read, out[case.key], out) if case.is_gradient else (read[case.key], out, None)


class Clslice:
    label = "clslice"
    kind = cl.BINDING_CL_MEM
    variant = None  # the planner chooses

    def __init__(self, device):
        self.device, self.version = device, device.version

    def prepare(self, case, source, target, stack):
        compiled, variant = cl.compiled_slice(self.device, case, self.variant)
        bindings = [
            cl.Binding(
                kind=self.kind,
                handle=self._handle(array, stack),
                offset=offset * array.itemsize,
                size=array[offset:].nbytes,
            )
            for array, offset in ((source, case.in_offset), (target, case.out_offset))
        ]
        run = cl.dispatcher(self.device, compiled, *bindings)
        return Contender(run, lambda: self._output(bindings[1].handle, target), variant)

    def _handle(self, array, stack):
        return stack.enter_context(self.device.buffer(array))

    def _output(self, memory, target):
        self.device.read(memory, target)
        return target


class ClsliceHostMemory(Clslice):
    """The same with host memory bound, which each dispatch wraps, or stages on a GPU."""

    label = "clslice, host memory"
    kind = cl.BINDING_HOST

    def _handle(self, array, stack):
        return array.ctypes.data

    def _output(self, address, target):
        return target


class NumPy:
    label = "NumPy"
    version = np.__version__

    def __init__(self, device):
        if not device.is_cpu:
            raise Unavailable("runs on a CPU alone")

    def prepare(self, case, source, target, stack):
        view, out, zeros = ends(np.lib.stride_tricks.as_strided, case, source, target)

        def once():
            if zeros is not None:
                zeros[...] = 0
            np.copyto(out, view)

        return Contender(repeated(once), lambda: target)


class Torch:
    label = "PyTorch"

    def __init__(self, device):
        import torch

        if not device.is_cpu and not torch.cuda.is_available():
            raise Unavailable("sees no GPU: torch.cuda.is_available() is False")
        self.torch, self.on_cpu, self.version = torch, device.is_cpu, torch.__version__
        torch.set_num_threads(len(os.sched_getaffinity(0)))

    def prepare(self, case, source, target, stack):
        torch = self.torch
        finish = (lambda: None) if self.on_cpu else torch.cuda.synchronize
        storage, result = self._tensor(source), self._tensor(target)
        # Steps must be positive: the same elements upwards, then torch.flip, which makes its own
        # tensor.
        upwards = tuple(
            slice(min(r[0], r[-1]), max(r[0], r[-1]) + 1, abs(r.step)) for r in case.ranges
        )
        view = torch.as_strided(storage[case.in_offset :], case.sizes, case.in_strides)
        flipped = [axis for axis, r in enumerate(case.ranges) if r.step < 0]
        out = torch.as_strided(result[case.out_offset :], case.out_sizes, case.out_strides)
        if case.is_gradient:
            once, complete = self._scatter(view, flipped, out, out[upwards])
        else:
            once, complete = self._copy(view[upwards], flipped, out)

        def output():
            complete()
            torch.from_numpy(target).copy_(result)
            return target

        return Contender(repeated(once, finish), output)

    def _tensor(self, array):
        tensor = self.torch.from_numpy(array)
        if self.on_cpu:
            return tensor
        self.torch.cuda.empty_cache()  # of the case before
        return tensor.cuda()

    def _scatter(self, view, flipped, out, filled):
        def once():
            out.zero_()
            filled.copy_(self.torch.flip(view, flipped) if flipped else view)

        return once, lambda: None

    def _copy(self, view, flipped, out):
        """What slices once, and what then completes the output for the comparison."""
        if not flipped:
            return lambda: out.copy_(view), lambda: None
        if self.torch.flip(view, flipped).stride() != out.stride():
            return lambda: out.copy_(self.torch.flip(view, flipped)), lambda: None
        last = []  # is laid out as the output: a copy would be a second pass

        def once():
            last[:] = [self.torch.flip(view, flipped)]

        return once, lambda: out.copy_(last[0])


class CuPy:
    label = "CuPy"

    def __init__(self, device):
        if device.is_cpu:
            raise Unavailable("runs on a GPU alone")
        import cupy

        if not cupy.is_available():
            raise Unavailable("sees no GPU: cupy.is_available() is False")
        self.cupy, self.version = cupy, cupy.__version__

    def prepare(self, case, source, target, stack):
        cupy = self.cupy
        cupy.get_default_memory_pool().free_all_blocks()  # of the case before
        storage, result = cupy.asarray(source), cupy.asarray(target)
        view, out, zeros = ends(cupy.lib.stride_tricks.as_strided, case, storage, result)

        def once():
            if zeros is not None:
                zeros[...] = 0
            out[...] = view

        finish = cupy.cuda.get_current_stream().synchronize
        return Contender(repeated(once, finish), lambda: result.get(out=target))


class OnnxRuntime:
    label = "ONNX Runtime"

    def __init__(self, device):
        if not device.is_cpu:
            raise Unavailable("is measured on a CPU alone")
        import onnx
        import onnxruntime

        self.onnx, self.ort, self.version = onnx, onnxruntime, onnxruntime.__version__

    def prepare(self, case, source, target, stack):
        if case.is_broadcast or case.is_transposed:
            return None  # a Slice node knows packed tensors alone
        options = self.ort.SessionOptions()
        # Threads that wait busily would take their cores from the next contender.
        options.add_session_config_entry("session.force_spinning_stop", "1")
        providers = ["CPUExecutionProvider"]
        session = self.ort.InferenceSession(self._model(case), options, providers=providers)
        binding = session.io_binding()
        binding.bind_input("x", "cpu", 0, source.dtype, case.sizes, source.ctypes.data)
        binding.bind_output("y", "cpu", 0, target.dtype, case.out_sizes, target.ctypes.data)
        return Contender(repeated(lambda: session.run_with_iobinding(binding)), lambda: target)

    def _model(self, case):
        """One Slice, which names the axes that it cuts."""
        helper, int64 = self.onnx.helper, self.onnx.TensorProto.INT64
        dtype = helper.np_dtype_to_tensor_dtype(np.dtype(case.dtype))
        axes = [a for a, part in enumerate(case.key) if part != slice(None)] or [0]
        ranges = [case.ranges[a] for a in axes]
        # Downwards to index 0, the stop is before it: -1 would be the last element.
        stops = [r.stop if r.stop >= 0 else r.stop - case.sizes[a] for r, a in zip(ranges, axes)]
        starts, steps = [r.start for r in ranges], [r.step for r in ranges]
        terms = {"starts": starts, "ends": stops, "axes": axes, "steps": steps}
        lists = [helper.make_tensor(name, int64, [len(axes)], of) for name, of in terms.items()]
        graph = helper.make_graph(
            [helper.make_node("Slice", ["x", *terms], ["y"])],
            "slice",
            [helper.make_tensor_value_info("x", dtype, case.sizes)],
            [helper.make_tensor_value_info("y", dtype, case.out_sizes)],
            lists,
        )
        opset = helper.make_opsetid("", 13)
        # A format that older runtimes read too.
        return helper.make_model(graph, opset_imports=[opset], ir_version=8).SerializeToString()


PEERS = {
    "numpy": NumPy,
    "torch": Torch,
    "cupy": CuPy,
    "onnxruntime": OnnxRuntime,
    "host": ClsliceHostMemory,
}


def open_peers(names, device, offered=PEERS):
    """The named peers that run here, and for each of the others why it does not."""
    opened, missing = [], {}
    for name in names:
        try:
            opened.append(offered[name](device))
        except (ImportError, Unavailable) as reason:
            missing[name] = str(reason)
    return opened, missing
