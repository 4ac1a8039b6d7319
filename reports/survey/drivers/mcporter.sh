#!/bin/sh
# Driver for the command line of mcporter, over HTTP and stdio.   npm install mcporter  (MCPORTER: where it is, if not in PATH)
# mcp-conformance --client "sh mcporter.sh {config}"
set -u
config=$1
cli() {
  "${MCPORTER:-mcporter}" --config "$config" "$@"
}

# It lists tools and calls one, each time with a connection of its own: no other scenario, and no steps.
case ${MCP_CONFORMANCE_CONTEXT:-} in *'"steps"'*) exit 127 ;; esac

step=0
try() {
  if cli "$@" >&2; then outcome=result; else outcome=error; fi
  printf '{"step": %d, "outcome": "%s"}\n' "$step" "$outcome"
  step=$((step + 1))
  [ "$outcome" = result ] || exit 1
}

case ${MCP_CONFORMANCE_SCENARIO:-} in
  initialize)
    try list conformance --json
    ;;
  tools_call)
    try list conformance --json
    try call conformance.add_numbers --args '{"a": 5, "b": 3}'
    ;;
  sse-retry)
    try list conformance --json
    try call conformance.test_reconnection --args '{}'
    ;;
  *)
    exit 127
    ;;
esac
