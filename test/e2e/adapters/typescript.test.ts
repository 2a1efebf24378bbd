import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, it } from 'vitest'
import { type Models, startModels } from '../../../examples/adapters/stand-in/server.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { expectPictureSeen } from './seen.ts'

const FOLDER = 'examples/adapters'
const EXAMPLES = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'))

const server = runningToolyard(async () => ({}))
let models: Models
beforeAll(async () => {
  models = await startModels()
})
afterAll(() => models?.stop())

it.each(EXAMPLES)('%s has a model write a program, run it, and see its picture', (name) =>
  expectPictureSeen([process.execPath, `${FOLDER}/${name}`], { models, url: server().url }),
)
