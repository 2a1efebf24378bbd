import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pathToBytes } from '../../../src/core/workspace-path.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { type SessionBench, sandboxTree, sessionBench, workspaceTree } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd.stop())

/** The same numbers in every run. https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32 */
function mulberry32(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

type Entry = { kind: 'd'; mode: number } | { kind: 'f'; mode: number; content: string } | { kind: 'l'; target: string }

/** What the files should be, by the plainest means. */
class Model {
  readonly entries = new Map<string, Entry>()

  put(path: string, entry: Entry) {
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const parent = parts.slice(0, depth).join('/')
      if (!this.entries.has(parent)) this.entries.set(parent, { kind: 'd', mode: 0o755 })
    }
    this.entries.set(path, entry)
  }

  remove(path: string) {
    for (const each of [...this.entries.keys()]) {
      if (each === path || each.startsWith(`${path}/`)) this.entries.delete(each)
    }
  }

  move(from: string, to: string) {
    const moved = [...this.entries].filter(([path]) => path === from || path.startsWith(`${from}/`))
    this.remove(to)
    for (const [path, entry] of moved) {
      this.entries.delete(path)
      this.put(to + path.slice(from.length), entry)
    }
  }

  /** Whether something may stand at the path: only directories, or nothing, are above it. */
  allows(path: string): boolean {
    const parts = path.split('/')
    return parts.slice(0, -1).every((_, at) => {
      const above = this.entries.get(parts.slice(0, at + 1).join('/'))
      return !above || above.kind === 'd'
    })
  }

  tree(): string[] {
    return [...this.entries]
      .map(([path, entry]) => {
        if (entry.kind === 'd') return `${path} d ${entry.mode.toString(8)}`
        if (entry.kind === 'l') return `${path} l ${entry.target}`
        return `${path} f ${entry.mode.toString(8)} ${createHash('sha256').update(entry.content).digest('hex')}`
      })
      .sort()
  }
}

/** For bash, whatever bytes are in it. */
const quoted = (path: string) =>
  `$'./${[...pathToBytes(path)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'`

const NAMES = ['a', 'b', 'c d', '-rf', 'é中', 'two\nlines', '\uf7ff\uf7d6', '*']

interface Step {
  readonly name: string
  run(): Promise<unknown>
  apply(): void
}

