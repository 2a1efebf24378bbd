import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, it } from 'vitest'
import { type Models, startModels } from '../../../examples/adapters/stand-in/server.ts'
import { FRAMEWORKS_MS, type PythonFrameworks, pythonFrameworks } from '../../support/python-frameworks.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { expectPictureSeen } from './seen.ts'

const FOLDER = 'examples/adapters'
const EXAMPLES = readdirSync(FOLDER).filter((name) => name.endsWith('.py'))

const server = runningToolyard(async () => ({}))
let models: Models
let frameworks: PythonFrameworks
beforeAll(async () => {
  models = await startModels()
  frameworks = await pythonFrameworks()
  if ('absent' in frameworks) process.stderr.write(`\n${notRun(frameworks.absent, EXAMPLES)}\n\n`)
}, FRAMEWORKS_MS)
afterAll(() => models?.stop())

it.for(EXAMPLES)('%s has a model write a program, run it, and see its picture', async (name, { skip }) => {
  if ('absent' in frameworks) return skip(`its packages are not here: ${frameworks.absent}`)
  const env = { PYTHONPATH: 'clients/python/src', PYTHONDONTWRITEBYTECODE: '1' }
  await expectPictureSeen([frameworks.python, `${FOLDER}/${name}`], { models, url: server().url, env })
})

/** Remark for whoever reads the output of the tests. */
const notRun = (reason: string, examples: readonly string[]) =>
  `NOT RUN: examples in Python (${examples.join(', ')}), since their packages are not here: ${reason}
To run them on a machine where an index of Python packages answers: npm run adapters:python`
