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
    x, y = (sessions.value(name, np.uint8, [2048, 2048]) for name in "xy")
    model = sessions.slice_model(x, y, starts=[-1], ends=[-(2**63)], axes=[1], steps=[-1])
    onnx.save(model, here / "model.onnx")
    made: dict[str, object] = {}
    exec(compile(program, page, "exec"), made)  # pylint: disable=exec-used
    session = made["session"]
    assert isinstance(session, onnxruntime.InferenceSession)
    image = np.random.default_rng(1).integers(0, 256, (2048, 2048), np.uint8)
    np.testing.assert_array_equal(session.run(None, {"x": image})[0], image[:, ::-1])
    if session.get_providers()[0] != sessions.PROVIDER:
        sys.exit(f"the session has {session.get_providers()}")


if __name__ == "__main__":
    main()
