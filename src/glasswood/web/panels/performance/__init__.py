"""How good the model is on rows whose targets are known."""
