# SPDX-License-Identifier: MIT
"""Slices of one value, and Splits: one node of ours, and the same bits as the CPU provider's.

Where CLSLICE_OPENCL is own_memory.c's library, the device has memory of its own.
"""
import concurrent.futures
import ctypes
import os
import signal
import unittest
from collections.abc import Sequence

import numpy as np
import onnx
from onnx import helper

import sessions
import test_machines
from sessions import build, ints, value

RANDOM = np.random.default_rng(4)
COUNTERS = (ctypes.CDLL(os.environ["CLSLICE_OPENCL"]) if "CLSLICE_OPENCL" in os.environ else None)
ALL = 2**63 - 1

Cut = tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[int]]


def data(shape: Sequence[int], dtype: np.dtype | type = np.float32) -> np.ndarray:
    """Any bits."""
    x = np.frombuffer(RANDOM.bytes(int(np.prod(shape)) * np.dtype(dtype).itemsize), dtype)
    return (x.view(np.uint8) % 2 == 1 if dtype is np.bool_ else x).reshape(shape)


def unknown(count: int, name: str) -> list[str]:
    return [f"{name}{d}" for d in range(count)]


def slices(x: onnx.ValueInfoProto, dtype: np.dtype | type, rank: int,
           cuts: Sequence[Cut]) -> onnx.ModelProto:
    """A Slice of x for each cut: its starts, ends, axes and steps."""
    nodes, constants, outputs = [], [], []
    for i, cut in enumerate(cuts):
        lists = [f"{name}{i}" for name in ("starts", "ends", "axes", "steps")]
        constants += [ints(name, *values) for name, values in zip(lists, cut, strict=True)]
        nodes.append(helper.make_node("Slice", ["x", *lists], [f"y{i}"]))
        outputs.append(value(f"y{i}", dtype, unknown(rank, f"y{i}_")))
    return build([x], nodes, outputs, constants)


def thirds(width: int, axis: int = -1, step: int = 1) -> list[Cut]:
    """Q, K and V."""
    if step < 0:
        return [([i * width - 1], [(i - 1) * width - 1 if i > 1 else -(2**63)], [axis], [step])
                for i in (1, 2, 3)]
    return [([i * width], [(i + 1) * width], [axis], [step]) for i in range(3)]


def split(x: onnx.ValueInfoProto, parts: int, opset: int, sizes: Sequence[int] | None = None,
          dtype: np.dtype | type = np.float32, rank: int = 2, **attributes: int) -> onnx.ModelProto:
    """A Split of x, as the version says it."""
    constants, inputs = [], ["x"]
    if sizes and opset < 13:
        attributes["split"] = sizes
    elif sizes:
        constants, inputs = [ints("sizes", *sizes)], ["x", "sizes"]
    if opset >= 18 and not sizes:
        attributes["num_outputs"] = parts
    names = [f"y{i}" for i in range(parts)]
    return build([x], [helper.make_node("Split", inputs, names, **attributes)],
                 [value(name, dtype, unknown(rank, name)) for name in names], constants, opset)


