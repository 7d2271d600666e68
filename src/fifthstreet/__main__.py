"""`python -m fifthstreet` is the command line."""

from fifthstreet.cli import main

main()