function steps(bench: SessionBench, model: Model, random: () => number) {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const somewhere = () => Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(NAMES)).join('/')
  const free = (): string => {
    for (;;) {
      const path = somewhere()
      if (model.allows(path)) return path
    }
  }
  const existing = (...kinds: Entry['kind'][]) => {
    const found = [...model.entries].filter(([, { kind }]) => kinds.includes(kind)).map(([path]) => path)
    return found.length > 0 ? pick(found) : null
  }
  const content = () => `${random()}`.repeat(random() < 0.1 ? 8_000 : 1)
  const parent = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))
  const sh = (script: string) => async () => {
    const { exit_code, stderr } = await bench.sh(`set -e; ${script}`)
    if (exit_code !== 0) throw new Error(`the test's own script failed: ${stderr}`)
  }
  const place = (path: string) => `mkdir -p ${quoted(parent(path))}; rm -rf ${quoted(path)}`
  const isText = (path: string) => !path.includes('\uf7ff')

  const makers: (() => Step | null)[] = [
    () => {
      const path = free()
      const text = content()
      if (!isText(path) || model.entries.get(path)?.kind === 'd' || model.entries.get(path)?.kind === 'l') return null
      const standing = model.entries.get(path)
      const mode = standing?.kind === 'f' ? standing.mode : 0o644
      return {
        name: `api write ${path}`,
        run: () => bench.write(path, text),
        apply: () => model.put(path, { kind: 'f', mode, content: text }),
      }
    },
    () => {
      const path = existing('f', 'd')
      if (!path) return null
      return { name: `api delete ${path}`, run: () => bench.remove(path), apply: () => model.remove(path) }
    },
    () => {
      const from = existing('f', 'd')
      const to = free()
      if (!from || model.entries.has(to) || to.startsWith(`${from}/`)) return null
      return {
        name: `api move ${from} ${to}`,
        run: async () => {
          const outcome = await bench.call('file_move', { src_path: from, dest_path: to })
          if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
        },
        apply: () => model.move(from, to),
      }
    },
    () => {
      const path = free()
      if (!isText(path) || model.entries.has(path)) return null
      return {
        name: `api mkdir ${path}`,
        run: () => bench.call('dir_create', { dir_path: path }),
        apply: () => model.put(path, { kind: 'd', mode: 0o755 }),
      }
    },
    () => {
      const path = free()
      const text = content()
      return {
        name: `sh write ${path}`,
        run: sh(`${place(path)}; printf %s '${text}' > ${quoted(path)}; chmod 644 ${quoted(path)}`),
        apply: () => {
          model.remove(path)
          model.put(path, { kind: 'f', mode: 0o644, content: text })
        },
      }
    },
    () => {
      const path = existing('f')
      const entry = model.entries.get(path ?? '')
      if (!path || entry?.kind !== 'f') return null
      return {
        name: `sh append ${path}`,
        // In a copy, as for all that changes a file: it may be one of two hard links.
        run: sh(`cp -p ${quoted(path)} /tmp/x; printf more >> /tmp/x; mv -f /tmp/x ${quoted(path)}`),
        apply: () => model.put(path, { ...entry, content: `${entry.content}more` }),
      }
    },
    () => {
      const path = existing('f', 'd', 'l')
      if (!path) return null
      return { name: `sh rm ${path}`, run: sh(`rm -rf ${quoted(path)}`), apply: () => model.remove(path) }
    },
    () => {
      const path = free()
      return {
        name: `sh mkdir ${path}`,
        run: sh(`${place(path)}; mkdir ${quoted(path)}`),
        apply: () => {
          model.remove(path)
          model.put(path, { kind: 'd', mode: 0o755 })
        },
      }
    },
    () => {
      const path = free()
      const target = pick(['a', '../b', '/etc/passwd', 'nowhere', 'é中'])
      return {
        name: `sh link ${path}`,
        run: sh(`${place(path)}; ln -s '${target}' ${quoted(path)}`),
        apply: () => {
          model.remove(path)
          model.put(path, { kind: 'l', target })
        },
      }
    },
    () => {
      const from = existing('f')
      const path = free()
      const entry = model.entries.get(from ?? '')
      if (!from || entry?.kind !== 'f' || from === path || from.startsWith(`${path}/`)) return null
      return {
        name: `sh hard link ${from} ${path}`,
        run: sh(`${place(path)}; ln ${quoted(from)} ${quoted(path)}`),
        apply: () => {
          model.remove(path)
          model.put(path, { ...entry })
        },
      }
    },
    () => {
      const from = existing('f', 'd', 'l')
      const to = free()
      if (!from || from === to || to.startsWith(`${from}/`) || from.startsWith(`${to}/`)) return null
      return {
        name: `sh mv ${from} ${to}`,
        run: sh(`${place(to)}; mv -T ${quoted(from)} ${quoted(to)}`),
        apply: () => model.move(from, to),
      }
    },
    () => {
      const path = existing('f', 'd')
      const entry = model.entries.get(path ?? '')
      if (!path || !entry || entry.kind === 'l') return null
      const mode = pick(entry.kind === 'f' ? [0o644, 0o755, 0o600, 0o444] : [0o755, 0o700, 0o750])
      return {
        name: `sh chmod ${mode.toString(8)} ${path}`,
        run: sh(
          entry.kind === 'd'
            ? `chmod ${mode.toString(8)} ${quoted(path)}`
            : `cp -p ${quoted(path)} /tmp/x; chmod ${mode.toString(8)} /tmp/x; mv -f /tmp/x ${quoted(path)}`,
        ),
        apply: () => model.put(path, { ...entry, mode }),
      }
    },
    () => {
      const path = existing('f')
      const entry = model.entries.get(path ?? '')
      if (!path || entry?.kind !== 'f' || entry.content.length === 0) return null
      const text = `${entry.content.slice(1)}!`
      return {
        name: `sh same size and old time ${path}`,
        run: sh(
          `touch -r ${quoted(path)} /tmp/t; cat > /tmp/x <<< '${text}'; truncate -s -1 /tmp/x; chmod ${entry.mode.toString(8)} /tmp/x; mv -f /tmp/x ${quoted(path)}; touch -r /tmp/t ${quoted(path)}`,
        ),
        apply: () => model.put(path, { ...entry, content: text }),
      }
    },
  ]
  return (): Step => {
    for (;;) {
      const step = pick(makers)()
      if (step) return step
    }
  }
}

