# SPDX-License-Identifier: MIT
"""Slice in all its forms: the same bits as the CPU provider's, on the node that was meant."""
import unittest

import numpy as np
import onnx
from onnx import TensorProto, helper
from onnx.backend.test.case.node import collect_testcases

import sessions
from sessions import build, ints, value

RANDOM = np.random.default_rng(1)


def floats(*shape: int) -> np.ndarray:
    return RANDOM.random(shape, dtype=np.float32)


class Backend(sessions.ProviderTest):
    """What every implementation of ONNX is tested with."""

    def test_slice_models(self) -> None:
        cases = collect_testcases("Slice")
        self.assertGreaterEqual(len(cases), 8)
        for case in cases:
            names = [entry.name for entry in case.model.graph.input]
            for values, outputs in case.data_sets:
                inputs = dict(zip(names, values, strict=True))
                with self.subTest(case.name):
                    self.check(case.model, inputs, ours=1)
                    self.assert_same(sessions.cpu_session(case.model).run(None, inputs), outputs)


class Versions(sessions.ProviderTest):
    """Slice as each version of it is written."""

    def test_attributes(self) -> None:
        for opset in (1, 9):
            for extra in ({"axes": [0, -1]}, {"axes": [2, 1]}, {}):
                node = helper.make_node("Slice", ["x"], ["y"], starts=[1, -3], ends=[1000, -1],
                                        **extra)
                model = build([value("x", np.float32, [4, 5, 6])], [node],
                              [value("y", np.float32, ["a", "b", "c"])], opset=opset)
                with self.subTest(opset=opset, **extra):
                    self.check(model, {"x": floats(4, 5, 6)}, ours=1)

    def test_greatest_int32(self) -> None:
        """An attribute's is an index, an input's is the end."""
        x, end = np.zeros(2**31 + 100, np.int8), 2**31 - 1
        for shape in ([x.size], ["n"]):
            input, output = value("x", np.int8, shape), value("y", np.int8, ["m"])
            node = helper.make_node("Slice", ["x"], ["y"], starts=[end - 10], ends=[end])
            with self.subTest(shape=shape):
                self.check(build([input], [node], [output], opset=9), {"x": x}, ours=1)
                self.check(sessions.slice_model(input, output, 13, starts=(end - 10,), ends=(end,)),
                           {"x": x}, ours=1)

    def test_constant_inputs(self) -> None:
        for opset in (10, 11, 13, 18):
            model = sessions.slice_model(
                value("x", np.float32, [4, 5, 6]), value("y", np.float32, ["a", "b", "c"]), opset,
                starts=(-1, 5), ends=(-(2**63), 0), axes=(0, 2), steps=(-1, -2))
            with self.subTest(opset=opset):
                self.check(model, {"x": floats(4, 5, 6)}, ours=1)

    def test_absent_axes_and_narrow_indices(self) -> None:
        node = helper.make_node("Slice", ["x", "starts", "ends", "", "steps"], ["y"])
        model = build([value("x", np.float32, ["a", "b"]), value("starts", np.int32, [2]),
                       value("ends", np.int32, [2]), value("steps", np.int32, [2])], [node],
                      [value("y", np.float32, ["c", "d"])])
        self.check(model, {"x": floats(9, 7), "starts": np.array([8, 1], np.int32),
                           "ends": np.array([-(2**31), 2**31 - 1], np.int32),
                           "steps": np.array([-3, 2], np.int32)}, ours=1)

    def test_one_value_as_several_inputs(self) -> None:
        """The node that runs has each value once."""
        node = helper.make_node("Slice", ["x", "ones", "x", "ones", "ones"], ["y"])
        model = build([value("x", np.int64, [1]), value("ones", np.int64, [1])],
                      [node], [value("y", np.int64, ["n"])])
        with self.assertRaisesRegex(Exception, r"'axes'\[0\] = 1, and the data has 1 dimensions"):
            sessions.our_session(model, self.device).run(
                None, {"x": np.array([5]), "ones": np.array([1])})
        node = helper.make_node("Slice", ["x", "zero", "x", "zero"], ["y"])
        model = build([value("x", np.int64, [1]), value("zero", np.int64, [1])],
                      [node], [value("y", np.int64, ["n"])])
        self.check(model, {"x": np.array([5]), "zero": np.array([0])}, ours=1)

    def test_constant_data(self) -> None:
        """A table that the model holds, cut at run time."""
        table = onnx.numpy_helper.from_array(floats(64, 8), "table")
        model = build([value("starts", np.int64, [1]), value("ends", np.int64, [1])],
                      [helper.make_node("Slice", ["table", "starts", "ends"], ["y"])],
                      [value("y", np.float32, ["n", 8])], [table])
        self.check(model, {"starts": np.array([3]), "ends": np.array([50])}, ours=1)


