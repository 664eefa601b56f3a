"""Old binary files of XGBoost: five that release 2.1.4 wrote, with what it predicted."""

import base64
import zlib

import numpy as np

# rows, and per model the file (packed), raw and leaves of these rows, all from XGBoost 2.1.4
ROWS = np.array(
    [
        [np.float64(0.13), np.float64(-0.13), np.float64(0.64)],
        [np.float64(-1.27), None, np.float64(0.04)],
        [np.float64(-0.73), np.float64(-0.54), np.float64(-0.32)],
        [np.float64(0.54), np.float64(0.21), np.float64(0.36)],
        [np.float64(-0.44), np.float64(-1.17), np.float64(1.74)],
        [np.float64(-1.4), np.float64(0.5), np.float64(0.99)],
    ],
    dtype=float,
)
FILES: dict[str, tuple[str, list[list[float]], list[list[int]]]] = {
    "regression": (
        "eNpLysxLY2BosGNmgABGKM0EZcP49AACULooNd2quLA0sSg1JbWoKL+IDSqenlRSlJrKRGdXkQpAbmNH4jMPAvf+BwJGaKyCANd1"
        "5X1AqgHkNhao2JIC2/0gmhWIoSHeYMt13Q6or+E/FIAEF3ql7meEmgkTm7ns1j4mNHXebHP2MqGpCxRmtPdeLeLMwFDgdHKiFNi+"
        "hLmCjgwMBxw5d8sdAPH/sfE4AdOC0z5tPXuEDwocQfYipRVHkJ0I/gxHkH0IfocjyK6hEh9nz/jsRY+P/kNbMeLD2NjYHj0+NPvS"
        "MOLj1scjGPGhzTVzN3p8nNS7ZTdl7xwnUHzovLgPDs8fjw2B8XHBMV3uNth+vR1dQD6Hk/lnPqT4WOAAshfBX+EIshOZD7IPwQ9w"
        "BNmFnk9AgBNK5ydlpSaXZJalukIFqpXyEnNTlayU0MsDJR2QUHxOfnFxfEFiUWKuklW1UnFyYk5qfEF+cXx5amZ6RglQn6FSbS0A"
        "XCK/cQ==",
        [
            [0.16914571821689606],
            [-1.0303276777267456],
            [-0.561710000038147],
            [0.7495306134223938],
            [-0.561710000038147],
            [-1.0303276777267456],
        ],
        [[5, 5], [3, 4], [4, 4], [6, 5], [4, 4], [3, 4]],
    ),
    "logistic": (
        "eNpLysxLmzVzph0zAwQwQmkmKBvGpwfgh9JJmXmJRZVWOfnpmcUlmclsUOH0pJKi1FQmOjuKVAByGzsSn3kQuPc/EDBCIxUEWl9f"
        "tANSDSC3sUDFzp7x2QuiWYEYFuIT0tIcgPoa/kMBSEyibOc+RqiZMLFeQ7dNTGjqugu97JnQ1JXIKtv9+crvNGump+ODhw9BbmB4"
        "cU/Yoe31R4ck18z9IL5Hu4jDOveFDksshRxg7g/asc4BZC+Mn57G5gCyE8Zve13oALIPxgfqtwfZNZziAxS+h79q2KPHx/5Li4mK"
        "j+BtHBjx8Xj6J9swu6mOCzo9HHmWLwSHV0fqPfvA4msO+6e5geMj4OIW+3fzdzks+bMfHr5yDpMdQPbiio8z7q0OIPtg/M6Eq/Yg"
        "u9DzCQhwQun8pKzU5JLMslQXqEC1Ul5ibqqSlRJacaCko1SUmh6fk19cHF+QWJSYq2RVrVScnJiTGl+QXxxfnpqZnlEC1GaoVFsL"
        "AJzj0OA=",
        [
            [-0.8472978472709656],
            [-1.529494285583496],
            [-1.529494285583496],
            [0.47752922773361206],
            [-1.529494285583496],
            [-1.529494285583496],
        ],
        [[4, 4], [3, 3], [3, 3], [5, 5], [3, 3], [3, 3]],
    ),
    "softprob": (
        "eNpLysxLY2BgsGcGEiDMyAABTFA2I5IYrQEflM4tzSnJtCrOTyspKMpPYoOKpieVFKWmMtPRPeQAkNtYkfiDwb3/gYARGqcgwHVd"
        "eR+QagC5jQUi3sB1vdkephYEQOzbNyL2AfU1IIvJ2h60Y0RTZ72CeVNNzHbHkNCrjt48IrYgsQL79/arVmk5vlrQZ49wR70jyEwY"
        "PzRU1BFkHoy/atUqe5BZsHBkH+ThCAT70cPx+uICsH9BaQCachuMjY3t0cMxpsJ7H7ZwZEJTF5a11I4JTZ1Yhsu+vqVfHEDhHcIj"
        "Ag6/Bz2M9o8t+BzDNwmB3MTw7b2v42OLPsfyk8zw8Jc5/tEBZC+28Ib4z94RZB+M3/d4hwPIriGSrhtsua6D3I4SflM+Ru2DuZcF"
        "qg8UH+jhvKdksi16OItmHLHj/jwbnK7z+S33IcJlhiPM3A+b2u1B4fpyUTc8nC36HtuDzEMOR5BZyGUEE1L4cULp/KSs1OSSzLJU"
        "N6hAtVJeYm6qkpUSaomopKMEYuYmVsSDJZJzEouL4wsSixJzlayAekpz48FCQI3GSrW1AMZc8ys=",
        [
            [0.28823524713516235, 0.8230769038200378, 0.2861878275871277],
            [0.8774193525314331, 0.30129867792129517, 0.2861878275871277],
            [0.8774193525314331, 0.30129867792129517, 0.2861878275871277],
            [0.28823524713516235, 0.8230769038200378, 0.5720000267028809],
            [0.5, 0.8230769038200378, 0.2861878275871277],
            [0.8774193525314331, 0.5, 0.2861878275871277],
        ],
        [[2, 5, 1], [3, 3, 1], [3, 3, 1], [2, 5, 3], [4, 5, 1], [3, 4, 1]],
    ),
    "dart": (
        "eNpLysxLm+C1ax8zAwQwQmkmKJsRSYzWQABKF6WmWxUXliYWpaakFhXlF7FAxVMSi0qY6egecgDIbexI/MHg3v9AwAiNUxDguq68"
        "D0g1gNwGC9v+Q1v3g2hWIGaDCDXYcl23A+pr+A8FIMH66RX7GaFmwsSCn1zdx4SmrsrllC0Tmrq5M3Xt5x0XdWZgKHDq8m7bBBLb"
        "YODiyMBwwJGZ4xPYfqWfbE7AlOB0v2OxPcIHCxxA9iL4MxxBdiLzQfYh+B2OILtG42M0PkbjA398MKDFBQicttG2B+Ers+/ZweKG"
        "E0rnJ2WlJpdklqW6QgWqlfISc1OVrJTQS20lHZBQfE5+cXF8QWJRYq6SVbVScXJiTmp8QX5xfHlqZnpGCVCfoVJtLQBDfBVe",
        [
            [-0.18878449499607086],
            [-1.1043570041656494],
            [-1.1043570041656494],
            [0.8381779193878174],
            [-1.1043570041656494],
            [-1.1043570041656494],
        ],
        [[5, 5, 5], [4, 4, 4], [4, 4, 4], [6, 6, 6], [4, 4, 4], [4, 4, 4]],
    ),
    "poisson": (
        "eNpLysxLMzY2tmdmgABGKM0EZcP49AC8UDo5vzSvxKogP7O4OD+PDSqYnlRSlJrKRGcnkQpAbmNH4jMPAvf+BwJGaJSCANd15X1A"
        "qgHkNhaIeAPX9WZ7kBwrEENDvMGW67odUF/DfygACfK0c+5jhJoJE6tn2LObCU1djlSNLROaOjuucLsD+q2Oe9VXOh2bxm8HtuWF"
        "lv3fIHanhlunQG5iMLne5lDzx8spwe2/Hcz91hffOILshfH/BrU7gOyE8dOcrzmC7IPxJ27d7wiya7jFByibosfHySJ2jPgw0F+G"
        "ER/bp1VixIesvYNd1GVrR12XDU7h6q/B4cchoWLvs/GD47SVR8Dh3fNeymGrfoYTu8cBeHxI8p13BNkL45/paXMA2Qnjnz7I6wSy"
        "D8a/fHuLI8gu9HwCApxQOj8pKzW5JLMsNQQqUK2Ul5ibqmSlhFIYKOkoQVnxRanpRanFxZlAZkFiUWKuklW1Um5iRXxKak5JYnxx"
        "SWoBULOBnpklGFhYKNXWAgDTaMnI",
        [
            [-0.23419156670570374],
            [-0.6232529878616333],
            [-0.6232529878616333],
            [-0.08574020862579346],
            [-0.36748388409614563],
            [-0.6232529878616333],
        ],
        [[5, 5], [3, 3], [3, 3], [6, 5], [4, 4], [3, 3]],
    ),
}


def content_of(name: str) -> bytes:
    """The bytes of a file."""
    return zlib.decompress(base64.b64decode(FILES[name][0]))
