"""gpu: boosting, prediction and explanations on a GPU, with the bits of the CPU.

The kernels are CUDA source, compiled at first use. CuPy is imported by a function of `_cuda_device`, nowhere else.
"""

from glasswood.gpu._device import Device
from glasswood.gpu._device_rounds import start_device_rounds
from glasswood.gpu._edges import find_edges
from glasswood.gpu._explain import DeviceAttributions, attributions, effects, interactions
from glasswood.gpu._inputs import DeviceInput, device_matrix, is_on_device, on_host
from glasswood.gpu._predict import predict_raw

__all__ = [
    "Device",
    "DeviceAttributions",
    "DeviceInput",
    "attributions",
    "device_matrix",
    "effects",
    "find_edges",
    "interactions",
    "is_on_device",
    "on_host",
    "predict_raw",
    "start_device_rounds",
]
