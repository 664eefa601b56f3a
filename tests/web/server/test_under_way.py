"""What is being computed is said while it is computed."""

import threading

from glasswood._progress import Progress
from glasswood.web.server._under_way import UnderWay


def test_each_key_has_its_own_words() -> None:
    works: UnderWay[str] = UnderWay()
    begun, may_end = threading.Barrier(3), threading.Event()

    def work(key: str, steps: int) -> None:
        with works.watch(key), Progress(key, 9, show=False) as bar:
            bar.step(steps)
            begun.wait()
            may_end.wait()

    threads = [threading.Thread(target=work, args=(key, steps)) for key, steps in (("trees", 4), ("rows", 7))]
    for thread in threads:
        thread.start()
    begun.wait()
    assert (works.words("trees"), works.words("rows")) == ("trees: 4 of 9", "rows: 7 of 9")
    may_end.set()
    for thread in threads:
        thread.join()
    assert (works.words("trees"), works.words("rows")) == ("", "")


def test_work_without_an_end_is_counted() -> None:
    works: UnderWay[int] = UnderWay()
    with works.watch(1), Progress("nodes", None, show=False) as bar:
        bar.step(1200)
        assert works.words(1) == "nodes: 1,200"
    assert works.words(1) == works.words(2) == ""
