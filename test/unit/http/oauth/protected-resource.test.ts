import { describe, expect, it } from 'vitest'
import {
  insufficientScope,
  metadataOf,
  resourcePathOf,
  unauthenticated,
} from '../../../../src/http/oauth/protected-resource.ts'

const HERE = new URL('http://inner:8001/mcp/s/notes')
const issuer = 'https://issuer.example/'

const resourceAt = (path: string, ...audiences: string[]) => metadataOf({ issuer, audiences }, path, HERE).resource

describe('metadataOf()', () => {
  it('names the audience that holds the path most closely, as clients demand', () => {
    const both = ['https://t.example', 'https://t.example/mcp', 'api']
    expect(resourceAt('/mcp', ...both)).toBe('https://t.example/mcp')
    expect(resourceAt('/mcp/s/notes', ...both)).toBe('https://t.example/mcp')
    expect(resourceAt('', ...both)).toBe('https://t.example')
    expect(resourceAt('/mcp', 'https://t.example/mc')).toBe('https://t.example/mc')
  })

  it('names the address that was asked where no audience is an address', () => {
    expect(resourceAt('/mcp', 'toolyard')).toBe('http://inner:8001/mcp')
  })

  it('says who signs, and that tokens go into a header', () => {
    expect(metadataOf({ issuer, audiences: ['x'] }, '', HERE)).toMatchObject({
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: ['read', 'execute'],
    })
  })
})

describe('a challenge', () => {
  const resource = { issuer, audiences: ['https://t.example/mcp'] }

  it('leads to the metadata of what was asked, at the address that clients know', () => {
    expect(unauthenticated(resource, HERE, false)).toBe(
      'Bearer realm="toolyard", resource_metadata="https://t.example/.well-known/oauth-protected-resource/mcp/s/notes", scope="read execute"',
    )
    expect(unauthenticated(resource, HERE, true)).toContain('error="invalid_token"')
    expect(insufficientScope(resource, HERE, 'execute')).toMatch(/error="insufficient_scope".*scope="execute"/)
  })

  it('has no words of the request but the path of a session', () => {
    expect(resourcePathOf('/k/secret/mcp')).toBe('')
    expect(resourcePathOf('/mcp/s/a/b')).toBe('')
    const nasty = new URL('http://inner/mcp/s/%22,x="')
    expect(unauthenticated(resource, nasty, false)).not.toMatch(/x="[,\s]/)
    expect(unauthenticated(resource, nasty, false)).toContain('/mcp/s/%22,x=%22"')
  })
})
