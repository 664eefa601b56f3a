"""NVRTC, NVIDIA's compiler for kernels, from the wheel nvidia-cuda-nvrtc: it needs neither a GPU nor a driver."""

import ctypes
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from glasswood.gpu._cuda_device import COMPILER_OPTIONS
from glasswood.gpu._sources import definitions, kernel_text

# 177: a constant of a shared header that this kernel does not use
_QUIET = "--diag-suppress=177"


@cache
def library() -> Any:
    """The compiler, with what it loads itself at hand."""
    spec = find_spec("nvidia")
    assert spec is not None and spec.submodule_search_locations, "the tests need the wheel nvidia-cuda-nvrtc"
    folders = [Path(place) for place in spec.submodule_search_locations]
    (compiler,) = [path for folder in folders for path in folder.glob("*/lib/libnvrtc.so.*")]
    for path in compiler.parent.glob("libnvrtc-builtins.so.*"):
        ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(str(compiler))


def compiled(source: str, macros: Mapping[str, int], architecture: str) -> tuple[str, bytes]:
    """Compile a kernel file; returns what the compiler says about it, "" if all is well, and the machine code."""
    nvrtc, program = library(), ctypes.c_void_p()
    text = kernel_text(source).encode()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, source.encode(), 0, None, None) == 0
    given = [f"--gpu-architecture={architecture}", *COMPILER_OPTIONS, *definitions(macros), _QUIET]
    options = (ctypes.c_char_p * len(given))(*(option.encode() for option in given))
    failed = nvrtc.nvrtcCompileProgram(program, len(given), options)
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    cubin = ctypes.create_string_buffer(0)
    if not failed:
        nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
        cubin = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetCUBIN(program, cubin)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return log.value.decode() or ("failed" if failed else ""), cubin.raw


def version() -> str:
    """Of the compiler."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    library().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    return f"{major.value}.{minor.value}"
