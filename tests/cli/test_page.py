"""Pages: text of the user is escaped, pictures are embedded, figures are closed."""

from glasswood.cli._page import page, picture


def test_a_title_is_text() -> None:
    text = page("<script>alert(1)</script>", ["<p>part</p>"])
    assert "<script>" not in text and "<p>part</p>" in text and text.startswith("<!doctype html>")


def test_a_picture_is_inside_and_its_figure_closed() -> None:
    from matplotlib import pyplot

    before = pyplot.get_fignums()
    ax = pyplot.figure().add_subplot()
    text = picture(ax, 'of "x" < 1')
    assert 'alt="of &quot;x&quot; &lt; 1"' in text and "base64,iVBOR" in text
    assert pyplot.get_fignums() == before
