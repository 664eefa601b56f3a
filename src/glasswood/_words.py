"""Words: counts and numbers as people write them."""


def counted(n: int, thing: str) -> str:
    """A count and what is counted, in the right number.

    Examples
    --------
    >>> from glasswood._words import counted
    >>> counted(1, "feature"), counted(2_000, "row")
    ('1 feature', '2,000 rows')
    """
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def with_minus(number: str) -> str:
    """A number as an axis writes it: with a minus sign in place of the hyphen.

    Examples
    --------
    >>> from glasswood._words import with_minus
    >>> with_minus("-0.5")
    '−0.5'
    """
    return number.replace("-", "−")
