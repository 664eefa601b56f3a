"""Formats: small valid files of every kind that is read, and how each is damaged where it is parsed."""

import functools
import hashlib
import json
import re
import struct
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from glasswood.readers.catboost import _flatbuffer
from tests.fuzz.documents import ODD, garbled
from tests.fuzz.onnx_files import garble_graph, garble_onnx, onnx_files, onnx_graphs
from tests.readers.ctr_documents import random_document
from tests.readers.mutate import mutations
from tests.readers.old_xgboost_files import FILES, content_of

Rng = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class Format:
    """Valid files, and a function that damages each."""

    whole: Callable[[], Sequence[bytes]]
    garble: Callable[[bytes, Rng], bytes]


def garbled_file(name: str, number: int, seed: int) -> bytes:
    """The damaged file with that number; the same for the same three arguments."""
    rng = np.random.default_rng([seed, number, *name.encode()])
    form = FORMATS[name]
    content = form.whole()[int(rng.integers(len(form.whole())))]
    if rng.random() < 0.1:  # a tenth by bytes
        return next(mutations(content, 1, seed=int(rng.integers(2**31))))
    return form.garble(content, rng)


def _table() -> tuple[Any, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    import pandas as pd

    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "c": pd.Categorical(rng.choice(list("abcd"), 200)),
            "d": pd.Categorical(rng.choice([3, 7, 11], 200)),
            "x": np.where(rng.random(200) < 0.1, np.nan, rng.normal(size=200)),
        }
    )
    y = frame["x"].fillna(2.0).to_numpy() + (frame["c"] == "a").to_numpy() + (frame["d"] == 7).to_numpy()
    return frame, y, rng.integers(0, 3, 200)


@functools.cache
def _lightgbm() -> Sequence[bytes]:
    import lightgbm as lgb

    frame, y, classes = _table()
    X = np.column_stack([frame["d"].astype(int), frame["x"]])
    options = {"verbose": -1, "num_threads": 1, "num_leaves": 4, "min_data_in_leaf": 5, "min_data_per_group": 2}
    several = {**options, "objective": "multiclass", "num_class": 3}
    made = [
        lgb.train(options, lgb.Dataset(frame, y), 2),
        lgb.train(options, lgb.Dataset(X, y, categorical_feature=[0]), 2),
        lgb.train(several, lgb.Dataset(X, classes), 1),
    ]
    # most edits should hit the trees, not the long list of parameters
    short = [re.sub(r"(?s)(\[boosting: gbdt\]).*(\[categorical_feature)", r"\1\n\2", m.model_to_string()) for m in made]
    old = re.sub(r"(?m)^(end of trees|is_linear=.*|leaf_weight=.*|internal_weight=.*|tree_sizes=.*)\n", "", short[1])
    return [text.encode() for text in (*short, old.replace("version=v4", "version=v2"))]


_LINES = [
    b"Tree=0", b"Tree=2", b"Tree=-1", b"Tree=", b"end of trees", b"parameters:", b"end of parameters", b"num_cat=1",
    b"num_leaves=1000000000", b"average_output", b"[boosting: gbdt]", b"=", b"x", b"\xff\xfe", b"is_linear=1", b"",
    b"pandas_categorical:[[1,2]]", b'pandas_categorical:[["a"]]',
]  # fmt: skip


def _garble_lines(content: bytes, rng: Rng) -> bytes:
    lines = content.split(b"\n")
    for _ in range(int(rng.integers(1, 4))):
        at, other = (int(k) for k in rng.integers(0, len(lines), 2))
        match int(rng.integers(0, 9)):
            case 0:
                lines.insert(at, _LINES[int(rng.integers(len(_LINES)))])
            case 1:
                lines.insert(at, lines[other])
            case 2:
                del lines[at : at + int(rng.integers(1, 3))]
                lines = lines or [b""]
            case 3:
                lines[at], lines[other] = lines[other], lines[at]
            case 4:
                key, value = lines[at].partition(b"=")[0], lines[other].partition(b"=")[2]
                lines[at] = key + b"=" + value
            case _:
                lines[at] = _garble_line(lines[at], rng)
    return b"\n".join(lines)


