import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TenantId } from '../../../../src/core/ids.ts'
import { EXPORT_PAGE_ROWS } from '../../../../src/core/limits/export.ts'
import { streamOfPieces } from '../../../../src/core/stream-of-pieces.ts'
import { tarFile } from '../../../../src/core/tar.ts'
import { UNRESTRICTED } from '../../../../src/core/tenant-internet.ts'
import { tenantArchive } from '../../../../src/http/dialects/admin/export/archive.ts'
import type { ExportSource } from '../../../../src/http/dialects/admin/export/source.ts'
import type { OwnedSession } from '../../../../src/session/api.ts'
import type { ExportPart } from '../../../../src/session/export-api.ts'
import { exportedSession } from '../../../support/session-export.ts'
import { largeContent, link, mkdir, openWorkspace, p, remove, write } from '../../workspace/open.ts'

type Sessions = Readonly<Record<string, Pick<OwnedSession, 'exportPart'>>>

const TENANT = {
  id: 'acme' as TenantId,
  name: 'Acme',
  createdAt: 0,
  disabledAt: 1,
  deletedAt: null,
  purgedAt: null,
  internet: UNRESTRICTED,
  warmSandboxes: 0,
}

/** A tenant with these sessions, listed in pages of two, and nothing else but an entry of its audit log. */
function sourceOf(sessions: Sessions): ExportSource {
  const names = Object.keys(sessions)
  const api = {
    limits: { read: async () => ({ rules: [], prices: [] }) },
    toolkits: { listed: async () => [] },
    secrets: { list: async () => [{ name: 'SOME_TOKEN', changedAt: 0 }] },
    mcpServers: { list: async () => [] },
    webhooks: { list: async () => [] },
    usage: { rows: async () => ({ rows: [], next: null }) },
    audit: { head: async () => ({ seq: 1, hash: '' }), page: async () => ({ lines: ['{"seq":1}'], next: null }) },
    childKeys: { list: async () => [] },
    sessions: {
      list: async ({ after = '0' }: { readonly after?: string }) => {
        const end = Number(after) + 2
        const page = names.slice(Number(after), end).map((name) => ({ name, createdAt: 0 }))
        return { sessions: page, ...(end < names.length && { next: String(end) }) }
      },
    },
  }
  return {
    tenant: TENANT,
    roots: [],
    keys: { listKeys: async () => [] },
    owned: {
      exportTools: async () => ({ lines: [], next: null }),
      sessionDefaults: async () => ({ lifetimeMs: null, idleLifetimeMs: 3_600_000 }),
    },
    api: api as unknown as ExportSource['api'],
    session: (name) => sessions[name] as Sessions[string],
    now: () => 1_000_000,
  }
}

const streamOf = (source: ExportSource) => streamOfPieces(tenantArchive(source))

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A session whose export is these parts. */
function inParts(bodies: readonly ReadableStream<Uint8Array>[]): Sessions[string] {
  const place = { node: 'n', commit: 1, step: 'files', after: { number: 0, text: '' } } as const
  return {
    exportPart: async (_, from) => {
      const at = from?.pages ?? 0
      const next = at + 1 < bodies.length ? { ...place, pages: at + 1 } : null
      const part = { session: null, body: bodies[at] as ReadableStream<Uint8Array>, next } satisfies ExportPart
      return { part }
    },
  }
}

const someFile = (name: string) => tarFile(new TextEncoder().encode(name), new TextEncoder().encode('hello'), 0)

function bodyOf(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
}

