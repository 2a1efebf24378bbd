#!/usr/bin/env node
import { EXIT } from './exit-codes.ts'
import { runCommandLine } from './run.ts'

/** Exit codes of those who are ended by a signal, as shells have them. */
const ENDED_BY = { SIGINT: EXIT.interrupted, SIGTERM: 143, SIGHUP: 129 } as const

const interrupted = new AbortController()
let ended: number | undefined
for (const [name, code] of Object.entries(ENDED_BY)) {
  process.on(name, () => {
    // Who asks twice does not want to wait for what the first one began.
    if (interrupted.signal.aborted) process.exit(code)
    ended = code
    interrupted.abort(new Error('interrupted'))
  })
}
// Each write says itself how it went; without a listener the event would end the process.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

const { env, stdin, stdout, stderr, argv } = process
const surroundings = { args: argv.slice(2), env, cwd: process.cwd(), stdin, stdout, stderr, signal: interrupted.signal }
// All output is written by now; an open connection or stdin must not hold the process.
const code = await runCommandLine(surroundings)
process.exit(code === EXIT.interrupted ? (ended ?? code) : code)
