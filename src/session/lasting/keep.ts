import type { Command } from '../../ports/runner.ts'
import type { Sandbox } from '../../ports/sandbox.ts'
import type { Wrapped } from '../sandbox/exec-script.ts'

/** Texts to mask in the end of a command, which the sandbox keeps. */
export type KeepEnd = readonly string[]

/** Notes a call's command that is about to begin, where it may last long. Null for one whose end the sandbox need not keep. */
export type KeepCommand = (wrapped: Wrapped, command: Command, sandbox: Sandbox) => KeepEnd | null
