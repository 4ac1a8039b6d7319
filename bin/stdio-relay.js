#!/usr/bin/env node
// The server that a client under test starts over stdio; the harness speaks through it.
import '../dist/src/peers/double/relay-main.js'
