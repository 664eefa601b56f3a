"""The tree panel: layout and texts of trees."""
