"""LightGBM texts of an old version, made of new ones."""

import re


def old_text(text: str) -> str:
    """The text as LightGBM 2.0 and 2.1 wrote it: no line after the trees, and fewer lines in them."""
    text = re.sub(r"(?m)^(end of trees|is_linear=.*|leaf_weight=.*|internal_weight=.*)\n", "", text)
    text = text.replace("version=v4", "version=v2").replace("feature_importances:", "feature importances:")
    return text.partition("\nparameters:")[0] + "\n"
