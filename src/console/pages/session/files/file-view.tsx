import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Problem, request } from '../../../api.ts'
import { Copy } from '../../../parts/action.tsx'
import { bytesText } from '../../../parts/format.ts'
import { addressOf, go } from '../../../parts/location.ts'
import { ProblemView } from '../../../parts/problem.tsx'
import { useResource } from '../../../parts/resource.ts'
import { Empty, Loading } from '../../../parts/states.tsx'
import { useLook, useReadAgain } from '../changed.ts'
import { filePathOf } from '../types.ts'
import { PDF_BYTES_MAX } from './views/pdf/limits.ts'
import type { TextViewProps } from './views/text-view.ts'

/** Bytes of a file that are shown; the whole one is downloaded. */
const SHOWN_MAX = 1024 * 1024

/** Characters that are shown while the view of a file is loaded. */
const BEFORE_MAX = 10_000

/** Bytes of a picture that are shown. */
const PICTURE_MAX = 16 * 1024 * 1024

/** How a file is shown, by the end of its name. */
const PICTURES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
}

const VIEWS: Readonly<Record<string, { label: string; load: () => Promise<ComponentType<TextViewProps>> }>> = {
  md: { label: 'Read', load: () => import('./views/markdown.tsx').then((views) => views.Markdown) },
  ipynb: { label: 'Notebook', load: () => import('./views/notebook.tsx').then((views) => views.Notebook) },
  csv: { label: 'Table', load: () => import('./views/table.tsx').then((views) => views.Table) },
  tsv: { label: 'Table', load: () => import('./views/table.tsx').then((views) => views.Table) },
  html: { label: 'Page', load: () => import('./views/page.tsx').then((views) => views.Page) },
  htm: { label: 'Page', load: () => import('./views/page.tsx').then((views) => views.Page) },
}
const loadSource = () => import('./views/source.tsx').then((views) => views.Source)

const bytesShown = (ending: string) => (ending in PICTURES ? PICTURE_MAX : ending === 'pdf' ? PDF_BYTES_MAX : SHOWN_MAX)

interface FileViewProps {
  readonly session: string
  readonly path: string
  readonly asOf: string | null
}

interface Content {
  /** Tag of the file as it was read; null for a folder. */
  readonly tag: string | null
  /** Whether the path is that of a folder, whose list is no content to be shown. */
  readonly isFolder: boolean
  readonly size: number
  readonly whole: boolean
  readonly blob: Blob
  /** Null for bytes that are no text. */
  readonly text: string | null
}

/** Status of an answer without content: that is as it was. */
const UNCHANGED = 304

/** What was does not change. */
const NEVER_AGAIN = { reload: async () => undefined }

/** One file: a picture, a table, a notebook, a page without its scripts, or text. */
export function FileView({ session, path, asOf }: FileViewProps) {
  const ending = path.includes('.') ? path.slice(path.lastIndexOf('.') + 1).toLowerCase() : ''
  const address = filePathOf(session, path)
  const place = `file ${JSON.stringify([session, path, asOf])}`
  const look = useLook(place)
  const latest = useRef<Content | undefined>(undefined)
  const read = useResource(place, (signal) =>
    readContent(address, { asOf, look: look(), max: bytesShown(ending), known: latest.current }, signal),
  )
  latest.current = read.value
  useReadAgain(asOf === null ? read : NEVER_AGAIN)
  const { value, problem, reload } = read
  const isFolder = value?.isFolder ?? false
  useEffect(() => {
    if (!isFolder) return
    const folder = addressOf(['sessions', session, 'files', ...path.split('/'), ''], { as_of: asOf })
    go(folder, { replace: true })
  }, [isFolder])
  if (isFolder) return <Loading />
  return (
    <section class="stack" aria-label={path}>
      <div class="row-actions">
        <h2 class="mono file-name">{path}</h2>
        <span class="soft file-size">{value && bytesText(value.size)}</span>
        <a class="button quiet" download href={asOf ? `${address}?as_of=${encodeURIComponent(asOf)}` : address}>
          Download
        </a>
        <a class="button quiet" href={addressOf(['sessions', session, 'history'], { path })}>
          History
        </a>
        {value?.text && value.whole && ending !== 'pdf' && <Copy text={value.text} />}
      </div>
      {problem && <ProblemView problem={problem} retry={() => void reload()} />}
      {!value && !problem && <Loading />}
      {value && !value.whole && (
        <p class="badge warn">
          The first {bytesText(value.blob.size)} of {bytesText(value.size)}
        </p>
      )}
      {value && <Shown content={value} ending={ending} name={path} />}
    </section>
  )
}

