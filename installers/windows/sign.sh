#!/bin/sh
# Signs a Windows program or installer in place: sign.sh FILE
# PLIMSOLL_SIGN_WITH names the certificate without its ending: there lie NAME.pfx and NAME.txt, the file of its password.
# PLIMSOLL_SIGN_TIMESTAMP is the address of a time stamp server; without it the signature ends with the certificate.
set -eu
set -- "$1" ${PLIMSOLL_SIGN_TIMESTAMP:+-ts "$PLIMSOLL_SIGN_TIMESTAMP"}
file=$1
shift
osslsigncode sign -pkcs12 "$PLIMSOLL_SIGN_WITH.pfx" -readpass "$PLIMSOLL_SIGN_WITH.txt" -h sha256 -n Plimsoll "$@" \
  -in "$file" -out "$file.signed"
mv -f "$file.signed" "$file"
