import { expect, it } from 'vitest'
import { failureIn, failureWith } from '../../../src/core/failure.ts'
import { say, tool } from '../../../src/core/saying/saying.ts'
import { JobStore } from '../../../src/session/jobs/job-store.ts'
import { NodeSql } from '../../support/sql-node.ts'

const VOCABULARY = { tool: () => 'Files_show', field: () => null, place: () => 'place' } as never

it('shows the failure of a job that an earlier version stored in the caller’s words, and nothing besides', () => {
  const sql = new NodeSql()
  const jobs = new JobStore(sql)
  const { parts, ...failure } = failureWith('not_found', say`no such file; ${tool('dir_list')} shows them`)
  jobs.add({ id: 'a' } as never)
  jobs.end('a', { failure: { ...failure, said: parts } as never }, 1)
  const { ended } = jobs.get('a') ?? {}
  if (!ended || !('failure' in ended)) throw new Error('no failure')
  expect(failureIn(ended.failure, VOCABULARY)).toEqual({
    code: 'not_found',
    message: 'no such file; Files_show shows them',
  })
})
