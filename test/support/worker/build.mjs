import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { builtBundle } from '../../../scripts/start/worker-bundle.mjs'
import { SETTINGS } from './settings.ts'

const run = promisify(execFile)
const here = (name) => join(import.meta.dirname, name)

/** Builds the Worker of all end-to-end tests before they run, once for each content of its sources. */
export default async function build(project) {
  const temporary = await mkdtemp(join(tmpdir(), 'toolyard-build-'))
  const children = {
    run: (_name, program, args, { cwd, env }) => run(program, args, { cwd, env: { ...env, TMPDIR: temporary } }),
  }
  try {
    const own = ['configuration.mjs', 'main.mjs', 'control.mjs'].map(here)
    const changes = [...own, 'migrations', 'corpus', 'scripts/start/tables.mjs', 'scripts/start/starter-papers.mjs']
    project.provide('worker', await builtBundle(children, SETTINGS, changes))
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}
