"""One table in many forms, as users pass them to predict and read."""

import datetime
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

N = 240
LARGE = np.array([2**53 + 1, 2**53 + 2, 2**60 + 1, 2**60 + 2, 2**60 + 3, 7])
COLOURS = np.array(["red", "green", "blue", "é", "a label beyond sixteen bytes", "zebra"])


def numbers(seed: int = 0) -> pd.DataFrame:
    """Three columns: small whole numbers, fractions, zeros and ones."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "a": rng.integers(0, 50, N).astype(float),
            "b": rng.normal(size=N),
            "c": rng.integers(0, 2, N).astype(float),
        }
    )


def number_target(X: pd.DataFrame) -> np.ndarray:
    return (X.a * 0.3 + X.b * 2 + X.c * (X.a > 25) * 4).to_numpy()


def forms_of_numbers(X: pd.DataFrame) -> Iterator[tuple[str, Any]]:
    """The numbers in every container, dtype and order."""
    yield from _containers(X)
    yield from _arrays(X.to_numpy())
    yield from _integers(X)
    yield from _objects_and_categories(X)
    yield from _times(X)


def _containers(X: pd.DataFrame) -> Iterator[tuple[str, Any]]:
    values, arrow, polars = X.to_numpy(), pa.Table.from_pandas(X, preserve_index=False), pl.from_pandas(X)
    yield "the frame", X
    yield "lists", values.tolist()
    yield "tuples", tuple(map(tuple, values.tolist()))
    yield "a structured array", np.array(list(map(tuple, values)), dtype=[(name, "f8") for name in "abc"])
    yield "records", X.to_records(index=False)
    yield "other order", X[["c", "a", "b"]]
    yield "one column more", X.assign(z=1.0)
    yield "one column less", X[["a", "b"]]
    yield "another name", X.rename(columns={"a": "q"})
    yield "numbered columns", X.set_axis([0, 1, 2], axis=1)
    yield "columns on two levels", X.set_axis(pd.MultiIndex.from_product([["a"], ["x", "y", "z"]]), axis=1)
    yield "an index backwards", X.set_axis(np.arange(len(X))[::-1])
    yield "an index of one value", X.set_axis(np.zeros(len(X), dtype=int))
    yield "polars", polars
    yield "polars, a slice", polars.slice(7, 100)
    yield "polars, other order", polars.select("c", "a", "b")
    yield "polars, float32", polars.cast(pl.Float32)
    yield "polars, integers", polars.with_columns(pl.col("a").cast(pl.Int64))
    yield "polars, booleans", polars.with_columns(pl.col("c") > 0)
    yield "polars, decimals", polars.with_columns(pl.col("a").cast(pl.Decimal(10, 2)))
    yield "polars, dates", polars.with_columns(pl.col("a").cast(pl.Int32).cast(pl.Date))
    yield "polars, nulls", polars.with_columns(pl.when(pl.col("a") > 10).then(pl.col("a")).alias("a"))
    yield "pyarrow", arrow
    yield "pyarrow, other order", arrow.select(["c", "a", "b"])
    yield "pyarrow, a batch", arrow.to_batches()[0]
    yield "pyarrow, nulls", pa.Table.from_pandas(X.assign(a=X.a.where(X.a > 10)), preserve_index=False)
    yield "pyarrow, a dictionary", pa.table({"a": pa.array(X.a + 3).dictionary_encode(), "b": X.b, "c": X.c})


def _arrays(values: np.ndarray) -> Iterator[tuple[str, Any]]:
    hidden = np.random.default_rng(1).random(values.shape) < 0.1
    yield "an array", values
    yield "an array, column by column", np.asfortranarray(values)
    yield "every second row", np.repeat(values, 2, axis=0)[::2]
    for dtype in ("f2", "f4", "g", ">f8", "c16"):
        yield f"dtype {dtype}", values.astype(dtype)
    for dtype in ("i1", "i8", "u8"):
        yield f"dtype {dtype}", np.abs(np.round(values)).astype(dtype)
    yield "large integers", np.abs(np.round(values)).astype("i8") * 2**24 + 16_777_217
    yield "booleans", values > 0
    yield "objects", values.astype(object)
    yield "texts", values.astype(str)
    yield "texts as objects", values.astype(str).astype(object)
    yield "masked", np.ma.array(values, mask=hidden)
    yield "a mask that hides nothing", np.ma.array(values)
    yield "seconds since 1970", np.datetime64("1970-01-01", "s") + values.astype("i8")


def _integers(X: pd.DataFrame) -> Iterator[tuple[str, Any]]:
    yield "a: int64", X.astype({"a": "int64"})
    yield "a: beyond 2**53", X.assign(a=X.a.astype("int64") + 2**53 + 1)
    yield "a: uint64 beyond 2**63", X.assign(a=X.a.astype("uint64") + 2**63 + 1)
    yield "c: bool", X.astype({"c": "bool"})
    yield "a: Int64", X.astype({"a": "Int64"})
    for name, dtype in (("a", "Int64"), ("a", "Float64"), ("c", "boolean")):
        holed = X.astype({name: dtype})
        holed.loc[::7, name] = pd.NA
        yield f"{name}: {dtype} with NA", holed
    yield "a: double[pyarrow]", X.astype({"a": "double[pyarrow]"})
    yield "a: int64[pyarrow]", X.astype({"a": "int64[pyarrow]"})
    yield "a: sparse", X.astype({"a": pd.SparseDtype("float", 0.0)})
    yield "a: NaN", X.assign(a=X.a.where(X.a > 10))
    yield "a: infinite", X.assign(a=X.a.where(X.a > 10, np.inf))
    yield "a: 1e300", X.assign(a=1e300)
    yield "a: complex", X.assign(a=X.a.astype(complex))


def _objects_and_categories(X: pd.DataFrame) -> Iterator[tuple[str, Any]]:
    yield "a: Decimal", X.assign(a=[Decimal(int(value)) for value in X.a])
    yield "b: Decimal", X.assign(b=[Decimal(repr(float(value))) for value in X.b])
    yield "a: objects", X.assign(a=X.a.astype(object))
    yield "a: objects and None", X.assign(a=X.a.astype(object).where(X.a > 10, None))
    yield "a: text", X.assign(a=X.a.astype(str))
    yield "a: text as objects", X.assign(a=X.a.astype(str).astype(object))
    yield "a: categories", X.assign(a=(X.a + 3).astype("category"))
    yield "a: categories of integers", X.assign(a=(X.a.astype(int) + 3).astype("category"))
    yield "a: categories backwards", X.assign(a=pd.Categorical(X.a, categories=sorted(X.a.unique())[::-1]))
    yield "a: categories of text", X.assign(a=X.a.astype(str).astype("category"))
    yield "a and c: categories", X.assign(a=X.a.astype("category"), c=X.c.astype("category"))


def _times(X: pd.DataFrame) -> Iterator[tuple[str, Any]]:
    days = pd.to_timedelta(X.a, unit="D")
    yield "a: dates", X.assign(a=pd.Timestamp("2020-01-01") + days)
    yield "a: dates with a zone", X.assign(a=pd.Timestamp("2020-01-01", tz="Europe/Berlin") + days)
    yield "a: durations", X.assign(a=days)
    yield "a: dates of Python", X.assign(a=[datetime.date(2020, 1, 1) + datetime.timedelta(days=int(d)) for d in X.a])
    yield "a: periods", X.assign(a=pd.PeriodIndex.from_ordinals(X.a.astype(int), freq="D"))


def levels(flags: tuple[Any, Any] = (False, True), seed: int = 0) -> pd.DataFrame:
    """Columns of category dtype, of text, large integers, small ones and booleans, beside a number."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "colour": pd.Categorical(rng.choice(COLOURS, N)),
            "id": pd.Categorical(rng.choice(LARGE, N)),
            "code": pd.Categorical(rng.choice([3, 10, 77], N)),
            "flag": pd.Categorical(np.array(flags)[rng.integers(0, 2, N)]),
            "x": rng.normal(size=N),
        }
    )


