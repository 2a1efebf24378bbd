import { expect, it } from 'vitest'
import { FailureError } from '../../../../../src/core/failure.ts'
import { USUAL_SETTINGS } from '../../../../../src/core/session-settings.ts'
import type { ForkMade } from '../../../../../src/session/forks-api.ts'
import { openV1 } from '../open.ts'

/** The route over a session `s`, and what it was asked for. */
function opened() {
  const made: ForkMade[] = []
  const session = (name: string) => ({
    forks: {
      make: async (request: ForkMade) => {
        if (request.name === 'taken') throw new FailureError({ code: 'conflict', message: 'there is one already' })
        made.push(request)
        return { name: request.name, commit: 3 }
      },
    },
    life: {
      look: async () => ({
        info: { name, nodeId: 'n', title: `title of ${name}`, requirements: [], createdAt: 0 },
        ...{ settings: USUAL_SETTINGS, state: 'ready', stateAt: null, usedAt: 0, expiry: null, running: [] },
        origin: { session: 's', commit: 3 },
        files: { entries: 2, directories: 1, bytes: 5 },
      }),
    },
  })
  const bench = openV1({ session, environment: null } as never) // no more of them is asked for
  const fork = async (body: object, scopes: readonly ('read' | 'execute')[] = ['execute']) => {
    const answer = await bench.fetch('POST', '/v1/sessions/s/fork', body, scopes)
    return { status: answer.status, location: answer.headers.get('Location'), body: await answer.json() }
  }
  return { made, fork }
}

it('makes a session of the name, moment, title and labels that it is given, and says where that is', async () => {
  const { made, fork } = opened()
  expect(await fork({ name: 'a/b', as_of: 'start', title: 't', labels: { k: 'v' } })).toMatchObject({
    ...{
      status: 201,
      location: '/v1/sessions/a%2Fb',
      body: { name: 'a/b', title: 'title of a/b', forked_from: { session: 's', commit: 3 } },
    },
  })
  await fork({ name: 'c', as_of: 0 })
  expect(made).toEqual([
    { name: 'a/b', moment: 'start', title: 't', labels: { k: 'v' } },
    { name: 'c', moment: 0 },
  ])
})

it('gives a fork without a name an id of its own, of the files as they are now', async () => {
  const { made, fork } = opened()
  const { body } = await fork({})
  expect(body).toMatchObject({ name: expect.stringMatching(/^ses_/) })
  expect(made).toEqual([{ name: (body as { name: string }).name, moment: null }])
})

it('refuses what it does not know, moments that are none, a name in use, and a key that may only read', async () => {
  const { made, fork } = opened()
  for (const body of [{ of: 1 }, { as_of: -1 }, { as_of: '7' }, { as_of: 1.5 }, { as_of: null }])
    expect((await fork(body)).status, JSON.stringify(body)).toBe(400)
  expect((await fork({ name: 'taken' })).status).toBe(409)
  expect((await fork({}, ['read'])).status).toBe(403)
  expect(made).toEqual([])
})