def _garble_line(line: bytes, rng: Rng) -> bytes:
    key, separator, value = line.partition(b"=")
    words = value.split(b" ")
    odd = str(ODD[int(rng.integers(len(ODD)))]).encode("utf-8", "surrogatepass")
    place = int(rng.integers(len(words)))
    match int(rng.integers(0, 5)):
        case 0:
            words.insert(place, words[place])
        case 1:
            del words[place]
        case 2:
            words[place] = b"-" + words[place]
        case _:
            words[place] = odd
    return key + separator + b" ".join(words)


@functools.cache
def _xgboost() -> Sequence[bytes]:
    import xgboost as xgb

    frame, y, classes = _table()
    data = xgb.DMatrix(frame, y, enable_categorical=True)
    many = xgb.DMatrix(frame[["x"]], np.column_stack([y, -y]))
    small = {"max_depth": 2, "nthread": 1}
    several = {**small, "objective": "multi:softprob", "num_class": 3}
    stopped = xgb.XGBRegressor(n_estimators=3, max_depth=2, n_jobs=1, early_stopping_rounds=1)
    stopped.fit(frame[["x"]], y, eval_set=[(frame[["x"]], -y)], verbose=False)
    made = [
        xgb.train(small, data, 2),
        xgb.train({**small, "booster": "dart", "rate_drop": 0.5}, data, 2),
        xgb.train({**small, "multi_strategy": "multi_output_tree"}, many, 2),
        xgb.train(several, xgb.DMatrix(frame[["x"]], classes), 1),
        stopped.get_booster(),
    ]
    return [bytes(model.save_raw("json")) for model in made]


@functools.cache
def _xgboost_binary() -> Sequence[bytes]:
    return [content_of(name) for name in FILES]


