import { useSignal } from '@preact/signals'
import { get, type Problem, problemOf, request, send } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { addressOf, go, here } from '../../parts/location.ts'
import type { PageProps } from '../../parts/page.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Empty } from '../../parts/states.tsx'
import { FileView } from './file-view.tsx'
import { SessionFrame } from './frame.tsx'
import { SnapshotAction } from './snapshot.tsx'
import { restore } from './take-back.tsx'
import { FileTree } from './tree.tsx'
import { filePathOf, pathOf } from './types.ts'

/** Files of a session, now or as of a commit: the directories, and one file beside them. */
export function FilesPage({ params }: PageProps) {
  const { session = '', path = '' } = params
  const asOf = here.value.query.get('as_of')
  const dropping = useSignal(false)
  const problem = useSignal<Problem | null>(null)
  /** Changes of files that were made here. */
  const changes = useSignal(0)

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
    changes.value += 1
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
          <nav aria-label="Files" class="beside tree-place">
            <FileTree session={session} path={path} asOf={asOf} changes={changes} />
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
