# SPDX-License-Identifier: MIT
"""A host older than 1.23, whose Python cannot register plugins and whose C can: it is told so."""
import ctypes
import glob
import importlib.util
import os
import unittest

MAX_FACTORIES = 4
NOT_IMPLEMENTED = 9  # ORT_NOT_IMPLEMENTED


class ApiBase(ctypes.Structure):
    """OrtApiBase."""

    _fields_ = (("get_api", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)),
                ("get_version_string", ctypes.CFUNCTYPE(ctypes.c_char_p)))


class Api(ctypes.Structure):
    """The beginning of OrtApi."""

    _fields_ = (("create_status", ctypes.c_void_p),
                ("get_error_code", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)),
                ("get_error_message", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)))


class OldHost(unittest.TestCase):
    def test_refusal(self) -> None:
        package = os.path.dirname(importlib.util.find_spec("onnxruntime").origin)
        library, = glob.glob(os.path.join(package, "capi", "libonnxruntime.so.1.*"))
        host = ctypes.CDLL(library)
        host.OrtGetApiBase.restype = ctypes.POINTER(ApiBase)
        base = host.OrtGetApiBase()
        version = base.contents.get_version_string().decode()
        self.assertLess(int(version.split(".")[1]), 23)

        plugin = ctypes.CDLL(os.environ["EP_LIBRARY"])
        plugin.CreateEpFactories.restype = ctypes.c_void_p
        plugin.CreateEpFactories.argtypes = (
            ctypes.c_char_p, ctypes.POINTER(ApiBase), ctypes.c_void_p,
            ctypes.c_void_p * MAX_FACTORIES, ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t))
        factories, count = (ctypes.c_void_p * MAX_FACTORIES)(), ctypes.c_size_t(7)
        status = plugin.CreateEpFactories(b"clslice", base, None, factories, MAX_FACTORIES,
                                          ctypes.byref(count))

        self.assertEqual((count.value, list(factories)), (0, [None] * MAX_FACTORIES))
        api = Api.from_address(base.contents.get_api(22))
        self.assertEqual(api.get_error_code(status), NOT_IMPLEMENTED)
        self.assertEqual(api.get_error_message(status).decode(),
                         "clslice needs ONNX Runtime 1.23 or newer, but this is "
                         f"{version}; upgrade it")


if __name__ == "__main__":
    unittest.main()
