#!/usr/bin/env node
import { EXIT } from './exit-codes.ts'
import { runCommandLine } from './run.ts'

const interrupted = new AbortController()
process.on('SIGINT', () => {
  // Who asks twice does not want to wait for what the first one began.
  if (interrupted.signal.aborted) process.exit(EXIT.interrupted)
  interrupted.abort(new Error('interrupted'))
})
// Each write says itself how it went; without a listener the event would end the process.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

const { env, stdin, stdout, stderr, argv } = process
const surroundings = { args: argv.slice(2), env, cwd: process.cwd(), stdin, stdout, stderr, signal: interrupted.signal }
// All output is written by now; an open connection or stdin must not hold the process.
process.exit(await runCommandLine(surroundings))