def _garble_words(content: bytes, rng: Rng) -> bytes:
    """Numbers of four bytes, behind the names of objective and booster, changed."""
    changed, first = bytearray(content), content.index(b"gbtree" if b"gbtree" in content else b"dart") + 6
    for _ in range(int(rng.integers(1, 4))):
        at = first - 2 * (b"gbtree" not in content) + 4 * int(rng.integers(0, (len(content) - first) // 4))
        changed[at : at + 4] = _odd_bytes(4, bytes(changed[at : at + 4]), rng)
    return bytes(changed)


def _garble_json(content: bytes, rng: Rng) -> bytes:
    text = json.dumps(garbled(json.loads(content), rng)).encode()
    if rng.random() < 0.1:  # a repeated key, which no parsed document has
        places = [match.span(1) for match in re.finditer(rb'[{,] ?("[^"]*": )', text)]
        if places:
            start, end = places[int(rng.integers(len(places)))]
            odd = json.dumps(ODD[int(rng.integers(len(ODD)))]).encode()
            return text[:start] + text[start:end] + odd + b", " + text[start:]
    return text


def _garble_ubjson(content: bytes, rng: Rng) -> bytes:
    return _ubjson(garbled(json.loads(content), rng), rng)


def _ubjson(value: Any, rng: Rng) -> bytes:
    """A document in UBJSON, with numbers in typed arrays of any suitable type."""
    if isinstance(value, dict):
        return b"{" + b"".join(_counted(key) + _ubjson(entry, rng) for key, entry in value.items()) + b"}"
    if isinstance(value, str):
        return b"S" + _counted(value)
    if value is None or isinstance(value, bool):
        return {None: b"Z", True: b"T", False: b"F"}[value]
    if isinstance(value, float):
        return b"D" + struct.pack(">d", value)
    if isinstance(value, int):
        return b"L" + struct.pack(">q", max(-(2**63), min(2**63 - 1, value)))
    numbers = bool(value) and all(type(entry) in (int, float) for entry in value)
    if numbers and (not any(isinstance(entry, float) for entry in value) or rng.random() < 0.95):
        whole = all(isinstance(entry, int) and abs(entry) < 2**31 for entry in value)
        marker, code = ("l", ">i4") if whole and rng.random() < 0.98 else ("d", ">f4")
        with np.errstate(over="ignore"):
            payload = np.array(value, dtype=np.float64 if marker == "d" else np.int64).astype(code).tobytes()
        return b"[$" + marker.encode() + b"#L" + struct.pack(">q", len(value)) + payload
    if not value:
        return b"[$l#L" + struct.pack(">q", 0)
    return b"[#L" + struct.pack(">q", len(value)) + b"".join(_ubjson(entry, rng) for entry in value)


def _counted(text: str) -> bytes:
    content = text.encode("utf-8", "surrogatepass")
    return b"L" + struct.pack(">q", len(content)) + content


@functools.cache
def _catboost(kind: str) -> Sequence[bytes]:
    from catboost import CatBoost, CatBoostClassifier, CatBoostRegressor

    frame, y, classes = _table()
    frame = frame.astype({"c": str, "d": str})
    options: dict[str, Any] = {
        "verbose": 0,
        "thread_count": 1,
        "allow_writing_files": False,
        "iterations": 2,
        "depth": 2,
    }
    options["one_hot_max_size"] = 5
    made = [
        CatBoostRegressor(**options).fit(frame, y, cat_features=["c", "d"]),
        CatBoostRegressor(**options, grow_policy="Lossguide").fit(frame, y, cat_features=["c", "d"]),
        CatBoostClassifier(**options).fit(frame, classes, cat_features=["c", "d"]),
        _with_ctrs(options, frame, y),
    ]
    contents = []
    with tempfile.TemporaryDirectory() as folder:
        for model in made:
            path = Path(folder) / "model"
            model.save_model(str(path), format=kind)
            contents.append(path.read_bytes())
        if kind == "json":
            contents = [_with_few_parameters(content) for content in contents]
        for seed in range(4):  # with every kind of CTR
            path.write_text(json.dumps(random_document(np.random.default_rng(seed))))
            if kind != "json":
                CatBoost().load_model(str(path), format="json").save_model(str(path), format=kind)
            contents.append(path.read_bytes())
    return contents


def _with_ctrs(options: dict[str, Any], frame: Any, y: Any) -> Any:
    """A model of two trees with CTRs of each category and of both together."""
    from catboost import CatBoostRegressor

    together = ((frame["c"] == "a") ^ (frame["d"] == "7")).to_numpy()
    more = {"depth": 4, "one_hot_max_size": 1, "max_ctr_complexity": 3, "learning_rate": 0.5, "random_seed": 1}
    more |= {"model_size_reg": 0, "random_strength": 0}
    return CatBoostRegressor(**{**options, **more}).fit(frame, 0.1 * y + 5 * together, cat_features=["c", "d"])


def _with_few_parameters(content: bytes) -> bytes:
    document = json.loads(content)
    loss = document["model_info"]["params"]["loss_function"]
    document["model_info"] = {**document["model_info"], "params": {"loss_function": loss}}
    document["model_info"].pop("output_options", None)
    return json.dumps(document).encode()


@functools.cache
def _places(content: bytes) -> Sequence[tuple[int, int]]:
    """Positions in a `.cbm` file of numbers that the reader uses, and their sizes in bytes."""
    found: set[tuple[int, int]] = set()
    unpack, length = _flatbuffer._unpack, _flatbuffer.FlatTable._length

    @functools.cache
    def first(buffer: bytes) -> int:  # the core, or the table of a CTR
        return content.index(buffer)

    def noted_unpack(code: str, buffer: bytes, at: int) -> Any:
        found.add((first(buffer) + at, struct.calcsize(code)))
        return unpack(code, buffer, at)

    def noted_length(self: Any, at: int, item_size: int) -> tuple[int, int]:
        start, count = length(self, at, item_size)
        size = 4 if first(self.buffer) > 8 else item_size  # counts and keys of a CTR are kept as bytes
        if item_size > 1 or size > 1:
            found.update((first(self.buffer) + start + size * k, size) for k in range(count * item_size // size))
        return start, count

    from glasswood.readers.catboost._cbm import read_cbm

    with (
        mock.patch.object(_flatbuffer, "_unpack", noted_unpack),
        mock.patch.object(_flatbuffer.FlatTable, "_length", noted_length),
    ):
        read_cbm(content)
    return sorted(found)


def _garble_cbm(content: bytes, rng: Rng) -> bytes:
    changed, places = bytearray(content), _places(content)
    for _ in range(int(rng.integers(1, 4))):
        at, size = places[int(rng.integers(len(places)))]
        changed[at : at + size] = _odd_bytes(size, bytes(changed[at : at + size]), rng)
    return bytes(changed)


def _odd_bytes(size: int, before: bytes, rng: Rng) -> bytes:
    number = int.from_bytes(before, "little")
    near = [number + 1, number - 1, number + 4, number - 4, number * 2]
    options = [0, 1, 2, 4, 255, 2**15, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1, *near]
    if size in (4, 8) and rng.random() < 0.3:
        odd = [np.nan, np.inf, -np.inf, -1.0, 1e300, 1e-320]
        with np.errstate(over="ignore"):
            return np.array(odd[int(rng.integers(len(odd)))]).astype(f"<f{size}").tobytes()
    return (options[int(rng.integers(len(options)))] % 2 ** (8 * size)).to_bytes(size, "little")


@functools.cache
def _perpetual() -> Sequence[bytes]:
    from perpetual import PerpetualBooster

    frame, y, classes = _table()
    options: dict[str, Any] = {"num_threads": 1, "iteration_limit": 2, "budget": 0.3}
    frame = frame.assign(d=frame["d"].astype(str).astype("category"))
    made = [
        PerpetualBooster(objective="SquaredLoss", **options).fit(frame, y),
        PerpetualBooster(objective="SquaredLoss", create_missing_branch=True, **options).fit(frame, y),
        PerpetualBooster(objective="LogLoss", **options).fit(frame, classes),
    ]
    return [model.json_dump().encode() for model in made]


def _garble_perpetual(content: bytes, rng: Rng) -> bytes:
    """Metadata are JSON texts within the JSON; sometimes they are parsed for the edits."""
    document = json.loads(content)
    metadata = document.get("metadata")
    if not isinstance(metadata, dict) or rng.random() < 0.6:
        return _garble_json(content, rng)
    edited = garbled({key: json.loads(text) for key, text in metadata.items()}, rng)
    if isinstance(edited, dict):
        edited = {key: json.dumps(value) for key, value in edited.items()}
    return json.dumps({**document, "metadata": edited}).encode()


@functools.cache
def _own() -> Sequence[bytes]:
    from tests.ensemble.examples import category_tree, two_trees

    contents = []
    with tempfile.TemporaryDirectory() as folder:
        for ensemble in (category_tree(), two_trees(), _read_catboost()):
            path = Path(folder) / "model.gw"
            ensemble.save(path)
            contents.append(path.read_bytes())
    return contents


def _read_catboost() -> Any:
    from glasswood.readers.catboost import read_file

    return read_file(_catboost("cbm")[0], "whole")


def _garble_own(content: bytes, rng: Rng) -> bytes:
    """Header or arrays changed, and the checksum corrected."""
    magic, version, length = struct.unpack_from("<8sIQ", content)
    header: Any = json.loads(content[20 : 20 + length])
    arrays = bytearray(content[20 + length + -(20 + length) % 64 : -32])
    if rng.random() < 0.5:
        for _ in range(int(rng.integers(1, 4))):
            entry = list(header["arrays"].values())[int(rng.integers(len(header["arrays"])))]
            size, count = np.dtype(entry["dtype"]).itemsize, int(np.prod(entry["shape"]))
            if count:
                at = entry["offset"] + size * int(rng.integers(count))
                arrays[at : at + size] = _odd_bytes(size, bytes(arrays[at : at + size]), rng)
    else:
        header = garbled(header, rng)
    text = json.dumps(header).encode()
    body = struct.pack("<8sIQ", magic, version, len(text)) + text
    body += bytes(-len(body) % 64) + bytes(arrays)
    return body + hashlib.sha256(body).digest()


FORMATS: dict[str, Format] = {
    "lightgbm-text": Format(_lightgbm, _garble_lines),
    "xgboost-json": Format(_xgboost, _garble_json),
    "xgboost-ubj": Format(_xgboost, _garble_ubjson),
    "xgboost-binary": Format(_xgboost_binary, _garble_words),
    "catboost-cbm": Format(functools.partial(_catboost, "cbm"), _garble_cbm),
    "catboost-json": Format(functools.partial(_catboost, "json"), _garble_json),
    "onnx": Format(onnx_files, garble_onnx),
    "onnx-graph": Format(onnx_graphs, garble_graph),
    "perpetual-json": Format(_perpetual, _garble_perpetual),
    "glasswood": Format(_own, _garble_own),
}
