"""The panel This prediction: what each feature adds to a prediction, and what another value would change."""