async function play(seed: number, { count, faults }: { readonly count: number; readonly faults: boolean }) {
  const bench = sessionBench(sandboxd)
  const model = new Model()
  const random = mulberry32(seed)
  const next = steps(bench, model, random)
  const story: string[] = []
  for (let at = 0; at < count; at++) {
    const batch = 1 + Math.floor(random() * 3)
    for (let i = 0; i < batch; i++) {
      const step = next()
      story.push(step.name)
      await tryTwice(step.run)
      step.apply()
    }
    if (faults && random() < 0.25) {
      story.push('crash')
      await bench.host.crash()
    }
    if (faults && random() < 0.25) {
      story.push('evict')
      bench.evict()
    }
    expect(workspaceTree(bench.workspace), `the workspace after ${story.join(' | ')}`).toEqual(model.tree())
    const tree = await tryTwice(() => sandboxTree(bench))
    expect(tree, `the sandbox after ${story.join(' | ')}`).toEqual(model.tree())
  }
  expect(bench.errors).toEqual([])
}

/** A call that finds its sandbox gone says so, and has done nothing; the next one gets a new sandbox. */
async function tryTwice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (!String(thrown).includes('Call again: a new sandbox is made')) throw thrown
    return work()
  }
}

describe('files that tools and programs change in turn', () => {
  it.each([1, 2, 3])('are the same on both sides after every step (seed %d)', (seed) =>
    play(seed, { count: 25, faults: false }),
  )

  it.each([4, 5])('are all there when sandboxes crash and the session is evicted in between (seed %d)', (seed) =>
    play(seed, { count: 20, faults: true }),
  )
})

describe('files that an outcome names', () => {
  const named = async (bench: SessionBench, tool: string, args: object) =>
    (await bench.session.call({ tool, args, wantsFiles: true })).files
  const shell = (bench: SessionBench, command: string) => named(bench, 'execute_shell', { command, workdir: '.' })
  const created = (path: string) => ({ path, change: 'created', size: 2 })

  it('are those of the call alone, though file tools look at what it has written so far', async () => {
    const bench = sessionBench(sandboxd)
    const running = shell(bench, 'echo 1 > a; until [ -e /tmp/go ]; do sleep 0.05; done; echo 2 > b')
    await expect.poll(() => bench.call('file_read', { file_path: 'a' })).toMatchObject({ kind: 'done' })
    expect(await named(bench, 'file_read', { file_path: 'a' })).toEqual({ files: [], more: 0 })
    await bench.host.inside('echo 3 > c')
    expect(await named(bench, 'file_write', { file_path: 'w', content: '1\n' })).toEqual({
      files: [created('w')],
      more: 0,
    })
    await bench.host.inside('touch /tmp/go')
    expect(await running).toMatchObject({ files: [created('a'), created('b'), created('c')], more: 0 })
    expect(await running).not.toHaveProperty('isShared')
    expect(await shell(bench, 'echo 4 > d')).toEqual({ files: [created('d')], more: 0 })
  })

  it('are those of all calls, and say so, where commands run side by side', async () => {
    const bench = sessionBench(sandboxd)
    const running = shell(bench, 'echo 1 > a; until [ -e /tmp/go ]; do sleep 0.05; done')
    await expect.poll(() => bench.call('file_read', { file_path: 'a' })).toMatchObject({ kind: 'done' })
    expect(await shell(bench, 'echo 2 > b')).toMatchObject({ files: [created('b')], isShared: true })
    await bench.host.inside('touch /tmp/go')
    expect(await running).toMatchObject({ files: [created('a'), created('b')], isShared: true })
  })

  it('are those of all calls, and say so, where a process of an earlier call may write', async () => {
    const bench = sessionBench(sandboxd)
    const left = '(until [ -e /tmp/go ]; do sleep 0.05; done; echo 1 > late) > /dev/null 2>&1 &'
    expect(await shell(bench, left)).toEqual({ files: [], more: 0 })
    const wait = 'touch /tmp/go; until [ -e late ]; do sleep 0.05; done'
    expect(await shell(bench, wait)).toMatchObject({
      files: [created('late')],
      isShared: true,
    })
  })
})
