"""Cubin: what machine code says of its kernels, read from its ELF file: registers, stack and shared memory."""

import struct
from dataclasses import dataclass

_REGISTERS, _STACK = 0x2F, 0x11  # attributes of a kernel in the section .nv.info
_VALUE = 4  # the format of attributes that have a size


@dataclass(frozen=True, slots=True)
class KernelSize:
    """What a kernel asks a processor for."""

    registers: int  # of a thread
    stack: int  # bytes of a thread in the memory of the device: arrays and spilled registers
    shared: int  # bytes of a block that the kernel declares itself


def kernel_sizes(cubin: bytes) -> dict[str, KernelSize]:
    """Sizes by the names of the kernels."""
    sections = _sections(cubin)
    symbols, strings = sections[".symtab"], sections[".strtab"]
    names = [_text(strings, at) for (at,) in (struct.unpack_from("<I", symbols, k) for k in range(0, len(symbols), 24))]
    found: dict[int, dict[str, int]] = {_REGISTERS: {}, _STACK: {}}
    for attribute, value in _attributes(sections[".nv.info"]):
        if attribute in found:
            symbol, number = struct.unpack("<II", value)
            found[attribute][names[symbol]] = number
    kernels = [name.removeprefix(".text.") for name in sections if name.startswith(".text.")]
    return {
        name: KernelSize(
            registers=found[_REGISTERS][name],
            stack=found[_STACK].get(name, 0),
            shared=len(sections.get(f".nv.shared.{name}", b"")),
        )
        for name in kernels
    }


def _sections(elf: bytes) -> dict[str, bytes]:
    """Contents by name; of a section without contents in the file, zeros."""
    (start,) = struct.unpack_from("<Q", elf, 0x28)
    size, count, of_names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", elf, start + k * size) for k in range(count)]
    names = elf[headers[of_names][4] :]
    no_bits = 8
    return {
        _text(names, name): bytes(length) if kind == no_bits else elf[offset : offset + length]
        for name, kind, _, _, offset, length in headers
    }


def _attributes(info: bytes) -> list[tuple[int, bytes]]:
    found, at = [], 0
    while at < len(info):
        form, attribute, size = struct.unpack_from("<BBH", info, at)
        at += 4
        if form == _VALUE:
            found.append((attribute, info[at : at + size]))
            at += size
    return found


def _text(strings: bytes, at: int) -> str:
    return strings[at : strings.index(b"\0", at)].decode()
