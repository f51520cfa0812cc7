#!/bin/sh
# The tests of the pages want a real browser. Installed when it is missing and we may; otherwise
# those tests are skipped, and say so.
set -eu
command -v chromium >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null && exit 0
fi
echo "Chromium is not installed: the pages will not be tested in a browser." >&2