class Slices(sessions.ProviderTest):
    def test_qkv(self) -> None:
        for dtype in (np.bool_, np.int8, np.float16, np.float32, np.int64):
            for axis, shape in ((-1, (2, 5, 72)), (2, (3, 4, 72, 2)), (0, (72, 5)), (0, (72,))):
                for step in (1, -1, -5, 7):
                    model = slices(value("x", dtype, shape), dtype, len(shape),
                                   thirds(24, axis, step))
                    with self.subTest(dtype=dtype.__name__, shape=shape, step=step):
                        self.check(model, {"x": data(shape, dtype)}, ours=1)

    def test_several_windows(self) -> None:
        """Those of other shapes too, and one twice."""
        cuts = [([0], [4], [1], [1]), ([4], [8], [1], [1]), ([8], [14], [1], [1]),
                ([0, 13], [2, 7], [0, 1], [1, -1]), ([4], [8], [1], [1]), ([2], [8], [1], [1]),
                ([5, 19], [-100, -100], [0, 1], [-3, -2])]
        self.check(slices(value("x", np.float32, [6, 20]), np.float32, 2, cuts),
                   {"x": data((6, 20))}, ours=1)

    def test_far_apart(self) -> None:
        """What is between them is not for the device."""
        cuts = [([0], [3], [0], [1]), ([-3], [ALL], [0], [1]), ([50], [53], [0], [1])]
        self.check(slices(value("x", np.float32, [100, 7]), np.float32, 2, cuts),
                   {"x": data((100, 7))}, ours=1)

    def test_dynamic_batch(self) -> None:
        model = slices(value("x", np.float16, ["n", "length", 72]), np.float16, 3, thirds(24))
        for shape in ((1, 1, 72), (3, 17, 72), (0, 5, 72), (64, 1, 72)):
            self.check(model, {"x": data(shape, np.float16)}, ours=1)

    def test_windows_of_dynamic_shape(self) -> None:
        """Siblings by the model, and alike in some runs only; some are empty."""
        cuts = [([0], [4], [0], [1]), ([4], [8], [0], [1]), ([-1], [-5], [0], [-1]),
                ([0], [ALL], [1], [2]), ([1], [ALL], [1], [2])]
        model = slices(value("x", np.float32, ["rows", "columns"]), np.float32, 2, cuts)
        for shape in ((8, 6), (8, 7), (5, 1), (2, 9), (1, 0), (0, 4)):
            self.check(model, {"x": data(shape)}, ours=1)

    def test_random(self) -> None:
        for _ in range(60):
            rank = int(RANDOM.integers(1, 9))
            shape = RANDOM.integers(1, 9 if rank < 5 else 4, rank)
            cuts = []
            for _ in range(RANDOM.integers(2, 6)):
                axes = RANDOM.permutation(rank)[:RANDOM.integers(1, rank + 1)]
                steps = RANDOM.choice([-3, -2, -1, 1, 2, 3], len(axes))
                low = [int(RANDOM.integers(0, shape[a])) for a in axes]
                ends = [ALL if step > 0 else -(2**63) for step in steps]
                cuts.append((low, ends, axes.tolist(), steps.tolist()))
            declared = shape.tolist() if RANDOM.random() < 0.5 else unknown(rank, "x")
            with self.subTest(shape=shape, cuts=cuts):
                self.check(slices(value("x", np.float32, declared), np.float32, rank, cuts),
                           {"x": data(shape)}, ours=1)

    def test_parameters_of_a_run_stay_alone(self) -> None:
        """They may come from a sibling's result."""
        nodes = [helper.make_node("Slice", ["x", "zero", "one"], ["first"]),
                 helper.make_node("Slice", ["x", "one", "two"], ["second"]),
                 helper.make_node("Slice", ["x", "first", "second"], ["y"])]
        model = build([value("x", np.int64, ["n"])], nodes, [value("y", np.int64, ["m"])],
                      [ints("zero", 0), ints("one", 1), ints("two", 2)])
        self.check(model, {"x": np.array([1, 4, 9, 8, 7])}, ours=2)

    def test_paths_through_other_nodes(self) -> None:
        """A result that is used twice, and one that is the model's too."""
        a, b, c = thirds(8)
        nodes = [helper.make_node("Slice", ["x", *(f"{name}0" for name in "seat")], ["q"]),
                 helper.make_node("Neg", ["q"], ["negated"]),
                 helper.make_node("Slice", ["x", *(f"{name}1" for name in "seat")], ["k"]),
                 helper.make_node("Add", ["negated", "k"], ["sum"]),
                 helper.make_node("Slice", ["x", *(f"{name}2" for name in "seat")], ["v"]),
                 helper.make_node("Mul", ["sum", "v"], ["y"]),
                 helper.make_node("Slice", ["v", *(f"{name}3" for name in "seat")], ["half"])]
        constants = [ints(f"{name}{i}", *numbers)
                     for i, cut in enumerate((a, b, c, ([0], [4], [-1], [1])))
                     for name, numbers in zip("seat", cut, strict=True)]
        model = build([value("x", np.float32, ["n", 24])], nodes,
                      [value(name, np.float32, ["n", "m"]) for name in ("q", "y", "v", "half")],
                      constants)
        self.check(model, {"x": RANDOM.random((5, 24), np.float32)}, ours=2, others=3)

    def test_some_too_small(self) -> None:
        """They are left to others, and where only a run tells, to the calling thread."""
        cuts = [([0], [16], [1], [1]), ([16], [32], [1], [1]), ([0], [2], [1], [1])]
        for shape, others in (([8, 32], 1), (["n", 32], 0)):
            self.check(slices(value("x", np.float32, shape), np.float32, 2, cuts),
                       {"x": data((8, 32))}, ours=1, others=others, min_bytes="512")

    def test_threads(self) -> None:
        session = sessions.our_session(
            slices(value("x", np.float32, ["n", 96]), np.float32, 2, thirds(32)), self.device)

        def work(seed: int) -> None:
            random = np.random.default_rng(seed)
            for _ in range(25):
                x = random.random((random.integers(1, 300), 96), np.float32)
                self.assert_same(session.run(None, {"x": x}), np.split(x, 3, 1))
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for done in [pool.submit(work, seed) for seed in range(8)]:
                done.result()


