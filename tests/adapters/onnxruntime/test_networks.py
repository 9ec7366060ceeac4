# SPDX-License-Identifier: MIT
"""Slices where networks have them, between other nodes: the same bits as the CPU provider's."""
import unittest

import numpy as np
import onnx
import onnxruntime
from onnx import helper

import sessions
from sessions import build, ints, value

RANDOM = np.random.default_rng(2)


def floats(*shape: int) -> np.ndarray:
    return RANDOM.random(shape, dtype=np.float32)


class Networks(sessions.ProviderTest):
    def test_between_other_nodes(self) -> None:
        model = build([value("x", np.float32, ["n", 3, 8, 8])],
                      [helper.make_node("Relu", ["x"], ["a"]),
                       helper.make_node("Slice", ["a", "starts", "ends", "axes"], ["b"]),
                       helper.make_node("Slice", ["b", "starts", "ends", "axes"], ["c"]),
                       helper.make_node("Neg", ["c"], ["y"])],
                      [value("y", np.float32, ["n", 3, "h", "w"])],
                      [ints("starts", 1, 1), ints("ends", -1, -1), ints("axes", 2, 3)])
        self.check(model, {"x": floats(2, 3, 8, 8)}, ours=2, others=2)

    def test_focus(self) -> None:
        """Space to depth, as YOLOv5 begins: four slices of every second pixel."""
        nodes, constants = [], [ints("axes", 2, 3), ints("ends", 2**31 - 1, 2**31 - 1),
                                ints("steps", 2, 2)]
        for corner, (row, column) in enumerate(((0, 0), (1, 0), (0, 1), (1, 1))):
            constants.append(ints(f"starts{corner}", row, column))
            inputs = ["x", f"starts{corner}", "ends", "axes", "steps"]
            nodes.append(helper.make_node("Slice", inputs, [f"corner{corner}"]))
        nodes.append(helper.make_node("Concat", [f"corner{i}" for i in range(4)], ["y"], axis=1))
        model = build([value("x", np.float32, ["n", 3, "h", "w"])], nodes,
                      [value("y", np.float32, ["n", 12, "h/2", "w/2"])], constants)
        for height, width in ((64, 64), (33, 47)):
            inputs = {"x": floats(1, 3, height + height % 2, width + width % 2)}
            self.check(model, inputs, ours=1, others=1)

    def test_rotary(self) -> None:
        """Rotary embedding: tables cut to the sequence's length, halves swapped and negated."""
        head, most = 64, 128
        nodes = [helper.make_node("Shape", ["q"], ["shape"]),
                 helper.make_node("Gather", ["shape", "two"], ["length"], axis=0),
                 helper.make_node("Slice", ["cos", "zero", "length"], ["c"]),
                 helper.make_node("Slice", ["sin", "zero", "length"], ["s"]),
                 helper.make_node("Slice", ["q", "zero", "half", "last"], ["low"]),
                 helper.make_node("Slice", ["q", "half", "end", "last"], ["high"]),
                 helper.make_node("Neg", ["high"], ["negated"]),
                 helper.make_node("Concat", ["negated", "low"], ["turned"], axis=-1),
                 helper.make_node("Mul", ["q", "c"], ["a"]),
                 helper.make_node("Mul", ["turned", "s"], ["b"]),
                 helper.make_node("Add", ["a", "b"], ["y"])]
        angles = np.outer(np.arange(most), 1e4 ** -(np.arange(head) % (head // 2) / (head / 2)))
        constants = [ints("zero", 0), ints("two", 2), ints("half", head // 2), ints("last", -1),
                     ints("end", 2**63 - 1)]
        constants += [onnx.numpy_helper.from_array(table.astype(np.float32), name)
                      for name, table in (("cos", np.cos(angles)), ("sin", np.sin(angles)))]
        model = build([value("q", np.float32, ["n", 8, "length", head])], nodes,
                      [value("y", np.float32, ["n", 8, "length", head])], constants)
        for length in (1, 17, 128):
            self.check(model, {"q": floats(2, 8, length, head)}, ours=3, others=7)

    def test_kv_cache(self) -> None:
        """A window that slides over the past: its newest 16 tokens, one more a run."""
        nodes = [helper.make_node("Concat", ["past", "new"], ["all"], axis=2),
                 helper.make_node("Slice", ["all", "window", "end", "axis"], ["present"]),
                 helper.make_node("Slice", ["all", "newest", "oldest", "axis", "back"],
                                  ["reversed"])]
        model = build([value("past", np.float16, ["n", 4, "past", 32]),
                       value("new", np.float16, ["n", 4, 1, 32])], nodes,
                      [value("present", np.float16, ["n", 4, "present", 32]),
                       value("reversed", np.float16, ["n", 4, "all", 32])],
                      [ints("window", -16), ints("end", 2**63 - 1), ints("axis", 2),
                       ints("newest", -1), ints("oldest", -(2**63)), ints("back", -1)])
        ours, theirs = sessions.our_session(model, self.device), sessions.cpu_session(model)
        past = np.zeros((1, 4, 0, 32), np.float16)
        for step in range(40):
            inputs = {"past": past, "new": floats(1, 4, 1, 32).astype(np.float16)}
            mine = ours.run(None, inputs)
            self.assert_same(mine, theirs.run(None, inputs))
            past = mine[0]
        self.assertEqual(past.shape[2], 16)
        self.assertEqual(sessions.nodes_run(ours), {sessions.PROVIDER: 40, sessions.CPU: 40})

    def test_inside_branches(self) -> None:
        """They cut a value around them. Before 1.25, hosts bear our nodes in one graph alone."""
        def branch(name: str, start: int, end: int) -> onnx.GraphProto:
            node = helper.make_node("Slice", ["x", f"{name}_starts", f"{name}_ends"], [name])
            return helper.make_graph([node], name, [], [value(name, np.float32, ["n", 4])],
                                     [ints(f"{name}_starts", start), ints(f"{name}_ends", end)])
        node = helper.make_node("If", ["which"], ["y"], then_branch=branch("first", 0, 2),
                                else_branch=branch("second", 1, 5))
        model = build([value("which", np.bool_, []), value("x", np.float32, [6, 4])], [node],
                      [value("y", np.float32, ["n", 4])])
        ours, theirs = sessions.our_session(model, self.device), sessions.cpu_session(model)
        for which in (True, False):
            inputs = {"which": np.array(which), "x": floats(6, 4)}
            self.assert_same(ours.run(None, inputs), theirs.run(None, inputs))
        minor = int(onnxruntime.__version__.split(".")[1])
        self.assertEqual(sessions.nodes_run(ours)[sessions.PROVIDER], 2 if minor >= 25 else 1)


if __name__ == "__main__":
    unittest.main()
