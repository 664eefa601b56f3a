"""The tree panel: one tree, laid out and described."""
