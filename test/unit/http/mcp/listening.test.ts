import { expect, it } from 'vitest'
import { fail } from '../../../../src/core/failure.ts'
import { MAX_SOUGHT_SESSIONS, MAX_SUBSCRIBED_SESSIONS } from '../../../../src/core/limits/mcp-resources.ts'
import type { Services } from '../../../../src/http/dialect.ts'
import { listeningTo } from '../../../../src/http/dialects/mcp/server/resources/listening.ts'
import type { Sight } from '../../../../src/http/dialects/mcp/server/resources/sight.ts'

/** What is acknowledged of a request for these resources, and which sessions were looked for. */
async function listened(uris: readonly string[]) {
  const sought: string[] = []
  const session = (name: string) => {
    const commits = async () => {
      sought.push(name)
      return name.startsWith('gone') ? fail('session_not_found', 'no such session') : { state: 'there', upTo: 1 }
    }
    return { watch: { commits } } as unknown as ReturnType<Services['session']>
  }
  const sight: Sight = {
    endpoint: { session: null, tools: { kind: 'core' } },
    services: { session } as unknown as Services,
  }
  const params = { notifications: { resourceSubscriptions: uris } }
  const listening = await listeningTo(sight, { method: 'subscriptions/listen', params }, () => undefined)
  const { body } = listening as { body: { params: typeof params } }
  return { sought, watched: body.params.notifications.resourceSubscriptions }
}

const filesOf = (kind: string, count: number) =>
  Array.from({ length: count }, (_, at) => `toolyard://${kind}${at}/a.md`)

it('looks for no more sessions than MAX_SOUGHT_SESSIONS, and says what is watched', async () => {
  const { sought, watched } = await listened([...filesOf('gone', 40), ...filesOf('there', 10)])
  expect(sought).toHaveLength(MAX_SOUGHT_SESSIONS)
  expect(watched).toEqual([])
})

it('watches sessions that are there beside some that are gone', async () => {
  const there = filesOf('there', MAX_SUBSCRIBED_SESSIONS + 1)
  const { watched } = await listened([...filesOf('gone', 5), 'nonsense', ...there])
  expect(watched).toEqual(there.slice(0, MAX_SUBSCRIBED_SESSIONS))
})

it('looks for a session once, whether it is there or not', async () => {
  const files = ['a.md', 'b.md', 'c.md']
  const { sought, watched } = await listened(
    ['gone', 'there'].flatMap((name) => files.map((file) => `toolyard://${name}/${file}`)),
  )
  expect(sought).toEqual(['gone', 'there'])
  expect(watched).toHaveLength(files.length)
})