class Shapes(sessions.ProviderTest):
    def dynamic(self, rank: int, dtype: np.dtype | type) -> onnx.ModelProto:
        """Everything but rank and type is told at run time."""
        lists = ("starts", "ends", "axes", "steps")
        return build([value("x", dtype, [f"x{d}" for d in range(rank)])]
                     + [value(name, np.int64, ["n"]) for name in lists],
                     [helper.make_node("Slice", ["x", *lists], ["y"])],
                     [value("y", dtype, [f"y{d}" for d in range(rank)])])

    def test_types(self) -> None:
        """Their bits alone are moved, those of NaNs too."""
        for dtype in (np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.float16, np.int32,
                      np.uint32, np.float32, np.int64, np.uint64, np.float64):
            x = np.frombuffer(RANDOM.bytes(24 * np.dtype(dtype).itemsize), dtype).reshape(4, 6)
            if dtype is np.bool_:
                x = x.view(np.uint8) % 2 == 1
            with self.subTest(dtype=dtype.__name__):
                self.check(self.dynamic(2, dtype), {
                    "x": x, "starts": np.array([3, 1]), "ends": np.array([0, 5]),
                    "axes": np.array([0, 1]), "steps": np.array([-1, 2])}, ours=1)

    def test_random_slices(self) -> None:
        """Sizes that are only known at run time, each on the device and each on the host."""
        for rank in range(1, 9):
            model = self.dynamic(rank, np.float32)
            theirs = sessions.cpu_session(model)
            on_device = sessions.our_session(model, self.device)
            on_host = sessions.our_session(model, self.device, min_bytes="1G")
            for _ in range(40):
                least, most = int(RANDOM.random() > 0.05), 8 if rank < 5 else 3
                shape = RANDOM.integers(least, most, rank, endpoint=True)
                inputs = self.random_slice(shape)
                with self.subTest(shape=shape, **{k: v for k, v in inputs.items() if k != "x"}):
                    expected = theirs.run(None, inputs)
                    self.assert_same(on_device.run(None, inputs), expected)
                    self.assert_same(on_host.run(None, inputs), expected)
            for session in (on_device, on_host):
                self.assertEqual(sessions.nodes_run(session), {sessions.PROVIDER: 40})

    def random_slice(self, shape: np.ndarray) -> dict[str, np.ndarray]:
        """Mostly a slice of something: few random starts and ends have anything between them."""
        axes = RANDOM.permutation(len(shape))[:RANDOM.integers(0, len(shape) + 1)]
        lists = []
        for size in shape[axes].tolist():
            first, last = sorted(RANDOM.integers(0, max(size, 1), 2).tolist())
            step = int(RANDOM.choice([1, 1, 1, 2, 3, -1, -1, -2, 2**63 - 1, -(2**63)]))
            end = last + 1 if step > 0 else first - size - 1
            end = RANDOM.choice([end] * 9 + [first, 2**63 - 1, 2**31 - 1, -(2**63), -(2**31), -3])
            start = first if step > 0 else last
            lists.append((start - size * RANDOM.integers(0, 2), end, step))
        starts, ends, steps = np.array(lists, np.int64).reshape(-1, 3).T
        return {"x": floats(*shape), "starts": starts, "ends": ends, "steps": steps,
                "axes": axes - len(shape) * RANDOM.integers(0, 2, len(axes))}

    def test_beyond_slice1(self) -> None:
        """More elements than SLICE1 counts; the memory is never touched but where the slice is."""
        model = self.dynamic(2, np.uint8)
        x = np.zeros((5, 2**30), np.uint8)
        x[:, ::2**26] = RANDOM.integers(0, 256, (5, 16))
        self.check(model, {"x": x, "starts": np.array([4, 0]), "ends": np.array([-(2**63), 2**30]),
                           "axes": np.array([0, 1]), "steps": np.array([-2, 2**26])}, ours=1)

    def test_empty(self) -> None:
        model = self.dynamic(2, np.float32)
        for shape, start, end, step in (((3, 4), 2, 2, 1), ((3, 4), 0, 2, -1), ((0, 4), 0, 9, 1),
                                        ((0, 4), -1, -9, -1), ((3, 0), 0, 3, 1)):
            with self.subTest(shape=shape, start=start, end=end, step=step):
                self.check(model, {"x": floats(*shape), "starts": np.array([start]),
                                   "ends": np.array([end]), "axes": np.array([0]),
                                   "steps": np.array([step])}, ours=1)

    def test_wrong_parameters(self) -> None:
        """Whatever the CPU provider refuses is an error here too, and says what is wrong."""
        good = {"starts": [0, 0], "ends": [2, 2], "axes": [0, 1], "steps": [1, 1]}
        model = self.dynamic(2, np.float32)
        ours, theirs = sessions.our_session(model, self.device), sessions.cpu_session(model)
        for bad, reason in (({"ends": [2]}, "'starts' has 2 values and 'ends' has 1"),
                            ({"axes": [0]}, "'starts' has 2 values and 'axes' has 1"),
                            ({"axes": [0, 2]}, r"'axes'\[1\] = 2, and the data has 2 dimensions"),
                            ({"axes": [0, -3]}, r"'axes'\[1\] = -3"),
                            ({"axes": [1, -1]}, r"'axes'\[1\] repeats dimension 1"),
                            ({"steps": [1, 0]}, r"'steps'\[1\] = 0"),
                            ({name: [1] * 9 for name in good}, "'starts' has 9 values")):
            inputs = {name: np.array(values) for name, values in (good | bad).items()}
            inputs["x"] = floats(3, 4)
            with self.subTest(**bad):
                self.assertRaises(Exception, theirs.run, None, inputs)
                self.assertRaisesRegex(Exception, reason, ours.run, None, inputs)

    def test_indices_of_other_ranks(self) -> None:
        """A list is a list, however few it holds, at run time and in the model."""
        for shape in ((), (1, 1)):
            one = np.ones(shape, np.int64)
            inputs = [value("x", np.float32, ["n", 4])]
            lists = [value("starts", np.int64, None), value("ends", np.int64, None)]
            node = helper.make_node("Slice", ["x", "starts", "ends"], ["y"])
            output = value("y", np.float32, ["m", 4])
            model = build(inputs + lists, [node], [output])
            feeds = {"x": floats(3, 4), "starts": one, "ends": one}
            with self.subTest(shape=shape):
                self.assertRaises(Exception, sessions.cpu_session(model).run, None, feeds)
                session = sessions.our_session(model, self.device)
                with self.assertRaisesRegex(Exception, f"'starts' has {len(shape)} dimensions"):
                    session.run(None, feeds)

    def test_sizes_that_no_tensor_has(self) -> None:
        """They are only declared: the model loads."""
        for shape in ([2**32, 2**32], [2**33, 2**33, 3], [2**63 - 1], [3, 2**62], [2**62, 4, 2]):
            node = helper.make_node("Slice", ["x", "starts", "ends", "axes", "steps"], ["y"])
            model = build([value("x", np.float32, shape)], [node],
                          [value("y", np.float32, ["n", *shape[1:]])],
                          [ints("starts", 0), ints("ends", 1), ints("axes", 0), ints("steps", 2)])
            with self.subTest(shape=shape):
                sessions.our_session(model, self.device).end_profiling()
                sessions.our_session(model, self.device, min_bytes=None).end_profiling()


