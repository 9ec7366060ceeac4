# SPDX-License-Identifier: MIT
"""One Slice with what is installed: onnxruntime-ep-clslice, onnxruntime, onnx and numpy."""
import numpy as np
import onnxruntime
import onnxruntime_ep_clslice as ep
from onnx import TensorProto, helper


def main() -> None:
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    constants = [helper.make_tensor(name, TensorProto.INT64, [1], [number])
                 for name, number in (("starts", -1), ("ends", -9), ("axes", 1), ("steps", -2))]
    graph = helper.make_graph(
        [helper.make_node("Slice", ["x", "starts", "ends", "axes", "steps"], ["y"])], "graph",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4, 6])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4, 3])], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)

    onnxruntime.register_execution_provider_library("clslice", ep.get_library_path())
    device = next(d for d in onnxruntime.get_ep_devices() if d.ep_name == ep.get_ep_name())
    options = onnxruntime.SessionOptions()
    options.add_provider_for_devices([device], {"min_bytes": "0"})
    # An error, were the node anybody else's.
    options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, enable_fallback=0)
    result, = session.run(None, {"x": x})
    np.testing.assert_array_equal(result, x[:, ::-2])
    print(f"onnxruntime {onnxruntime.__version__}: sliced on", device.ep_metadata["selector"])


if __name__ == "__main__":
    main()
