import type { Sandbox } from '../../src/ports/sandbox.ts'

const notHere = async (): Promise<never> => {
  throw new Error('this sandbox cannot do that')
}

/** A sandbox that can do nothing, for a test to say what it needs of one. */
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
