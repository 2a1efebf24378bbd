import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { Pages, Toolyard } from '../../../src/client/index.ts'

const run = promisify(execFile)

/** Names of the client for TypeScript, and beside each that of Python which does the same. */
const SAME: readonly (readonly [typescript: string, python: string])[] = [
  ['toolyard.sessions', 'ty.sessions'],
  ['toolyard.tools', 'ty.tools.list'],
  ['toolyard.request', 'ty.request'],
  ['toolyard.raw', 'ty.raw'],
  ['toolyard.pages', 'ty.pages'],

  ['sessions.create', 'ty.sessions.create'],
  ['sessions.open', 'ty.sessions.get'],
  ['sessions.list', 'ty.sessions.list'],

  ['session.name', 's.name'],
  ['session.info', 's.refresh'],
  ['session.update', 's.update'],
  ['session.pause', 's.pause'],
  ['session.resume', 's.resume'],
  ['session.delete', 's.delete'],
  ['session.run', 's.run'],
  ['session.python', 's.python'],
  ['session.tool', 's.tool'],
  ['session.tools', 's.tools'],
  ['session.history', 's.history'],
  ['session.changes', 's.changes'],
  ['session.diff', 's.diff'],
  ['session.unifiedDiff', 's.patch'],
  ['session.restore', 's.restore'],
  ['session.undo', 's.undo'],
  ['session.fork', 's.fork'],
  ['session.files', 's.files'],
  ['session.calls', 's.calls'],
  ['session.snapshots', 's.snapshots'],

  ['calls.list', 's.calls'],
  ['calls.get', 's.get_call'],
  ['calls.cancel', 's.cancel'],
  ['calls.begin', 's.begin'],
  ['calls.batch', 's.batch'],
  ['calls.follow', 's.follow'],
  ['calls.make', 's.call'],

  ['files.read', 's.files.read'],
  ['files.bytes', 's.files.read_bytes'],
  ['files.open', 's.files.download'],
  ['files.write', 's.files.write'],
  ['files.edit', 's.files.edit'],
  ['files.patch', 's.files.patch'],
  ['files.search', 's.files.search'],
  ['files.glob', 's.files.glob'],
  ['files.list', 's.files.list'],
  ['files.delete', 's.files.delete'],
  ['files.move', 's.files.move'],
  ['files.copy', 's.files.copy'],
  ['files.archive', 's.files.archive'],
  ['files.unpack', 's.files.unpack'],
  ['files.watch', 's.files.watch'],

  ['snapshots.create', 's.snapshots.create'],
  ['snapshots.get', 's.snapshots.get'],
  ['snapshots.list', 's.snapshots.list'],
  ['snapshots.delete', 's.snapshots.delete'],

  ['pages.take', 'pages.all'],
]

/** Names that one client has alone, and the other's way to the same, or why it has none. */
const ALONE: Readonly<Record<string, string>> = {
  'pages.page': 'Python: ty.request() with a cursor',
  'pages.pages': 'Python: as above',
  'pages.first': 'TypeScript: take(1)',
  'ty.base_url': 'TypeScript: it is what the caller gave',
  'ty.close': 'TypeScript: the platform closes the connections of fetch',
  'ty.tools': 'TypeScript: toolyard.tools() is the list itself',
  'ty.tools.get': "TypeScript: request('GET /v1/tools/{tool}')",
  'ty.tools.definitions': 'TypeScript: definitions() of toolyard/adapters',
  'ty.sessions.delete': 'TypeScript: sessions.open(name).delete()',
  's.info': 'TypeScript: session.info() asks each time',
  's.keep': 'TypeScript: an option of create and fork',
  's.with_timeout': 'TypeScript: the option timeoutMs of each request',
  's.files.upload': 'TypeScript: files.write with a Blob; a browser has no files by path',
  's.files.image': 'TypeScript: files.bytes; a notebook shows what Python has',
  's.files.etag': 'TypeScript: the headers of files.open',
  's.files.exists': 'TypeScript: files.list, or the error of files.read',
  's.files.link': "TypeScript: request('POST /v1/sessions/{session}/links')",
}

/** Public names of an object: its fields and its methods. */
function namesOf(prefix: string, object: object): string[] {
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== 'constructor')
  return [...Object.keys(object), ...methods].map((name) => `${prefix}.${name}`)
}

/** Prints the public names of the client with `await` or without, by the names that its documentation has for the objects. */
const PYTHON = `
import json, sys, toolyard
Client = getattr(toolyard, sys.argv[1])
ty = Client("http://localhost:1")
Session = getattr(toolyard, "Async" * Client.__name__.startswith("Async") + "Session")
s = Session(ty._transport, {"name": "a", "state": "ready"}, True)
parts = {"ty": ty, "ty.sessions": ty.sessions, "ty.tools": ty.tools, "s": s, "s.files": s.files, "s.snapshots": s.snapshots, "pages": s.history()}
print(json.dumps([f"{prefix}.{name}" for prefix, part in parts.items() for name in dir(part) if not name.startswith("_")]))
`

async function pythonNames(client: 'Toolyard' | 'AsyncToolyard'): Promise<string[]> {
  const env = { ...process.env, PYTHONPATH: 'clients/python/src', PYTHONDONTWRITEBYTECODE: '1' }
  return JSON.parse((await run('/usr/bin/python3', ['-c', PYTHON, client], { env })).stdout)
}

it('has the same in both clients, or says where it is', async () => {
  const toolyard = new Toolyard({ baseUrl: 'http://localhost:1' })
  const session = toolyard.sessions.open('a')
  const typescript = [
    ...namesOf('toolyard', toolyard),
    ...namesOf('sessions', toolyard.sessions),
    ...namesOf('session', session),
    ...namesOf('calls', session.calls),
    ...namesOf('files', session.files),
    ...namesOf('snapshots', session.snapshots),
    ...namesOf('pages', new Pages(async () => ({ data: [], next_cursor: null }))),
  ]
  const named = new Set([...SAME.flat(), ...Object.keys(ALONE)])
  expect(
    [...typescript, ...(await pythonNames('Toolyard'))].sort().filter((name, at, all) => name !== all[at - 1]),
  ).toEqual([...named].sort())
})

it('has the same in Python with await', async () => {
  const renamed = (await pythonNames('AsyncToolyard')).map((name) => name.replace('ty.aclose', 'ty.close'))
  expect(renamed.sort()).toEqual((await pythonNames('Toolyard')).sort())
})
