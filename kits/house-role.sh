#!/bin/sh
# Run once by the database's image: the role that the house runs as. `puntobanco prepare` grants it what it needs.
set -eu
psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set=password="$HOUSE_PASSWORD" <<'SQL'
CREATE ROLE house LOGIN PASSWORD :'password';
SQL
