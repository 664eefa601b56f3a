"""The panel about one prediction: what each feature adds to it, and what another value would change."""
