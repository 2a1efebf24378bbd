import type { Sandbox } from '../../src/ports/sandbox.ts'

const notHere = async (): Promise<never> => {
  throw new Error('this sandbox cannot do that')
}

/** Sandbox without any ability, for a test to add those that it needs. */
export const NOTHING: Sandbox = {
  id: 'none',
  run: notHere,
  write: notHere,
  writeStream: notHere,
  read: notHere,
  readStream: notHere,
  extend: notHere,
  begin: notHere,
  watch: notHere,
}
