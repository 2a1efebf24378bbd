import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { builtCommandLine } from '../../support/deploy/built-cli.ts'
import { endServers, startedState, startServer } from '../../support/npm-start.ts'

const main = builtCommandLine()
let state: string

beforeEach(async () => {
  state = await startedState()
})
afterEach(async () => {
  await endServers()
  await rm(state, { recursive: true, force: true })
})

it('runs the server of the checkout, by the variables of npm start, until it is told to stop', async () => {
  const server = await startServer([process.execPath, main(), 'dev'], { TOOLYARD_STATE: state, OPEN_TENANT: '' })
  expect(await server.status('/health')).toBe(200)
  expect(await server.status('/v1/keys/current')).toBe(401)
  expect(await server.end('SIGTERM')).toEqual({ left: [], code: 0 })
})

it('leaves nothing behind when it is killed', async () => {
  const server = await startServer([process.execPath, main(), 'dev'], { TOOLYARD_STATE: state })
  expect((await server.end('SIGKILL')).left).toEqual([])
})
