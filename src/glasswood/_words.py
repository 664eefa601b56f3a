"""Words: counts and numbers as text for readers."""


def counted(n: int, thing: str) -> str:
    """A count and the thing that is counted, in the singular or the plural.

    Examples
    --------
    >>> from glasswood._words import counted
    >>> counted(1, "feature"), counted(2_000, "row")
    ('1 feature', '2,000 rows')
    """
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def with_minus(number: str) -> str:
    """The text of a number with a minus sign in place of the hyphen, as matplotlib writes it on axes.

    Examples
    --------
    >>> from glasswood._words import with_minus
    >>> with_minus("-0.5")
    '−0.5'
    """
    return number.replace("-", "−")
