#!/bin/sh
# The test of kits/nginx.conf wants a real nginx. Installed when it is missing and we may; otherwise
# that test is skipped, and says so.
set -eu
command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq nginx-light >/dev/null && exit 0
fi
echo "nginx is not installed: the proxy of the kits will not be tested." >&2
