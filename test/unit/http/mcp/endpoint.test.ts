import { describe, expect, it } from 'vitest'
import { endpointOf } from '../../../../src/http/dialects/mcp/endpoint.ts'
import { foreignCaller } from '../../../../src/http/dialects/mcp/guards.ts'
import { scopeOf } from '../../../../src/http/dialects/mcp/scope.ts'

const at = (path: string) => endpointOf(new URL(`http://localhost${path}`))

describe('the address of an MCP server', () => {
  it.each([
    ['/mcp', null, { kind: 'core' }],
    ['/mcp/', null, { kind: 'core' }],
    ['/mcp?tools=all', null, { kind: 'all' }],
    ['/mcp?tools=search', null, { kind: 'search' }],
    ['/mcp/s/my%20task', 'my task', { kind: 'core' }],
    ['/mcp/s/a?tools=git,files,git', 'a', { kind: 'toolkits', names: ['git', 'files'] }],
    ['/mcp?tools=', null, { kind: 'core' }],
  ])('%s', (path, session, tools) => {
    expect(at(path)).toEqual({ session, tools })
  })

  it.each(['/mcp/x', '/mcp/s', '/mcp/s/', '/mcp/s/a/b', '/mcpx'])('%s is none', (path) => {
    expect(at(path)).toBeNull()
  })

  it('says what is wrong in a choice of tools', () => {
    expect(() => at('/mcp?tools=all,git')).toThrow(/tools=all stands alone/)
    expect(() => at('/mcp?tools=a b')).toThrow(/names of toolkits/)
    expect(() => at(`/mcp?tools=${Array.from({ length: 33 }, (_, number) => `t${number}`)}`)).toThrow(/at most 32/)
  })
})

describe('the caller of an MCP server', () => {
  const refusal = (url: string, headers: Record<string, string>, isLocal: boolean) =>
    foreignCaller(new URL(url), new Headers(headers), isLocal)

  it('of a local server uses its loopback names', () => {
    expect(refusal('http://localhost:8001/mcp', { Host: 'localhost:8001' }, true)).toBeNull()
    expect(
      refusal('http://127.0.0.1:8001/mcp', { Host: '127.0.0.1:8001', Origin: 'http://localhost:3000' }, true),
    ).toBeNull()
    expect(refusal('http://localhost:8001/mcp', { Host: 'evil.example' }, true)).toMatch(
      /^Invalid Host: evil\.example; .*Host: localhost$/,
    )
    expect(refusal('http://evil.example/mcp', {}, true)).toMatch(/^Invalid Host: evil\.example; /)
    expect(refusal('http://localhost/mcp', { Origin: 'http://evil.example' }, true)).toBe(
      'Invalid Origin: http://evil.example',
    )
    expect(refusal('http://localhost/mcp', { Origin: 'null' }, true)).toBe('Invalid Origin: null')
  })

  it('of a deployed server uses its name, and comes from its own pages', () => {
    const own = 'https://tools.example/mcp'
    expect(refusal(own, { Host: 'tools.example', Origin: 'https://tools.example' }, false)).toBeNull()
    expect(refusal(own, { Origin: 'https://evil.example' }, false)).toBe('Invalid Origin: https://evil.example')
    expect(refusal(own, { Host: 'localhost' }, false)).toBe('Invalid Host: localhost')
  })
})

it('needs the scope of calls for what does something, in a batch too', () => {
  expect(scopeOf({ method: 'tools/list' })).toBe('read')
  expect(scopeOf({ method: 'tools/call' })).toBe('execute')
  expect(scopeOf([{ method: 'ping' }, { method: 'tools/call' }])).toBe('execute')
  expect(scopeOf(null)).toBe('read')
})
