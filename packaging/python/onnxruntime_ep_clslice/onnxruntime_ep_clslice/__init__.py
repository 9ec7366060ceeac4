# SPDX-License-Identifier: MIT
"""Where clslice's execution provider for ONNX Runtime lies, and what it is called.

    import onnxruntime
    import onnxruntime_ep_clslice as ep

    onnxruntime.register_execution_provider_library("clslice", ep.get_library_path())
    devices = [d for d in onnxruntime.get_ep_devices() if d.ep_name == ep.get_ep_name()]
    options = onnxruntime.SessionOptions()
    options.add_provider_for_devices(devices[:1], {})

ONNX Runtime itself, 1.23 or newer, is the application's to install: nothing here imports it.
"""

from pathlib import Path

__version__ = "0.1.0"

__all__ = ["get_ep_name", "get_ep_names", "get_library_path"]


def get_library_path() -> str:
    """The absolute path that register_execution_provider_library takes.

    In a source tree it is what the build left; elsewhere a FileNotFoundError, where the package
    lacks it.
    """
    name = "libonnxruntime_ep_clslice.so"
    package = Path(__file__).resolve().parent
    candidates = [package / name]
    if (package.parent / "pyproject.toml").exists():
        candidates.append(package.parents[3] / "build" / "release" / "lib" / name)
    for path in candidates:
        if path.exists():
            return str(path)
    raise FileNotFoundError(f"no {name} in {package}: install the wheel onnxruntime-ep-clslice")


def get_ep_names() -> list[str]:
    """The names of the execution providers in the library."""
    return ["ClsliceExecutionProvider"]


def get_ep_name() -> str:
    """The name of the only one."""
    return get_ep_names()[0]
