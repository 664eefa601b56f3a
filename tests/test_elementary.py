"""Elementary functions: within 1 ulp, the same bits on every CPU level."""

from collections.abc import Iterator
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from glasswood import _elementary, _native

LEVELS = ("plain", "v3", "v4")


@pytest.fixture(autouse=True)
def own_level() -> Iterator[None]:
    level = _native.cpu_level()
    yield
    _native.use_cpu_level(level)


def ulps(found: float, wanted: Decimal) -> float:
    """Distance in units of the last place of the true value."""
    return float(abs(Decimal(found) - wanted) / Decimal(float(np.spacing(abs(float(wanted))))))


def true_value(name: str, x: float) -> Decimal:
    with localcontext() as context:
        context.prec = 60
        one = Decimal(1)
        match name:
            case "exp":
                return Decimal(x).exp()
            case "log":
                return Decimal(x).ln()
            case "log1p":
                if abs(x) < 1e-12:  # 1 + x would need hundreds of digits; the next term is below 1e-36 of the first
                    return Decimal(x) - Decimal(x) ** 2 / 2 + Decimal(x) ** 3 / 3
                return (one + Decimal(x)).ln()
            case "log2":
                return Decimal(x).ln() / Decimal(2).ln()
            case "expit":
                return one / (one + (-Decimal(x)).exp())
    raise AssertionError(name)


def check(name: str, x: float) -> None:
    found = float(getattr(_elementary, name)(x))
    wanted = true_value(name, x)
    assert (found == 0.0 and wanted == 0) or ulps(found, wanted) <= 1.0, (name, x, found)


@given(st.one_of(st.floats(-745.0, 709.7), st.floats(-1.0, 1.0)))
@settings(max_examples=300)
@example(709.782712893384)
@example(-745.13)
@example(-708.5)
def test_exp_is_within_one_ulp(x) -> None:
    check("exp", x)


@given(st.one_of(st.floats(5e-324, 1.7e308), st.floats(0.5, 2.0)))
@settings(max_examples=300)
@example(5e-324)
@example(1.0000000000000002)
@example(0.9999999999999999)
def test_log_is_within_one_ulp(x) -> None:
    check("log", x)


@given(st.one_of(st.floats(1e-320, 1.7e308), st.floats(0.5, 2.0)))
@settings(max_examples=200)
@example(1.3981945116955974)
def test_log2_is_within_one_ulp(x) -> None:
    check("log2", x)


@given(st.one_of(st.floats(-0.999, 1e6), st.floats(-1e-8, 1e-8), st.floats(1e15, 1e300)))
@settings(max_examples=200)
@example(2.0**-30)
@example(-(2.0**-30))
def test_log1p_is_within_one_ulp(x) -> None:
    check("log1p", x)


@given(st.one_of(st.floats(-740.0, 700.0), st.floats(-2.0, 2.0)))
@settings(max_examples=300)
@example(-12.820252555343522)
@example(-707.28635219276691)
def test_expit_is_within_one_ulp(x) -> None:
    check("expit", x)


def test_special_values() -> None:
    inf, nan = np.inf, np.nan
    np.testing.assert_array_equal(_elementary.exp([inf, -inf, nan, 0.0, 710.0, -746.0]), [inf, 0, nan, 1, inf, 0])
    np.testing.assert_array_equal(_elementary.log([inf, -inf, nan, 0.0, -1.0, 1.0]), [inf, nan, nan, -inf, nan, 0])
    np.testing.assert_array_equal(
        _elementary.log1p([inf, nan, -1.0, -2.0, 0.0, 5e-324]), [inf, nan, -inf, nan, 0, 5e-324]
    )
    np.testing.assert_array_equal(_elementary.expit([inf, -inf, nan, 0.0, -800.0]), [1, 0, nan, 0.5, 0])


def test_the_logarithm_of_a_power_of_two_is_whole() -> None:
    powers = np.arange(-1074, 1024)
    np.testing.assert_array_equal(_elementary.log2(2.0**powers), powers)


def test_shapes_are_kept() -> None:
    assert _elementary.exp(np.zeros((2, 3)).T).shape == (3, 2)
    assert _elementary.exp(0.0).shape == ()


@pytest.mark.parametrize("name", ["exp", "log", "log2", "log1p", "expit"])
def test_every_cpu_level_gives_the_same_bits(name: str) -> None:
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(size=5000) * 10.0**k for k in range(-12, 4)] + [[0.0, np.inf, np.nan, -np.inf]])
    x = np.abs(x) if name in ("log", "log2") else x
    bits = []
    for level in LEVELS:
        _native.use_cpu_level(level)
        bits.append(getattr(_elementary, name)(x).tobytes())
    assert len(set(bits)) == 1


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        (
            "exp",
            "0x1.1aec7b35a00d4p+0 0x1.01c2a61268987p+1 0x1.abe5b1cd863f6p+2 0x1.078401f5a3ec8p+48",
        ),
        (
            "log",
            "-0x1.26bb1bbb55515p+1 -0x1.6d3c324e13f50p-2 0x1.48a11293d785bp-1 0x1.c0b61ad3275b2p+1",
        ),
        (
            "log1p",
            "0x1.8663f793c46c7p-4 0x1.0fae81914a991p-1 0x1.1090e20315212p+0 0x1.c47fa4996326dp+1",
        ),
        (
            "log2",
            "-0x1.a934f0979a371p+1 -0x1.0776228967d13p-1 0x1.da1c9885a0c3cp-1 0x1.43ad43e80b460p+2",
        ),
        (
            "expit",
            "0x1.0cca12729afb8p-1 0x1.561cb52a19475p-1 0x1.bd626c0b5b606p-1 0x1.fffffffffffe1p-1",
        ),
    ],
)
def test_the_bits_are_the_recorded_ones(name: str, bits: str) -> None:
    """A change of these bits changes models: it needs a line in CHANGELOG.md."""
    x = np.array([0.1, 0.7, 1.9, 33.3])
    assert " ".join(float(v).hex() for v in getattr(_elementary, name)(x)) == bits
