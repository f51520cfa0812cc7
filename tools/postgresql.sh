#!/bin/sh
# The tests of the journal want a real PostgreSQL server. Installed when it is missing and we may;
# otherwise those tests are skipped, and say so.
set -eu
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >/dev/null && exit 0
fi
echo "PostgreSQL is not installed: its half of the journal will not be tested." >&2
