#!/bin/sh
# Makes .venv and installs the locked, hashed dependencies and this package into it.
# The only thing ever installed outside the checkout is Debian's python3-venv, when it is
# missing and we may.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
  echo "puntobanco needs Python 3.11 or newer; $python is $("$python" --version 2>&1)." >&2
  echo "Point PYTHON at a newer one: make PYTHON=python3.12 ..." >&2
  exit 1
}

if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq && apt-get install -y -qq python3-venv
  else
    echo "Python's venv module is missing. Install it once: sudo apt-get install python3-venv" >&2
    exit 1
  fi
fi

[ -x .venv/bin/pip ] || "$python" -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r tools/uv.txt
# what is on no list goes: `make check` holds what is installed against the lock
.venv/bin/uv pip sync --quiet --python .venv --compile-bytecode --require-hashes requirements-dev.txt
.venv/bin/uv pip install --quiet --python .venv --no-deps --no-build-isolation --editable .
touch .venv/installed
