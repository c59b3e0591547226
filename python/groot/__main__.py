"""The command line, as `python -m groot`."""

import sys

from groot.cli import main

if __name__ == "__main__":
    sys.exit(main())
