# SPDX-License-Identifier: MIT
"""Sessions with the clslice provider, and what ONNX Runtime's own makes of the same model.

EP_LIBRARY is the path of libonnxruntime_ep_clslice.so.
"""
import collections
import contextlib
import itertools
import json
import os
import unittest
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

LIBRARY = os.environ["EP_LIBRARY"]
PROVIDER = "ClsliceExecutionProvider"
CPU = "CPUExecutionProvider"
REGISTERED_AS = "clslice"

profiles = itertools.count()

Inputs = Mapping[str, np.ndarray]
Shape = Sequence[int | str]


@contextlib.contextmanager
def registered() -> Iterator[list[onnxruntime.OrtEpDevice]]:
    """The devices that the plugin offers while it is registered."""
    onnxruntime.register_execution_provider_library(REGISTERED_AS, LIBRARY)
    try:
        yield [device for device in onnxruntime.get_ep_devices() if device.ep_name == PROVIDER]
    finally:
        onnxruntime.unregister_execution_provider_library(REGISTERED_AS)


def value(name: str, dtype: np.dtype | type, shape: Shape | None) -> onnx.ValueInfoProto:
    """The description of an input or output."""
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)),
                                         shape)


def ints(name: str, *values: int) -> TensorProto:
    """A constant list of indices."""
    return helper.make_tensor(name, TensorProto.INT64, [len(values)], values)


def build(inputs: Sequence[onnx.ValueInfoProto], nodes: Sequence[onnx.NodeProto],
          outputs: Sequence[onnx.ValueInfoProto], constants: Sequence[TensorProto] = (),
          opset: int = 13) -> onnx.ModelProto:
    """A model of one graph, in a file format that 1.23 reads."""
    graph = helper.make_graph(nodes, "graph", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def slice_model(x: onnx.ValueInfoProto, y: onnx.ValueInfoProto, opset: int = 13,
                **lists: Sequence[int]) -> onnx.ModelProto:
    """One Slice from x to y, by constant lists in the order of its inputs."""
    return build([x], [helper.make_node("Slice", ["x", *lists], ["y"])], [y],
                 [ints(name, *values) for name, values in lists.items()], opset)


def cpu_session(model: onnx.ModelProto) -> onnxruntime.InferenceSession:
    """A session of ONNX Runtime's own CPU provider."""
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=[CPU])


def our_session(model: onnx.ModelProto, offered: onnxruntime.OrtEpDevice,
                config: Mapping[str, str] | None = None, /,
                **options: str | None) -> onnxruntime.InferenceSession:
    """A session on an offered device, with a profile.

    Every size is the device's, unless min_bytes says otherwise; None leaves an option out."""
    session_options = onnxruntime.SessionOptions()
    given = {"min_bytes": "0"} | options
    session_options.add_provider_for_devices(
        [offered], {key: text for key, text in given.items() if text is not None})
    session_options.enable_profiling = True
    session_options.profile_file_prefix = f"profile{next(profiles)}"
    session_options.log_severity_level = 3  # that some nodes are the CPU's is no news
    for key, text in (config or {}).items():
        session_options.add_session_config_entry(key, text)
    # Without enable_fallback, Python would print a failure and go on without us.
    return onnxruntime.InferenceSession(model.SerializeToString(), sess_options=session_options,
                                        enable_fallback=0)


def nodes_run(session: onnxruntime.InferenceSession) -> collections.Counter[str]:
    """How often a node of each provider ran, by the session's profile, which ends here."""
    path = session.end_profiling()
    with open(path, encoding="utf-8") as file:
        events = json.load(file)
    os.remove(path)
    return collections.Counter(event["args"]["provider"] for event in events
                               if event.get("cat") == "Node" and "provider" in event["args"])


class ProviderTest(unittest.TestCase):
    """Tests on the first device that is offered: CLSLICE_DEVICE's."""

    def setUp(self) -> None:
        self.device = self.enterContext(registered())[0]

    def assert_same(self, ours: Sequence[np.ndarray], theirs: Sequence[np.ndarray]) -> None:
        """Types, shapes and bits."""
        for mine, other in zip(ours, theirs, strict=True):
            self.assertEqual((mine.dtype, mine.shape), (other.dtype, other.shape))
            self.assertEqual(mine.tobytes(), other.tobytes())

    def check(self, model: onnx.ModelProto, inputs: Inputs, ours: int, others: int = 0,
              **options: str | None) -> None:
        """The same results as the CPU provider's, from so many nodes of ours and of others."""
        session = our_session(model, self.device, **options)
        self.assert_same(session.run(None, inputs), cpu_session(model).run(None, inputs))
        ran = nodes_run(session)
        self.assertEqual((ran[PROVIDER], sum(ran.values()) - ran[PROVIDER]), (ours, others))
