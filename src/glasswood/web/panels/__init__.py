"""The panels of the page: each builds its section from a subject."""
