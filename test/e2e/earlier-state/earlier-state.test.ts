import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { endServers, refusedStart, startServer } from '../../support/npm-start.ts'
import { asker } from './asking.ts'
import { whatIsSeen } from './seen.ts'
import { earlierState, seenThen } from './state.ts'

afterEach(endServers)

it('a state that `npm start` of an earlier version left is opened whole, and goes on', async () => {
  const server = await startServer('node', { TOOLYARD_STATE: earlierState() })
  // Use and audit are kept for a time: test/unit/migrations/earlier-state.test.ts looks at them by the clock of then.
  const { key, usage: _usage, audit: _audit, ...then } = seenThen()
  const { usage: _, audit: __, ...now } = await whatIsSeen(server.url, key)
  expect(now).toEqual(then)

  const { call } = asker(server.url)
  expect(await call('file_read', { file_path: 'large.txt', max_chars: 200_000 })).toMatchObject({
    content: 'content in the file store '.repeat(4_000),
  })
  await call('file_write', { file_path: 'new.txt', content: 'after' })
  expect(await call('execute_shell', { command: 'cat notes/a.txt new.txt; ls -d empty', workdir: '.' })).toMatchObject({
    stdout: 'thirdafterempty\n',
  })
})

it('a state that a newer version used is not opened, and the message says what to do', async () => {
  const state = earlierState()
  writeFileSync(join(state, 'migrated'), '0001_keys.sql 00\n9000_later.sql 00\n')
  expect(await refusedStart({ TOOLYARD_STATE: state, PORT: String(await freePort()) })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/used by a newer version of Toolyard \(it has 9000_later\.sql\): start that version/),
  })
})