function Shown({ content, ending, name }: { content: Content; ending: string; name: string }) {
  const type = PICTURES[ending]
  const special = VIEWS[ending]
  const asSource = useSignal(false)
  if (content.size === 0) return <p class="soft">The file is empty.</p>
  if (type && content.whole && (ending !== 'svg' || !asSource.value)) {
    return <Picture blob={content.blob} type={type} name={name} />
  }
  if (ending === 'pdf' && content.whole) return <LazyPdf blob={content.blob} />
  if (content.text === null) {
    return (
      <Empty title={ending === 'pdf' ? 'A large PDF' : 'Not text'}>
        <p class="soft">Download it to look at it.</p>
      </Empty>
    )
  }
  const View = special && content.whole && !asSource.value ? special.load : loadSource
  return (
    <>
      {special && content.whole && (
        <fieldset class="two-ways" aria-label="Shown as">
          {[false, true].map((source) => (
            <button
              type="button"
              key={String(source)}
              aria-pressed={asSource.value === source}
              onClick={() => {
                asSource.value = source
              }}
            >
              {source ? 'Source' : special.label}
            </button>
          ))}
        </fieldset>
      )}
      <Lazy load={View} text={content.text} ending={ending} />
    </>
  )
}

interface LazyProps extends TextViewProps {
  readonly load: () => Promise<ComponentType<TextViewProps>>
}

function Lazy({ load, text, ending }: LazyProps) {
  const view = useSignal<{ load: unknown; View: ComponentType<TextViewProps> } | null>(null)
  useEffect(() => {
    let left = false
    void load().then((View) => {
      if (!left) view.value = { load, View }
    })
    return () => {
      left = true
    }
  }, [load])
  if (view.value?.load !== load) return <pre class="text source">{text.slice(0, BEFORE_MAX)}</pre>
  const { View } = view.value
  return <View text={text} ending={ending} />
}

function LazyPdf({ blob }: { readonly blob: Blob }) {
  const View = useSignal<ComponentType<{ readonly blob: Blob }> | null>(null)
  useEffect(() => {
    void import('./views/pdf/pdf.tsx').then(({ Pdf }) => (View.value = Pdf))
  }, [])
  const Loaded = View.value
  return Loaded ? <Loaded blob={blob} /> : <Loading lines={12} />
}

/**
 * A picture of a file. As an image it runs no script, an SVG neither. Its address is a `data:` URL, which has no origin: a `blob:` one has
 * the console's, and an SVG that is opened by it in a tab of its own would run there.
 */
function Picture({ blob, type, name }: { blob: Blob; type: string; name: string }) {
  const address = useSignal('')
  useEffect(() => {
    const reader = new FileReader()
    reader.onload = () => {
      address.value = String(reader.result)
    }
    reader.readAsDataURL(new Blob([blob], { type }))
    return () => {
      reader.onload = null
    }
  }, [blob, type])
  return address.value ? <img class="picture" src={address.value} alt={name} /> : null
}

interface Wanted {
  readonly asOf: string | null
  /** Whether to look at what running commands have written so far. */
  readonly look: boolean
  /** Bytes that are read at most. */
  readonly max: number
  /** Content that is there already; it stays where it is the same. */
  readonly known: Content | undefined
}

async function readContent(address: string, { asOf, look, max, known }: Wanted, signal: AbortSignal): Promise<Content> {
  const query = { as_of: asOf, look }
  const headers = { Range: `bytes=0-${max - 1}`, ...(known?.tag && { 'If-None-Match': known.tag }) }
  const answer = await request('GET', address, { query, headers, signal }).catch((thrown: unknown) => {
    if (known && thrown instanceof Problem && thrown.status === UNCHANGED) return null
    throw thrown
  })
  if (!answer) return known as Content
  const tag = answer.headers.get('ETag')
  const blob = await answer.blob()
  const size = Number(answer.headers.get('Content-Range')?.split('/')[1] ?? blob.size)
  const whole = size <= blob.size
  // Parts are for files alone.
  const isFolder = !answer.headers.has('Accept-Ranges')
  try {
    const bytes = await blob.arrayBuffer()
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !whole })
    return { tag, isFolder, size, whole, blob, text: text.includes('\0') ? null : text }
  } catch {
    return { tag, isFolder, size, whole, blob, text: null }
  }
}
