import { expect, it } from 'vitest'
import { SnapshotPorts } from '../../../src/session/snapshot-ports.ts'

it('a call with a key for some sessions makes no fork that the key may not use', async () => {
  const made: string[] = []
  const ports = new SnapshotPorts({
    snapshots: {} as never, // not asked for a fork
    fork: async ({ name }) => {
      made.push(name)
      return { name, commit: 1 }
    },
  })
  const sessions = [
    { names: ['own'], prefixes: ['team-'] },
    { names: [], prefixes: ['team-a', 'own'] },
  ]
  const { fork } = ports.of({
    callId: 'call',
    by: { key: 'k', agent: null, restrictions: { tools: null, sessions, isMetered: false } },
  })
  for (const name of ['other', 'team-b'])
    await expect(fork({ name, moment: null })).rejects.toMatchObject({ failure: { code: 'forbidden' } })
  await fork({ name: 'team-a1', moment: null })
  await fork({ name: 'own', moment: null })
  expect(made).toEqual(['team-a1', 'own'])
})
