import { useSignal } from '@preact/signals'
import { get, type Listed, type Problem, problemOf, request, send } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { bytesText } from '../../parts/format.ts'
import { addressOf, go, here } from '../../parts/location.ts'
import type { PageProps } from '../../parts/page.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Empty, Loading } from '../../parts/states.tsx'
import { FileView } from './file-view.tsx'
import { SessionFrame } from './frame.tsx'
import { SnapshotAction } from './snapshot.tsx'
import { restore } from './take-back.tsx'
import { type FileEntry, filePathOf, pathOf } from './types.ts'

/** Entries of a directory that are listed. */
const ENTRIES_MAX = 1000

/** Files of a session, now or as of a commit: the directories, and one file beside them. */
export function FilesPage({ params }: PageProps) {
  const { session = '', path = '' } = params
  const asOf = here.value.query.get('as_of')
  const dropping = useSignal(false)
  const problem = useSignal<Problem | null>(null)

  async function upload(files: FileList | null | undefined) {
    const directory = path.endsWith('/') ? path : path.slice(0, path.lastIndexOf('/') + 1)
    problem.value = null
    try {
      for (const file of files ?? []) {
        await request('PUT', filePathOf(session, directory + file.name), { bytes: file })
        say(`Uploaded ${directory}${file.name}.`)
      }
    } catch (thrown) {
      problem.value = problemOf(thrown)
      return
    }
    // The directory is read again with the new place.
    if (files?.[0]) go(addressOf(['sessions', session, 'files', ...(directory + files[0].name).split('/')]))
  }

  return (
    <SessionFrame session={session} tab="files">
      <section
        aria-label="Files"
        class={dropping.value ? 'dropping' : ''}
        onDragOver={(event) => {
          event.preventDefault()
          dropping.value = true
        }}
        onDragLeave={() => {
          dropping.value = false
        }}
        onDrop={(event) => {
          event.preventDefault()
          dropping.value = false
          void upload(event.dataTransfer?.files)
        }}
      >
        <div class="filters">
          {asOf && (
            <span class="badge warn">
              as of {/^\d+$/.test(asOf) ? `commit ${asOf}` : asOf} ·{' '}
              <a href={addressOf(['sessions', session, 'files', ...path.split('/')])}>now</a>
            </span>
          )}
          {asOf ? (
            <AsOfActions session={session} asOf={asOf} path={path} />
          ) : (
            <>
              <label class="button">
                Upload, or drop files here
                <input
                  type="file"
                  multiple
                  class="unseen"
                  onChange={async ({ currentTarget }) => {
                    await upload(currentTarget.files)
                    // The same file can be chosen again, after it failed too.
                    currentTarget.value = ''
                  }}
                />
              </label>
              <SnapshotAction session={session} />
              <ForkAction session={session} asOf={null} />
            </>
          )}
          <a
            class="button quiet"
            download
            href={`${pathOf(session, 'archive')}?format=zip${asOf ? `&as_of=${encodeURIComponent(asOf)}` : ''}`}
          >
            Download all as zip
          </a>
        </div>
        {problem.value && <ProblemView problem={problem.value} />}
        <div class="split">
          <nav aria-label="Files" class="tree">
            <Directory session={session} directory="" open={path} asOf={asOf} />
          </nav>
          {path && !path.endsWith('/') ? (
            <FileView key={`${path} ${asOf}`} session={session} path={path} asOf={asOf} />
          ) : (
            <Empty title="No file is open">
              <p class="soft">Choose one from the list. Every earlier state is in the history.</p>
            </Empty>
          )}
        </div>
      </section>
    </SessionFrame>
  )
}

interface DirectoryProps {
  readonly session: string
  readonly directory: string
  /** Path that is shown: directories on the way to it are open. */
  readonly open: string
  readonly asOf: string | null
}

/** What a directory holds. What is in its directories is read when they are opened. */
function Directory({ session, directory, open, asOf }: DirectoryProps) {
  const path = directory ? filePathOf(session, directory) : pathOf(session, 'files')
  const { value, problem, reload } = useResource(
    `directory ${JSON.stringify([session, directory, asOf, open])}`,
    (signal) => get<Listed<FileEntry>>(path, { limit: ENTRIES_MAX, as_of: asOf }, signal),
  )
  if (problem) return <ProblemView problem={problem} retry={() => void reload()} />
  if (!value) return <Loading lines={3} />
  if (value.data.length === 0) return <p class="soft tree-entry">Empty</p>
  const entries = [...value.data].sort(
    (a, b) => Number(b.type === 'directory') - Number(a.type === 'directory') || a.path.localeCompare(b.path),
  )
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.path}>
          {entry.type === 'directory' ? (
            <OpenableDirectory entry={entry} session={session} open={open} asOf={asOf} />
          ) : (
            <a
              class="tree-entry"
              href={addressOf(['sessions', session, 'files', ...entry.path.split('/')], { as_of: asOf })}
              aria-current={entry.path === open ? 'page' : undefined}
            >
              <span class="cut">{nameOf(entry.path)}</span>
              <span class="soft number">{bytesText(entry.size)}</span>
            </a>
          )}
        </li>
      ))}
      {value.next_cursor && <li class="soft tree-entry">More than {ENTRIES_MAX}: the rest is in the zip.</li>}
    </ul>
  )
}

function OpenableDirectory({ entry, session, open, asOf }: Omit<DirectoryProps, 'directory'> & { entry: FileEntry }) {
  const onTheWay = open.startsWith(`${entry.path}/`)
  const shown = useSignal(onTheWay)
  return (
    <details
      open={shown.value}
      onToggle={(event) => {
        shown.value = event.currentTarget.open
      }}
    >
      <summary class="tree-entry">{nameOf(entry.path)}/</summary>
      {shown.value && <Directory session={session} directory={entry.path} open={open} asOf={asOf} />}
    </details>
  )
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

interface AsOfProps {
  readonly session: string
  readonly asOf: string
  readonly path: string
}

function AsOfActions({ session, asOf, path }: AsOfProps) {
  const commit = useResource(`commit of ${JSON.stringify([session, asOf])}`, async (signal) =>
    /^\d+$/.test(asOf)
      ? Number(asOf)
      : (await get<{ commit: number }>(pathOf(session, 'snapshots', asOf), {}, signal)).commit,
  )
  const number = commit.value
  if (number === undefined) return null
  const back = async (which: string) => {
    await restore(session, number, which)
    go(addressOf(['sessions', session, 'files', ...path.split('/')]))
  }
  return (
    <>
      {path && (
        <Action tone="primary" run={() => back(path)}>
          Take this file back
        </Action>
      )}
      <Action confirm={`Set all files back to commit ${number}?`} run={() => back('')}>
        Take all files back
      </Action>
      <ForkAction session={session} asOf={number} />
    </>
  )
}

/** Makes a session with these files, and goes there. */
export function ForkAction({ session, asOf }: { readonly session: string; readonly asOf: number | null }) {
  const fork = async () => {
    const made = await send<{ name: string }>('POST', pathOf(session, 'fork'), asOf === null ? {} : { as_of: asOf })
    say('Forked: this is the new session.')
    go(addressOf(['sessions', made.name, 'files']))
  }
  return <Action run={fork}>Fork{asOf === null ? '' : ' from here'}</Action>
}
