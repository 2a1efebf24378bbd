import { expect, it } from 'vitest'
import type { BackgroundJob } from '../../../../src/ports/background.ts'
import { jobNamed } from '../../../../src/tools/jobs/job-named.ts'

const job = (id: string, pid: number | null, state: BackgroundJob['state']): BackgroundJob => ({
  id, pid, state, command: 'x', log: null, tool: 'execute_shell', exitCode: null, startedAt: 0, ms: 0,
}) // biome-ignore format: a job

const background = {
  list: async () => [
    job('c1', 7, 'exited'),
    job('c2', 7, 'running'),
    job('c3', 8, 'exited'),
    job('c4', null, 'failed'),
  ],
}

it.each([
  ['7', 'c2'],
  ['8', 'c3'],
  ['9', '9'],
  ['c4', 'c4'],
])('a job that a caller calls %s is %s', async (given, id) => {
  expect(await jobNamed(background, given)).toBe(id)
})
