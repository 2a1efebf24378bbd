import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { get, type Problem, problemOf, request } from '../../../api.ts'
import { Action, say } from '../../../parts/action.tsx'
import { addressOf, go, here } from '../../../parts/location.ts'
import type { PageProps } from '../../../parts/page.ts'
import { ProblemView } from '../../../parts/problem.tsx'
import { useResource } from '../../../parts/resource.ts'
import { Empty } from '../../../parts/states.tsx'
import { changed, noteChange, useNewest } from '../changed.ts'
import { SessionFrame } from '../frame.tsx'
import { ForkAction } from '../history/fork.tsx'
import { restore, SetAllBack } from '../history/restore.tsx'
import { SnapshotAction } from '../history/snapshot.tsx'
import { rememberFiles } from '../last-visited.ts'
import { filePathOf, pathOf } from '../types.ts'
import { FileView } from './file-view.tsx'
import { FileTree } from './tree.tsx'

/** Files of a session, now or as of a commit: the directories, and one file beside them. */
export function FilesPage({ params }: PageProps) {
  const { session = '', path = '' } = params
  const asOf = here.value.query.get('as_of')
  const dropping = useSignal(false)
  useEffect(() => rememberFiles(session, location.pathname + location.search), [session, path, asOf])
  const problem = useSignal<Problem | null>(null)

  async function upload(files: FileList | null | undefined) {
    const directory = path.endsWith('/') ? path : path.slice(0, path.lastIndexOf('/') + 1)
    problem.value = null
    try {
      for (const file of files ?? []) {
        await request('PUT', filePathOf(session, directory + file.name), { bytes: file })
      }
      const [first, ...others] = files ?? []
      if (first) say(`Uploaded ${directory}${first.name}${others.length > 0 ? ` and ${others.length} more` : ''}.`)
    } catch (thrown) {
      problem.value = problemOf(thrown)
      return
    }
    noteChange()
    if (files?.[0]) go(addressOf(['sessions', session, 'files', ...(directory + files[0].name).split('/')]))
  }

  const archive = (
    <a
      class="button quiet"
      download
      href={`${pathOf(session, 'archive')}?format=zip${asOf ? `&as_of=${encodeURIComponent(asOf)}` : ''}`}
    >
      Download all as zip
    </a>
  )
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
              <span>
                as of {/^\d+$/.test(asOf) ? `commit ${asOf}` : asOf} ·{' '}
                <a href={addressOf(['sessions', session, 'files', ...path.split('/')])}>now</a>
              </span>
            </span>
          )}
          {asOf ? (
            <AsOfActions session={session} asOf={asOf} path={path}>
              {archive}
            </AsOfActions>
          ) : (
            <>
              <label
                class="button"
                title={`Into ${path.slice(0, path.lastIndexOf('/') + 1) || 'the session’s own folder'}`}
              >
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
              {archive}
            </>
          )}
        </div>
        {problem.value && <ProblemView problem={problem.value} />}
        <div class="split">
          <nav aria-label="Files" class="beside tree-place">
            <FileTree session={session} path={path} asOf={asOf} changes={changed} />
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
  readonly children: ComponentChildren
}

function AsOfActions({ session, asOf, path, children }: AsOfProps) {
  const newest = useNewest(session)
  const commit = useResource(`commit of ${JSON.stringify([session, asOf])}`, async (signal) =>
    /^\d+$/.test(asOf)
      ? Number(asOf)
      : (await get<{ commit: number }>(pathOf(session, 'snapshots', asOf), {}, signal)).commit,
  )
  const number = commit.value
  if (number === undefined) return children
  const leave = () => go(addressOf(['sessions', session, 'files', ...path.split('/')]))
  const back = async () => {
    await restore(session, number, path)
    leave()
  }
  return (
    <>
      {path && !path.endsWith('/') && (
        <Action tone="primary" run={back}>
          Take this file back
        </Action>
      )}
      <ForkAction session={session} asOf={number} />
      {children}
      <SetAllBack session={session} commit={number} newest={newest} done={leave} />
    </>
  )
}
