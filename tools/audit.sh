#!/bin/sh
# Known holes in what is locked, where there is a network and pip-audit; else it says what is missing.
set -u
cd "$(dirname "$0")/.."
if [ ! -x .venv/bin/pip-audit ]; then
  echo "NOT AUDITED: pip-audit is not installed (.venv/bin/uv pip install pip-audit)." >&2
  exit 2
fi
.venv/bin/pip-audit --strict --require-hashes --disable-pip -r requirements.txt
found=$?
if [ $found -gt 1 ]; then
  echo "NOT AUDITED: the list of advisories could not be reached." >&2
fi
exit $found