def level_target(X: pd.DataFrame) -> np.ndarray:
    parts = [np.arange(6.0)[X[name].cat.codes] * weight for name, weight in (("colour", 1), ("id", -2), ("code", 3))]
    return np.asarray(sum(parts) + X.x + 2.5 * X["flag"].cat.codes)


def forms_of_levels(X: pd.DataFrame) -> Iterator[tuple[str, Any]]:
    """The categories in every dtype and order, known, new and missing."""
    plain = X.assign(**{name: X[name].to_numpy() for name in ("colour", "id", "code", "flag")})
    yield "the frame", X
    yield "plain columns", plain
    for name in ("colour", "id", "code", "flag"):
        known = X[name].cat.categories
        yield f"{name}: plain", X.assign(**{name: X[name].to_numpy()})
        yield f"{name}: objects", X.assign(**{name: X[name].astype(object)})
        yield f"{name}: backwards", X.assign(**{name: X[name].cat.reorder_categories(known[::-1])})
        yield f"{name}: ordered", X.assign(**{name: X[name].cat.as_ordered()})
        yield f"{name}: text", X.assign(**{name: X[name].astype(str)})
        yield f"{name}: categories of text", X.assign(**{name: X[name].astype(str).astype("category")})
        yield f"{name}: missing", X.assign(**{name: X[name].where(np.arange(len(X)) % 5 > 0)})
        yield f"{name}: codes", X.assign(**{name: X[name].cat.codes})
        new = "violet" if known.dtype == "str" else True if known.dtype == bool else 2**60 + 4
        if new not in known:
            more = X[name].cat.add_categories([new])
            yield f"{name}: a level more", X.assign(**{name: more})
            yield f"{name}: a new level", X.assign(**{name: more.where(np.arange(len(X)) % 5 > 0, new)})
    for name in ("id", "code"):
        number = X[name].astype("int64")
        yield f"{name}: uint64", X.assign(**{name: number.astype("uint64")})
        yield f"{name}: Int64", X.assign(**{name: number.astype("Int64")})
        yield f"{name}: float64", X.assign(**{name: number.astype("float64")})
        yield f"{name}: categories of floats", X.assign(**{name: number.astype("float64").astype("category")})
    yield "an array of objects", plain.to_numpy(dtype=object)
    yield "lists", plain.to_numpy(dtype=object).tolist()
    yield "an array of codes", np.column_stack([*(X[name].cat.codes for name in X.columns[:4]), X.x])
    polars = pl.DataFrame({name: plain[name].to_numpy().tolist() for name in plain})
    yield "polars", polars
    yield "polars, categorical", polars.with_columns(pl.col("colour").cast(pl.Categorical))
    yield "polars, an enum", polars.with_columns(pl.col("colour").cast(pl.Enum(sorted(COLOURS))))
    yield "polars, nulls", polars.with_columns(pl.when(pl.col("x") > 0).then(pl.col("colour")).alias("colour"))
    yield "pyarrow", polars.to_arrow()
    yield "pyarrow, dictionaries", pa.Table.from_pandas(X, preserve_index=False)
    holed = X.assign(colour=X["colour"].where(X.x > 0))
    yield "pyarrow, dictionaries with nulls", pa.Table.from_pandas(holed, preserve_index=False)
    yield "other order", X[X.columns[::-1]]
