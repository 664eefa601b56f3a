"""Every panel is built under its own name, in the order of the navigation, and has its script."""

from dataclasses import replace

import numpy as np
import pytest

from glasswood.web.page._bundle import static_text
from glasswood.web.panels._registry import PANELS
from glasswood.web.panels._subject import OtherModel, Subject
from glasswood.web.server._session import Session
from glasswood.web.server._settings import Settings
from tests.web.cases import binary


@pytest.mark.parametrize("kind", PANELS)
def test_every_panel_is_built_and_has_its_script(kind: str) -> None:
    panel = PANELS[kind]
    subject = Session().subject(Settings(n=30))
    section = panel.section(replace(subject, other=OtherModel(subject.model, subject.X)))
    assert section is not None and (section.kind, section.title) == (kind, panel.title)
    mount = "".join(word.capitalize() for word in kind.split("_"))
    assert f"export function mount{mount}(root, data, context)" in static_text(panel.script)


def test_weights_count_in_every_panel() -> None:
    model, X, y = binary()
    rng = np.random.default_rng(0)
    copies = rng.integers(0, 3, len(X))
    again = X.loc[X.index.repeat(copies)].reset_index(drop=True)
    weighted, repeated = Subject("", model, X, y, copies), Subject("", model, again, np.repeat(y, copies))
    one, two = (
        {kind: panel.build(subject) for kind, panel in PANELS.items() if panel.is_about(subject)}
        for subject in (weighted, repeated)
    )
    assert one["effects"]["features"] == two["effects"]["features"]
    assert one["overview"]["ledger"]["parts"] == two["overview"]["ledger"]["parts"]
    assert one["rules"]["rules"][0]["support"] == two["rules"]["rules"][0]["support"]
    assert one["interactions"]["ranking"] == two["interactions"]["ranking"]
    assert one["examples"]["queries"]
    (part,), (same) = one["performance"]["parts"], two["performance"]["parts"][0]
    for key in ("scores", "points", "start", "top"):
        assert part[key] == same[key]
    for mine, other in zip(part["views"], same["views"], strict=True):
        assert (mine["words"], mine["said"], mine["found"]) == (other["words"], other["said"], other["found"])
