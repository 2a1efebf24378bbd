import { describe, expect, it } from 'vitest'
import { chosenServer, isReadOnItsWay, serverUrl } from '../../../src/cli/config/server.ts'
import { placeOf } from '../../../src/cli/copy/place.ts'
import { clientConfig, mergedConfig } from '../../../src/cli/mcp/client-config.ts'
import { nearest } from '../../../src/cli/nearest.ts'
import { shellLine } from '../../../src/cli/shell-words.ts'
import { integerOf, secondsOf } from '../../../src/cli/values.ts'

it('offers the nearest word, and none that is far', () => {
  const known = ['sessions', 'exec', 'cp', 'completion']
  expect(['sesions', 'exce', 'comp', 'deploy', 'x'.repeat(1_000)].map((word) => nearest(word, known))).toEqual([
    ...['sessions', 'exec', 'completion', null, null],
  ])
})

it('quotes words for a shell, and leaves a line alone', () => {
  expect(shellLine(['ls | wc -l'])).toBe('ls | wc -l')
  expect(shellLine(['echo', "it's", '$HOME', '', 'a=b'])).toBe(`echo 'it'\\''s' '$HOME' '' 'a=b'`)
  expect(shellLine(['A=b', 'ls'])).toBe("'A=b' ls")
  expect(shellLine(['time', 'ls', '-la'])).toBe("'time' ls -la")
})

it('tells paths here from those of sessions', () => {
  const directory = { kind: 'session', session: 'lakes', path: '', isDirectory: true }
  expect(['lakes:', 'lakes:.', 'lakes:/'].map((text) => placeOf(text))).toEqual([directory, directory, directory])
  expect(placeOf('lakes:/a/./b.txt')).toEqual({
    kind: 'session',
    session: 'lakes',
    path: 'a/b.txt',
    isDirectory: false,
  })
  expect(['./a:b', '/a:b', '~/a:b', ':a', 'plain'].map((text) => placeOf(text).kind)).toEqual(Array(5).fill('local'))
  expect([placeOf('C:\\a', 'win32').kind, placeOf('C:\\a', 'linux').kind]).toEqual(['local', 'session'])
  expect(() => placeOf('lakes:../other')).toThrow('leads out')
})

it('reads numbers and durations, and says what they should be', () => {
  expect([secondsOf('90', '--for'), secondsOf('15m', '--for'), secondsOf('7d', '--for')]).toEqual([90, 900, 604_800])
  for (const text of ['', '0', '5w', '-1', '1.5h'])
    expect(() => secondsOf(text, '--for'), text).toThrow('--for cannot be')
  for (const text of ['', 'x', '-1', '1e3', '11']) {
    expect(() => integerOf(text, '--limit', { usual: 1, max: 10 }), text).toThrow('--limit cannot be')
  }
})

describe('the server that is spoken to', () => {
  const profiles = { work: { url: 'https://a.example', key: 'ka' }, home: { url: 'http://localhost:9000' } }
  const stored = { current: 'work', profiles }
  const none = { current: null, profiles: {} }

  it('is the one on this machine, without a key, unless something else is said', () => {
    expect(chosenServer(none, {}, undefined)).toMatchObject({ url: 'http://localhost:8001', key: undefined })
    expect(chosenServer(stored, {}, undefined)).toMatchObject({ url: 'https://a.example', key: 'ka' })
    expect(chosenServer(stored, { TOOLYARD_PROFILE: 'home' }, undefined)).toMatchObject({
      key: undefined,
      profile: 'home',
    })
  })

  it('gets a stored key only if it was stored for it', () => {
    const elsewhere = { TOOLYARD_BASE_URL: 'https://evil.example' }
    expect(chosenServer(stored, elsewhere, undefined)).toMatchObject({ url: 'https://evil.example', key: undefined })
    expect(chosenServer(stored, { TOOLYARD_BASE_URL: 'https://a.example/' }, undefined).key).toBe('ka')
    expect(chosenServer(stored, { ...elsewhere, TOOLYARD_API_KEY: 'given' }, undefined).key).toBe('given')
  })

  it('is the one that --profile names, whatever the environment says', () => {
    const env = { TOOLYARD_BASE_URL: 'https://evil.example', TOOLYARD_API_KEY: 'given' }
    expect(chosenServer(stored, env, 'home')).toMatchObject({ url: 'http://localhost:9000', key: undefined })
    expect(() => chosenServer(stored, {}, 'constructor')).toThrow('there is no profile')
  })

  it('has an address, and nothing that does not belong there', () => {
    expect(serverUrl(' https://a.example/base/ ', 'it')).toBe('https://a.example/base')
    for (const text of ['a.example', 'file:///etc', 'https://u:p@a.example', 'https://a.example?x=1']) {
      expect(() => serverUrl(text, 'it'), text).toThrow()
    }
    expect(['http://a.example', 'http://localhost.a.example'].map(isReadOnItsWay)).toEqual([true, true])
    expect(['https://a.example', 'http://127.0.0.1:1', 'http://[::1]:1'].map(isReadOnItsWay)).toEqual([
      false,
      false,
      false,
    ])
  })
})

it('puts a server into the configuration of a client, without the key, and changes nothing that it cannot read', () => {
  const made = clientConfig('vscode', 'toolyard', 'https://a.example/mcp', true)
  const first = mergedConfig('{"inputs": [{"id": "other"}], "servers": {"other": {}}}', made)
  expect(first).toMatchObject({
    inputs: [{ id: 'other' }, { id: 'toolyard-key', password: true }],
    servers: { other: {} },
  })
  expect(mergedConfig(JSON.stringify(first), made)).toEqual(first)
  expect(mergedConfig(null, made)).toEqual(made.content)
  for (const text of ['// comment\n{}', '[]', '{"servers": 1}', '{"inputs": {}}'])
    expect(mergedConfig(text, made)).toBeNull()
})
