import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { get, type Listed, type Problem, problemOf } from '../../../api.ts'
import { bytesText, countText } from '../../../parts/format.ts'
import { keepNewest } from '../../../parts/keep-newest.ts'
import { addressOf } from '../../../parts/location.ts'
import { ProblemView } from '../../../parts/problem.tsx'
import { Loading } from '../../../parts/states.tsx'
import { WindowList } from '../../../parts/window-list.tsx'
import { type FileEntry, filePathOf, pathOf } from '../types.ts'
import { directoriesTo, nameOf, type ReadDirectory, rowsOf, sorted, type TreeRow } from './tree-rows.ts'

/** Entries of a directory that are read at once, and of which one has at most in the tree. */
const PAGE = 1_000
const ENTRIES_MAX = 100_000
/** Pixels of a row. */
const ROW_PX = 32

/** Trees that were left, so that the way back shows them at once. */
const left = new Map<string, Tree>()
const LEFT_MAX = 5

interface Tree {
  readonly directories: ReadonlyMap<string, ReadDirectory>
  readonly open: ReadonlySet<string>
}

interface FileTreeProps {
  readonly session: string
  /** Path that is shown: directories on the way to it are opened. */
  readonly path: string
  readonly asOf: string | null
  /** Counts changes that were made here: with each the tree is read again. */
  readonly changes: ReadonlySignal<number>
}

/** Files of a session as a tree of any size. Directories are read when they are opened, and are not read again for a file that is. */
export function FileTree({ session, path, asOf, changes }: FileTreeProps) {
  const key = JSON.stringify([session, asOf])
  const tree = useTree(session, asOf, key)
  useEffect(() => tree.openAll(directoriesTo(path)), [key, path])
  const first = useRef(changes.peek())
  useEffect(() => {
    if (changes.value !== first.current && asOf === null) tree.readAgain()
    first.current = changes.value
  }, [changes.value])
  const rows = useComputed(() => rowsOf(tree.state.value.directories, tree.state.value.open)).value
  const root = tree.state.value.directories.get('')
  const problem = tree.problem.value
  if (problem) return <ProblemView problem={problem} retry={tree.readAgain} />
  if (!root) return <Loading lines={4} />
  return (
    <WindowList
      label="Tree of files"
      items={rows}
      idOf={({ kind, path }) => `${kind} ${path}`}
      rowHeight={ROW_PX}
      box="tree"
      shown={path ? rows.findIndex((row) => row.kind === 'file' && row.path === path) : -1}
    >
      {(row) => <Row row={row} session={session} asOf={asOf} shown={path} toggle={tree.toggle} />}
    </WindowList>
  )
}

interface RowProps {
  readonly row: TreeRow
  readonly session: string
  readonly asOf: string | null
  readonly shown: string
  readonly toggle: (directory: string) => void
}

function Row({ row: { kind, path, depth, size, isOpen, note }, session, asOf, shown, toggle }: RowProps) {
  const indent = `tree-entry depth-${Math.min(depth, 8)}`
  if (kind === 'note') return <span class={`${indent} soft`}>{note}</span>
  if (kind === 'directory') {
    return (
      <button type="button" class={indent} aria-expanded={isOpen} onClick={() => toggle(path)}>
        <span class="cut">{nameOf(path)}/</span>
      </button>
    )
  }
  return (
    <a
      class={indent}
      href={addressOf(['sessions', session, 'files', ...path.split('/')], { as_of: asOf })}
      aria-current={path === shown ? 'page' : undefined}
      title={nameOf(path)}
    >
      <span class="cut">{nameOf(path)}</span>
      <span class="soft number">{bytesText(size)}</span>
    </a>
  )
}

function useTree(session: string, asOf: string | null, key: string) {
  const state = useSignal<Tree & { readonly key: string }>(treeOf(key))
  if (state.peek().key !== key) state.value = treeOf(key)
  const problem = useSignal<Problem | null>(null)
  const end = useRef<AbortController | null>(null)

  const put = (directory: string, read: ReadDirectory) => {
    state.value = { ...state.peek(), directories: new Map(state.peek().directories).set(directory, read) }
    keepNewest(left, key, state.peek(), LEFT_MAX)
  }

  /** Reads a directory page by page. What is shown stays until more than that is there. */
  async function read(directory: string, look = true): Promise<void> {
    const signal = end.current?.signal
    const address = directory ? `${filePathOf(session, directory)}/` : pathOf(session, 'files')
    const before = state.peek().directories.get(directory)?.entries ?? []
    let entries: readonly FileEntry[] = []
    try {
      for (let cursor: string | null = null, isFirst = true; isFirst || cursor; isFirst = false) {
        const page: Listed<FileEntry> = await get(address, { limit: PAGE, as_of: asOf, cursor, look }, signal)
        if (signal?.aborted) return
        cursor = entries.length + page.data.length < ENTRIES_MAX ? page.next_cursor : null
        entries = sorted([...entries, ...page.data])
        if (cursor && entries.length < before.length) continue
        const isCut = page.next_cursor !== null && !cursor
        const note = cursor ? 'Loading …' : isCut ? `More than ${countText(ENTRIES_MAX)}: the rest is in the zip.` : ''
        put(directory, { entries, note })
        problem.value = null
      }
    } catch (thrown) {
      if (signal?.aborted) return
      const why = problemOf(thrown)
      if (directory === '') problem.value = why
      else put(directory, { entries: before, note: why.message })
    }
  }

  useEffect(() => {
    const own = new AbortController()
    end.current = own
    for (const directory of ['', ...state.peek().open]) void read(directory)
    return () => own.abort()
  }, [key])

  const setOpen = (open: ReadonlySet<string>) => (state.value = { ...state.peek(), open })
  const openAll = (directories: readonly string[]) => {
    const fresh = directories.filter((directory) => !state.peek().open.has(directory))
    if (fresh.length === 0) return
    setOpen(new Set([...state.peek().open, ...fresh]))
    for (const directory of fresh) void read(directory)
  }
  return {
    state,
    /** Why the directory of the session cannot be read. */
    problem,
    openAll,
    toggle: (directory: string) => {
      if (!state.peek().open.has(directory)) return openAll([directory])
      setOpen(new Set([...state.peek().open].filter((one) => one !== directory)))
    },
    readAgain: () => {
      for (const directory of ['', ...state.peek().open]) void read(directory, false)
    },
  }
}

const treeOf = (key: string): Tree & { readonly key: string } => ({
  ...(left.get(key) ?? { directories: new Map(), open: new Set() }),
  key,
})
