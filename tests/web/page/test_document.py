import re

from glasswood.web.page._document import linked_document, single_document, to_json


def test_json_is_compact_and_keeps_letters() -> None:
    assert to_json({"name": "naïve", "x": [1.5, None]}) == '{"name":"naïve","x":[1.5,null]}'


def test_a_linked_document_names_every_file_and_carries_none() -> None:
    text = linked_document("Title & more", "app")
    assert '<body data-source="app">' in text
    assert "<title>Title &amp; more</title>" in text
    assert 'href="static/style.css"' in text and 'src="static/main.js"' in text
    assert not re.search(r"<style|<script(?! type=\"module\" src=)", text)


def test_a_percent_sign_in_the_numbers_stays() -> None:
    assert '"50%% of %%title%%"' in single_document("t", {"a": "50%% of %%title%%"}, {})
