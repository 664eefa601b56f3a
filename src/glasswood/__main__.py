"""`python -m glasswood` is the `glasswood` command."""

from glasswood.cli import main

raise SystemExit(main())
