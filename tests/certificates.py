"""Certificates: a key and a certificate that signs itself, made by the openssl command."""

import shutil
import subprocess
from pathlib import Path

import pytest


def make_certificate(folder: Path, name: str = "own") -> tuple[str, str]:
    """Files of a certificate and its key; the test is skipped where there is no openssl command."""
    command = shutil.which("openssl")
    if command is None:
        pytest.skip("the openssl command makes the certificates of this test, and is not installed")
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(
        [command, "req", "-x509", *curve, *files, "-days", "3650", "-subj", f"/CN={name}"],
        check=True,
        capture_output=True,
    )
    return str(certificate), str(key)