class Splits(sessions.ProviderTest):
    def test_equal_parts(self) -> None:
        for opset in (2, 11, 13, 18):
            for shape in ([6, 12], ["n", "m"], ["n", 12]):
                for axis in (0, 1) if opset < 11 else (0, 1, -1):
                    with self.subTest(opset=opset, shape=shape, axis=axis):
                        self.check(split(value("x", np.float32, shape), 3, opset, axis=axis),
                                   {"x": data((6, 12))}, ours=1)

    def test_given_parts(self) -> None:
        for opset in (2, 11, 13, 18):
            for sizes in ([4, 4, 4], [1, 5, 6], [0, 12, 0], [5, 2, 5]):
                for shape in ([6, 12], ["n", "m"]):
                    with self.subTest(opset=opset, sizes=sizes, shape=shape):
                        self.check(split(value("x", np.float32, shape), 3, opset, sizes, axis=1),
                                   {"x": data((6, 12))}, ours=1)

    def test_a_smaller_last_part(self) -> None:
        """The last may have nothing at all, which older hosts refuse."""
        for size, parts in ((10, 4), (7, 3), (3, 4), (1, 2), (0, 3), (9, 1)):
            x, each = data((size, 2)), -(-size // parts)
            for shape in ([size, 2], ["n", 2]):
                with self.subTest(size=size, parts=parts, shape=shape):
                    session = sessions.our_session(split(value("x", np.float32, shape), parts, 18),
                                                   self.device)
                    self.assert_same(session.run(None, {"x": x}),
                                     [x[i * each:(i + 1) * each] for i in range(parts)])
                    self.assertEqual(sessions.nodes_run(session), {sessions.PROVIDER: 1})

    def test_types_and_defaults(self) -> None:
        for dtype in (np.bool_, np.uint8, np.float16, np.int32, np.float64):
            with self.subTest(dtype=dtype.__name__):
                self.check(split(value("x", dtype, [6, 3, 2]), 2, 13, dtype=dtype, rank=3),
                           {"x": data((6, 3, 2), dtype)}, ours=1)

    def test_no_outputs(self) -> None:
        model = split(value("x", np.float32, ["n", 6]), 3, 18, axis=1)
        model.graph.node[0].attribute[1].i = 0
        self.assertEqual(model.graph.node[0].attribute[1].name, "num_outputs")
        with self.assertRaisesRegex(Exception, "num_outputs"):
            sessions.our_session(model, self.device)

    def test_narrow_columns(self) -> None:
        """Of which a row is an element of another width, or is not."""
        for dtype in (np.int8, np.float16, np.float32, np.float64):
            for sizes in ([1, 1, 2], [2, 2, 4], [1, 2, 1], [4, 4, 8], [3, 3, 3], [2, 1, 4]):
                with self.subTest(dtype=dtype.__name__, sizes=sizes):
                    x = value("x", dtype, ["n", "m", "k"])
                    self.check(split(x, 3, 13, sizes, dtype, 3, axis=2),
                               {"x": data((3, 5, sum(sizes)), dtype)}, ours=1)

    def test_parts_that_nobody_wants(self) -> None:
        node = helper.make_node("Split", ["x"], ["a", "b", "c"], axis=1)
        model = build([value("x", np.float32, ["n", 12])],
                      [node, helper.make_node("Neg", ["b"], ["y"])],
                      [value("y", np.float32, ["n", 4])])
        self.check(model, {"x": RANDOM.random((5, 12), np.float32)}, ours=1, others=1)

    def test_beside_slices(self) -> None:
        """All that cuts one value is one node."""
        model = build([value("x", np.float32, ["n", 12])],
                      [helper.make_node("Split", ["x"], ["a", "b", "c"], axis=1),
                       helper.make_node("Slice", ["x", "s", "e", "a1"], ["d"])],
                      [value(name, np.float32, ["n", 4]) for name in "abcd"],
                      [ints("s", 2), ints("e", 6), ints("a1", 1)])
        self.check(model, {"x": data((5, 12))}, ours=1)

    def test_parts_of_many_sizes(self) -> None:
        """Those that are too small for the device go with the others."""
        model = split(value("x", np.float32, [64, 40]), 3, 13, [32, 4, 4], axis=1)
        self.check(model, {"x": data((64, 40))}, ours=1, min_bytes="8K")
        self.check(model, {"x": data((64, 40))}, ours=0, others=1, min_bytes="9K")

    def test_parts_of_a_run_are_left(self) -> None:
        model = build([value("x", np.float32, [6, 2]), value("sizes", np.int64, [2])],
                      [helper.make_node("Split", ["x", "sizes"], ["a", "b"])],
                      [value(name, np.float32, ["n", 2]) for name in "ab"])
        self.check(model, {"x": data((6, 2)), "sizes": np.array([1, 5])}, ours=0, others=1)

    def test_wrong_parts(self) -> None:
        """Whatever the CPU provider refuses at run time is an error here too."""
        shape = ["n", 2]
        for size, model, reason in (
                (7, split(value("x", np.float32, shape), 3, 13),
                 "a dimension of 7 does not divide into 3 parts"),
                (5, split(value("x", np.float32, shape), 4, 18),
                 "a dimension of 5 does not divide into 4 parts"),
                (5, split(value("x", np.float32, shape), 2, 13, [2, 2]),
                 "the values of 'split' make 4, and the dimension has 5"),
                (5, split(value("x", np.float32, shape), 2, 11, [2, 4]),
                 "the values of 'split' make 6, and the dimension has 5")):
            with self.subTest(reason):
                inputs = {"x": data((size, 2))}
                self.assertRaises(Exception, sessions.cpu_session(model).run, None, inputs)
                ours = sessions.our_session(model, self.device)
                self.assertRaisesRegex(Exception, reason, ours.run, None, inputs)


@unittest.skipUnless(COUNTERS, "the device has no memory of its own")
class Traffic(sessions.ProviderTest):
    """What OpenCL is asked for."""

    ORIGIN = 16  # bytes: a batch's items each have one on the device

    def traffic(self, model: onnx.ModelProto, x: np.ndarray,
                earlier: np.ndarray | None = None) -> tuple[int, ...]:
        """Uploads, their bytes, launches and downloads of one run, which is right."""
        # A program that is built runs once: another session's run has it built.
        sessions.our_session(model, self.device).run(None, {"x": x})
        session = sessions.our_session(model, self.device)
        if earlier is not None:
            session.run(None, {"x": earlier})
        counters = [ctypes.c_ulong.in_dll(COUNTERS, name)
                    for name in ("uploads", "uploaded_bytes", "launches", "downloads")]
        before = [counter.value for counter in counters]
        results = session.run(None, {"x": x})
        after = tuple(counter.value - old for counter, old in zip(counters, before, strict=True))
        self.assert_same(results, sessions.cpu_session(model).run(None, {"x": x}))
        return after

    def test_alike(self) -> None:
        """The input and the items' origins go up."""
        x = data((64, 96))
        model = slices(value("x", np.float32, x.shape), np.float32, 2, thirds(32))
        self.assertEqual(self.traffic(model, x), (2, x.nbytes + 3 * self.ORIGIN, 1, 3))
        model = split(value("x", np.float32, ["n", "m"]), 4, 13, axis=1)
        self.assertEqual(self.traffic(model, x), (2, x.nbytes + 4 * self.ORIGIN, 1, 4))

    def test_two_shapes(self) -> None:
        x = data((64, 96))
        model = split(value("x", np.float32, x.shape), 3, 13, [64, 16, 16], axis=1)
        self.assertEqual(self.traffic(model, x), (2, x.nbytes + 2 * self.ORIGIN, 2, 3))

    def test_part_of_the_input(self) -> None:
        """From the first element that is needed to the last."""
        x = data((64, 96))
        cuts = [([8, i], [24, ALL], [0, 1], [1, 2]) for i in (2, 3)]
        model = slices(value("x", np.float32, x.shape), np.float32, 2, cuts)
        self.assertEqual(self.traffic(model, x), (2, (15 * 96 + 94) * 4 + 2 * self.ORIGIN, 1, 2))

    def test_after_other_sizes(self) -> None:
        """A session's buffers grow, and serve smaller runs as well."""
        model = split(value("x", np.float32, ["n", "m"]), 3, 13, axis=1)
        for rows in (64, 2):
            x = data((rows, 96))
            self.assertEqual(self.traffic(model, x, data((3, 96))),
                             (2, x.nbytes + 3 * self.ORIGIN, 1, 3))

    def test_far_apart(self) -> None:
        """Each goes up alone."""
        x = data((1000, 64))
        cuts = [([0], [10], [0], [1]), ([-10], [ALL], [0], [1])]
        model = slices(value("x", np.float32, x.shape), np.float32, 2, cuts)
        self.assertEqual(self.traffic(model, x), (2, 2 * 10 * 64 * 4, 2, 2))

    def test_no_room_for_all(self) -> None:
        """Each still finds some."""
        x = data((3, 1 << 18))
        room = ctypes.c_ulong.in_dll(COUNTERS, "room")
        unlimited, room.value = room.value, 2 << 20
        try:
            self.assertEqual(self.traffic(split(value("x", np.float32, ["n", "m"]), 3, 13), x),
                             (3, x.nbytes, 3, 3))
        finally:
            room.value = unlimited

    def test_what_fails_is_an_error(self) -> None:
        """Only for want of room does each go alone."""
        x = data((64, 96))
        session = sessions.our_session(split(value("x", np.float32, x.shape), 4, 13, axis=1),
                                       self.device)
        expected = session.run(None, {"x": x})
        code = ctypes.c_long.in_dll(COUNTERS, "read_code")
        code.value = -36  # CL_INVALID_COMMAND_QUEUE
        self.assertRaisesRegex(Exception, "clEnqueueReadBuffer.*-36", session.run, None, {"x": x})
        self.assertEqual(code.value, 0)
        self.assert_same(session.run(None, {"x": x}), expected)

    def test_nodes_share_buffers(self) -> None:
        """One node's input is the larger, another's outputs."""
        nodes = [helper.make_node("Slice", ["x", "a0", "a1"], ["y0"]),
                 helper.make_node("Slice", ["x", "b0", "b1"], ["y1"]),
                 helper.make_node("Split", ["z"], ["w0", "w1"], axis=0)]
        constants = [ints("a0", 0, 0), ints("a1", 640, 2), ints("b0", 0, 94), ints("b1", 640, 96)]
        outputs = [value(name, np.float32, unknown(2, name)) for name in ("y0", "y1", "w0", "w1")]
        inputs = [value("x", np.float32, (640, 96)), value("z", np.float32, (16, 320))]
        session = sessions.our_session(build(inputs, nodes, outputs, constants), self.device)
        feeds = {"x": data((640, 96)), "z": data((16, 320))}
        session.run(None, feeds)
        session.run(None, feeds)
        made = ctypes.c_ulong.in_dll(COUNTERS, "buffer_bytes")
        before = made.value
        session.run(None, feeds)
        self.assertLess(made.value - before, 4096)  # kernels' arguments

    def test_a_child_of_fork_releases_nothing(self) -> None:
        x = data((64, 96))
        session = sessions.our_session(split(value("x", np.float32, x.shape), 4, 13, axis=1),
                                       self.device)
        session.run(None, {"x": x})
        releases = ctypes.c_ulong.in_dll(COUNTERS, "releases")
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            before = releases.value
            try:
                session.run(None, {"x": x})
                os._exit(2)
            except Exception as error:
                os._exit(0 if "fork" in str(error) and releases.value == before else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


REPORT = """
import os
import numpy as np, onnxruntime
import sessions, test_siblings
from sessions import value
os.chdir(os.environ["SCRATCH"])
onnxruntime.set_default_logger_severity(1)
with sessions.registered() as devices:
    x = np.arange(64 * 96, dtype=np.float32).reshape(64, 96)
    model = test_siblings.slices(value("x", np.float32, x.shape), np.float32, 2,
                                 test_siblings.thirds(32))
    session = sessions.our_session(model, devices[0])
    for _ in range(2):
        session.run(None, {"x": x})
    sessions.nodes_run(session)
    del session, devices
"""


class Report(unittest.TestCase):
    def test_log(self) -> None:
        """Of two runs. Each of three windows alone is all but two thirds of a row long."""
        done = test_machines.python(REPORT, SCRATCH=os.getcwd())
        self.assertEqual(done.returncode, 0, done.stderr)
        alone, together = 3 * (63 * 96 + 32) * 4, 64 * 96 * 4
        expected = (f"uploads: 2, launches: 2, bytes saved: {2 * (alone - together)}" if COUNTERS
                    else "uploads: 0, launches: 6, bytes saved: 0")
        self.assertIn(expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
