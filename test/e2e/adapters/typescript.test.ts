import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Models, startModels } from '../../../examples/adapters/stand-in/server.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'

const run = promisify(execFile)
const FOLDER = 'examples/adapters'
const EXAMPLES = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'))

const server = runningToolyard(async () => ({}))
let models: Models
beforeAll(async () => {
  models = await startModels()
})
afterAll(() => models?.stop())

/** What the stand-in for a model sees: the picture came as a picture, and is the one that its program drew. */
const SEEN = /I see a picture: 48 by 32 pixels, all of them #ff8c00\. Its file has \d+ bytes\.\n$/

it.each(EXAMPLES)('%s has a model write a program, run it, and see its picture', async (name) => {
  const before = models.requests.length
  // Without keys and addresses that whoever runs this has.
  const { PATH, HOME, ENVIRONMENT, SANDBOX_TEMPLATE } = process.env
  const env = { PATH, HOME, ENVIRONMENT, SANDBOX_TEMPLATE, ...models.env, TOOLYARD_BASE_URL: server().url }
  const printed = await run(process.execPath, [`${FOLDER}/${name}`], { env }).catch((error: unknown) => error)
  const refused = models.requests.slice(before).flatMap((request) => request.refused ?? [])
  expect({ refused, printed }).toMatchObject({ refused: [], printed: { stdout: expect.stringMatching(SEEN) } })
  // Four turns with calls and the last, each one request.
  expect(models.requests.length - before).toBe(5)
})
