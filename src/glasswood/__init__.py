"""glasswood: glass-box tree ensembles."""

__version__ = "0.1.0"
