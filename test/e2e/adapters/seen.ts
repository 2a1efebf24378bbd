import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import type { Models } from '../../../examples/adapters/stand-in/server.ts'

const run = promisify(execFile)

/** What the stand-in for a model sees: the picture came as a picture, and is the one that its program drew. */
const SEEN = /I see a picture: 48 by 32 pixels, all of them #ff8c00\. Its file has \d+ bytes\.\n$/

/** Runs an example, and expects that its model wrote a program, ran it, and saw its picture, by requests that a provider takes. */
export async function expectPictureSeen(
  [program, ...args]: readonly [string, ...string[]],
  { models, url, env = {} }: { models: Models; url: string; env?: Readonly<Record<string, string>> },
): Promise<void> {
  const before = models.requests.length
  // Without keys and addresses that whoever runs this has.
  const { PATH, HOME, ENVIRONMENT, SANDBOX_TEMPLATE } = process.env
  const settings = { PATH, HOME, ENVIRONMENT, SANDBOX_TEMPLATE, ...models.env, TOOLYARD_BASE_URL: url, ...env }
  const printed = await run(program, args, { env: settings }).catch((error: unknown) => error)
  const refused = models.requests.slice(before).flatMap((request) => request.refused ?? [])
  expect({ refused, printed }).toMatchObject({ refused: [], printed: { stdout: expect.stringMatching(SEEN) } })
  // Four turns with calls and the last, each one request.
  expect(models.requests.length - before).toBe(5)
}
