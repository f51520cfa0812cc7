"""`python -m puntobanco` is the command line."""

from puntobanco.cli import main

main()
