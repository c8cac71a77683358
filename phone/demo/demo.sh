#!/bin/sh
# Starts a phone with ApiDemos and the shop, replays the trails beside this file on it, and says where the report is:
# demo.sh TRAILBLAZE APIDEMOS.apk SHOP.apk
set -eu
trailblaze=$1 trails=$(dirname "$0")/trails
said=$(mktemp)
"$trailblaze" phone start --apk "$2" --apk "$3" --json >"$said" &
phone=$!
trap 'kill "$phone" 2>/dev/null; wait "$phone" 2>/dev/null; rm -f "$said"' EXIT
while ! address=$(sed -n 's/.*"address": *"\([^"]*\)".*/\1/p' "$said" | grep .); do
  kill -0 "$phone" || exit 1
  sleep 1
done
adb connect "$address"
status=0
"$trailblaze" run "$trails" --device "android/$address" || status=$?
echo "The shop itself says:"
adb -s "$address" shell run-as dev.trailblaze.shop cat files/state.json
echo
adb disconnect "$address" >/dev/null
exit "$status"
