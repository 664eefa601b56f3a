"""Exchange: a team of one."""

from glasswood.team import ALONE


def test_one_who_is_alone_gets_what_it_gave() -> None:
    assert (ALONE.rank, ALONE.size) == (0, 1)
    with ALONE as team:
        assert team.swap([b"own"]) == [b"own"]