describe('an export unpacked by tar', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'toolyard-export-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  /** Unpacks an archive as an operator would, and says what is in it. */
  function unpacked(archive: Uint8Array) {
    writeFileSync(join(directory, 'acme.tar'), archive)
    execFileSync('tar', ['-xf', 'acme.tar'], { cwd: directory })
    const names = execFileSync('tar', ['-tf', 'acme.tar'], { cwd: directory, maxBuffer: 2 ** 26 })
      .toString()
      .split('\n')
    const read = (path: string) => readFileSync(join(directory, 'acme', path))
    const lines = (path: string) =>
      readdirSync(join(directory, 'acme', path))
        .sort()
        .flatMap((name) => read(`${path}/${name}`).toString().trimEnd().split('\n'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    return { names: names.slice(0, -1), read, lines, json: (path: string) => JSON.parse(read(path).toString()) }
  }

  it('has the bytes of each file at its path, earlier contents by their hash, and links in the list alone', async () => {
    const opened = openWorkspace()
    const { workspace } = opened
    const large = largeContent(300_001)
    const long = `${'long'.repeat(50)}/${'name'.repeat(60)}.txt`
    await workspace.commit([write('a.txt', 'before'), write('b.bin', large, { mode: 0o000 }), mkdir('empty')])
    await workspace.commit([write('a.txt', 'after'), write(long, 'deep'), write('\uf7ff\n"x', 'odd'), remove('b.bin')])
    await workspace.commit([link('out', '/etc/passwd'), write('c/b.bin', large), write('none', '')])
    const { read, lines, json, names } = unpacked(
      await bytesOf(streamOf(sourceOf({ '../of/otters': exportedSession('../of/otters', opened) }))),
    )
    const at = 'sessions/000001-.._of_otters'
    expect(json(`${at}/session.json`)).toMatchObject({
      ...{ name: '../of/otters', title: 'Title of ../of/otters', as_of: 3 },
      files: { entries: lines(`${at}/entries`).length },
    })
    expect(read(`${at}/files/a.txt`).toString()).toBe('after')
    expect(read(`${at}/files/${long}`).toString()).toBe('deep')
    expect(read(`${at}/files/c/b.bin`).equals(large)).toBe(true)
    expect(read(`${at}/files/none`)).toHaveLength(0)
    expect(names).toContain(`acme/${at}/files/empty/`)
    expect(names.filter((name) => name.endsWith('/out'))).toEqual([])
    expect(lines(`${at}/entries`)).toContainEqual(
      expect.objectContaining({ path: 'out', kind: 'link', target: '/etc/passwd' }),
    )
    for (const { path, kind, sha256 } of lines(`${at}/entries`)) {
      if (kind !== 'file' || path === '\uf7ff\n"x') continue
      expect(
        createHash('sha256')
          .update(read(`${at}/files/${path}`))
          .digest('hex'),
        String(path),
      ).toBe(sha256)
    }
    expect(lines(`${at}/commits`).map(({ commit }) => commit)).toEqual([1, 2, 3])
    const change = lines(`${at}/changes`).find(({ commit, path }) => commit === 2 && path === 'a.txt')
    const { before: noted } = change as { readonly before: { readonly sha256: string } }
    const before = noted.sha256
    expect(read(`${at}/contents/${before}`).toString()).toBe('before')
    // What a file has stands there alone.
    expect(readdirSync(join(directory, 'acme', at, 'contents'))).toEqual([before])
  })

  it('ends with a manifest whose sum is that of all before it', async () => {
    const opened = openWorkspace()
    await opened.workspace.commit([write('a.txt', 'hello')])
    const whole = await bytesOf(
      streamOf(sourceOf({ one: exportedSession('one', opened), two: exportedSession('two', opened) })),
    )
    const { names, json, lines } = unpacked(whole)
    expect(names.at(-1)).toBe('acme/manifest.json')
    const manifest = json('manifest.json')
    expect(manifest).toMatchObject({
      ...{ format: 'toolyard-tenant-export', version: 1, tenant: 'acme', sessions: 2 },
      files: names.filter((name) => !name.endsWith('/')).length - 1,
    })
    const { bytes, sha256 } = manifest.before_manifest
    expect(createHash('sha256').update(whole.subarray(0, bytes)).digest('hex')).toBe(sha256)
    expect(lines('audit')).toEqual([{ seq: 1 }])
    expect(lines('secrets')).toEqual([{ name: 'SOME_TOKEN', changed_at: '1970-01-01T00:00:00.000Z' }])
  })

  it('has a session as of one commit, whatever is changed while it is written', async () => {
    const opened = openWorkspace()
    const { workspace } = opened
    const count = EXPORT_PAGE_ROWS + 100
    const nameOf = (at: number) => `f${String(at).padStart(4, '0')}.txt`
    await workspace.commit(Array.from({ length: count }, (_, at) => write(nameOf(at), `then ${at}`)))
    const session = exportedSession('busy', opened)
    let parts = 0
    const changing: Sessions[string] = {
      exportPart: async (prefix, from) => {
        const answer = await session.exportPart(prefix, from)
        parts++
        if (parts === 1)
          await workspace.commit([write(nameOf(0), 'now'), write(nameOf(count - 1), 'now'), remove(nameOf(550))])
        return answer
      },
    }
    const { read, lines, json } = unpacked(await bytesOf(streamOf(sourceOf({ busy: changing }))))
    expect(parts).toBeGreaterThan(1)
    expect(json('sessions/000001-busy/session.json')).toMatchObject({ as_of: 1, files: { entries: count } })
    expect(lines('sessions/000001-busy/entries').map(({ path }) => path)).toEqual(
      Array.from({ length: count }, (_, at) => nameOf(at)),
    )
    for (const at of [0, 550, count - 1]) {
      expect(read(`sessions/000001-busy/files/${nameOf(at)}`).toString()).toBe(`then ${at}`)
    }
    expect(lines('sessions/000001-busy/commits')).toHaveLength(1)
    expect(workspace.stat(p(nameOf(550)))).toBeNull()
  })
})

it('ends with the sessions that were there when it began, of a tenant that makes others without end', async () => {
  const opened = openWorkspace()
  const source = sourceOf({ old: exportedSession('old', opened) })
  const pages = { read: 0 }
  const list = async () => {
    pages.read++
    // As long as an export would go on.
    if (pages.read > 100) throw new Error('no end')
    const at = source.now()
    const older = pages.read === 1 ? [{ name: 'old', createdAt: at }] : []
    return { sessions: [...older, { name: 'new', createdAt: at + pages.read }], next: String(pages.read) }
  }
  const whole = await bytesOf(streamOf({ ...source, api: { ...source.api, sessions: { list } as never } }))
  const manifest =
    whole
      .toString('latin1')
      .split('\0')
      .find((text) => text.includes('"format"')) ?? ''
  expect(JSON.parse(manifest)).toMatchObject({ sessions: 1, sessions_made_until: '1970-01-01T00:16:40.000Z' })
})

describe('an export that cannot be made whole', () => {
  it.each([
    ['a content cannot be read', [bodyOf(someFile('a')), streamOfPieces(broken())]],
    ['a part ends in the middle of a file', [bodyOf(someFile('a').subarray(0, 700))]],
  ])('breaks off without a manifest when %s', async (_, bodies) => {
    const chunks: Uint8Array[] = []
    const reading = async () => {
      for await (const chunk of streamOf(sourceOf({ one: inParts(bodies) }))) chunks.push(chunk)
    }
    await expect(reading()).rejects.toThrow()
    expect(Buffer.concat(chunks).includes('manifest.json')).toBe(false)
    expect(Buffer.concat(chunks).includes('tenant.json')).toBe(true)
  })

  it('breaks off when a session is removed in the middle of it, and leaves out one that was removed before', async () => {
    const gone: Sessions[string] = {
      exportPart: async () => ({ failure: { code: 'session_not_found', message: 'there is none' } }),
    }
    const whole = await bytesOf(streamOf(sourceOf({ gone, one: inParts([bodyOf(someFile('a'))]) })))
    expect(whole.includes('manifest.json')).toBe(true)
    const half = inParts([bodyOf(someFile('a')), bodyOf()])
    const removed: Sessions[string] = {
      exportPart: (prefix, from) => (from ? gone : half).exportPart(prefix, from),
    }
    await expect(bytesOf(streamOf(sourceOf({ removed })))).rejects.toThrow('there is none')
  })
})

it('one session after the other is asked for, and none any more when the client goes away', async () => {
  const seen = { requests: 0, open: 0, most: 0, ended: 0 }
  const counted: Sessions[string] = {
    exportPart: async () => {
      seen.requests++
      seen.most = Math.max(seen.most, ++seen.open)
      return { part: { session: null, body: streamOfPieces(pieces()), next: null } }
    },
  }
  async function* pieces(): AsyncGenerator<Uint8Array, void> {
    try {
      for (let at = 0; at < 3; at++) yield someFile(`f${at}`)
    } finally {
      seen.open--
      seen.ended++
    }
  }
  const many = Object.fromEntries(Array.from({ length: 1_100 }, (_, at) => [`s${at}`, counted]))
  await bytesOf(streamOf(sourceOf(many)))
  expect(seen).toEqual({ requests: 1_100, open: 0, most: 1, ended: 1_100 })

  const reader = streamOf(sourceOf(many)).getReader()
  while (seen.requests < 1_103) await reader.read()
  await reader.cancel()
  expect(seen.requests).toBeLessThan(1_106)
  expect(seen).toMatchObject({ open: 0, most: 1, ended: seen.requests })
})

async function* broken(): AsyncGenerator<Uint8Array, void> {
  yield someFile('b').subarray(0, 600)
  throw new Error('the store of contents is out of reach')
}
