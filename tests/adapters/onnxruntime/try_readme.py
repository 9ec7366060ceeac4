# SPDX-License-Identifier: MIT
"""try_readme.py PAGE HEADING: runs the Python under that heading as it stands, beside a
model.onnx and with the package as a wheel would install it, then a slice in the session it made."""
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import helper

import sessions

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = "onnxruntime_ep_clslice"


def install(folder: pathlib.Path) -> None:
    """The module, and the libraries beside it."""
    built = pathlib.Path(sessions.LIBRARY)
    shutil.copytree(HERE.parents[2] / "packaging" / "python" / PACKAGE / PACKAGE, folder / PACKAGE)
    for library in (built.name, "libclslice.so.0"):
        shutil.copy(built.parent / library, folder / PACKAGE)


def main() -> None:
    page, heading = sys.argv[1:]
    here = pathlib.Path.cwd()
    command = (sys.executable, HERE.parent / "readme.py", page, heading, "python")
    program = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout
    if len(program.splitlines()) > 10:
        sys.exit(f"{page}: more than ten lines under {heading}")
    install(here)
    sys.path.insert(0, str(here))
    mirror = helper.make_node("Slice", ["x", "starts", "ends", "axes", "steps"], ["y"])
    model = sessions.build([sessions.value("x", np.uint8, [2048, 2048])], [mirror],
                           [sessions.value("y", np.uint8, [2048, 2048])],
                           [sessions.ints("starts", -1), sessions.ints("ends", -(2**63)),
                            sessions.ints("axes", 1), sessions.ints("steps", -1)])
    onnx.save(model, here / "model.onnx")
    made: dict[str, object] = {}
    exec(compile(program, page, "exec"), made)  # pylint: disable=exec-used
    session = made["session"]
    assert isinstance(session, onnxruntime.InferenceSession)
    x = np.random.default_rng(1).integers(0, 256, (2048, 2048), np.uint8)
    np.testing.assert_array_equal(session.run(None, {"x": x})[0], x[:, ::-1])
    if session.get_providers()[0] != sessions.PROVIDER:
        sys.exit(f"the session has {session.get_providers()}")


if __name__ == "__main__":
    main()
