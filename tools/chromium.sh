#!/bin/sh
# The tests of the pages want a real browser: Debian's Chromium, by preference as the shell without
# windows, which takes a fifth of the time. Installed when it is missing and we may; otherwise
# those tests are skipped, and say so.
set -eu
command -v chromium-headless-shell >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt="apt-get -qq -o Acquire::Retries=0 -o Acquire::http::Timeout=20"
  $apt update || true
  for package in chromium-headless-shell chromium; do
    command -v "$package" >/dev/null && exit 0
    DEBIAN_FRONTEND=noninteractive $apt install -y "$package" >/dev/null && exit 0
  done
fi
command -v chromium >/dev/null && exit 0
echo "Chromium is not installed: the pages will not be tested in a browser." >&2
