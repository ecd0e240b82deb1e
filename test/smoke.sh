#!/bin/sh
# How a CI job uses a calendar: start it on any free port, wait until it is ready, work with it, stop it.
#   test/smoke.sh [COMMAND]    COMMAND is `calendar`, or how it is started: "node dist/calendar.js"
set -eu
calendar=${1:-calendar}
folder=$(mktemp -d)
server=
trap 'test -z "$server" || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT

fail() {
  echo "smoke: $1" >&2
  exit 1
}

$calendar serve --memory --port 0 --json --quiet > "$folder/ready" &
server=$!
tries=0
until [ -s "$folder/ready" ]; do
  kill -0 "$server" 2>/dev/null || fail 'the server did not start'
  tries=$((tries + 1))
  [ "$tries" -lt 100 ] || fail 'the server is not ready after 10 seconds'
  sleep 0.1
done
CALENDAR_URL=$(sed 's/.*"url":"\([^"]*\)".*/\1/' "$folder/ready")
export CALENDAR_URL

id=$($calendar events create --title Concert --start-date '2030-06-01 20:00' --end-date '2030-06-01 23:00' --quiet)
$calendar events create --title Fair --start-date '2030-05-01' --end-date '2030-05-02' --all-day --quiet > /dev/null

count=$($calendar events list --starts-after 2030-05-15 --format count)
[ "$count" = 1 ] || fail "1 event starts after 15 May, not $count"
title=$($calendar events list --starts-after 2030-05-15 --template '{{id}} {{title}}')
[ "$title" = "$id Concert" ] || fail "it should be $id Concert, not $title"

status=0
$calendar events get 999999 2> "$folder/missing" || status=$?
[ "$status" = 3 ] || fail "what is not there exits with 3, not $status"

kill "$server"
wait "$server" || fail 'the server did not stop clean'
server=
echo 'smoke: ok'