class Left(sessions.ProviderTest):
    """What is not for this provider is left to others, and the model runs."""

    def rows_1_and_2(self, dtype: int, shape: sessions.Shape | None) -> onnx.ModelProto:
        shapes = (shape, shape and [2, *shape[1:]])
        x, y = (helper.make_tensor_value_info(name, dtype, of) for name, of in zip("xy", shapes))
        return sessions.slice_model(x, y, starts=[1], ends=[3])

    def test_strings(self) -> None:
        session = sessions.our_session(self.rows_1_and_2(TensorProto.STRING, [3]), self.device)
        result, = session.run(None, {"x": np.array(["a", "b", "c"], object)})
        self.assertEqual(result.tolist(), ["b", "c"])
        self.assertEqual(sessions.nodes_run(session), {sessions.CPU: 1})

    def test_nine_dimensions(self) -> None:
        model = self.rows_1_and_2(TensorProto.FLOAT, [3] + [2] * 8)
        self.check(model, {"x": floats(3, *[2] * 8)}, ours=0, others=1)

    def test_unknown_rank(self) -> None:
        model = self.rows_1_and_2(TensorProto.FLOAT, None)
        self.check(model, {"x": floats(4, 2)}, ours=0, others=1)

    def test_small(self) -> None:
        """The output is 512 bytes long."""
        model = self.rows_1_and_2(TensorProto.FLOAT, [64, 64])
        self.check(model, {"x": floats(64, 64)}, ours=0, others=1, min_bytes="513")
        self.check(model, {"x": floats(64, 64)}, ours=1, min_bytes="512")

    def test_small_whatever_the_indices(self) -> None:
        """No output is larger than its input."""
        model = build([value("x", np.float32, [64, 64]), value("ends", np.int64, [1])],
                      [helper.make_node("Slice", ["x", "starts", "ends"], ["y"])],
                      [value("y", np.float32, ["n", 64])], [ints("starts", 0)])
        inputs = {"x": floats(64, 64), "ends": np.array([5])}
        self.check(model, inputs, ours=0, others=1, min_bytes="16385")
        self.check(model, inputs, ours=1, min_bytes="16K")

    def test_a_list_by_default(self) -> None:
        """Such as a Shape is."""
        model = build([value("x", np.float32, ["a", "b", "c"])],
                      [helper.make_node("Shape", ["x"], ["shape"]),
                       helper.make_node("Slice", ["shape", "starts", "ends"], ["y"])],
                      [value("y", np.int64, [2])], [ints("starts", 1), ints("ends", 3)])
        self.check(model, {"x": floats(2, 3, 4)}, ours=0, others=2, min_bytes=None)

    def test_a_megabyte_by_default(self) -> None:
        """A device is sooner worth it for picking elements than for copying rows."""
        x = RANDOM.integers(0, 256, (1024, 1024), np.uint8)
        for axis, ours in ((0, 0), (1, 1)):
            model = sessions.slice_model(
                value("x", np.uint8, x.shape), value("y", np.uint8, ["a", "b"]),
                starts=[-1], ends=[-(2**63)], axes=[axis], steps=[-1])
            with self.subTest(axis=axis):
                self.check(model, {"x": x}, ours=ours, others=1 - ours, min_bytes=None)


if __name__ == "__main__":
    unittest.main()
