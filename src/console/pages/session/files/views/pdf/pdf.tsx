import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { countText } from '../../../../../parts/format.ts'
import { useKeys } from '../../../../../parts/keys.tsx'
import { go, here, withQuery } from '../../../../../parts/location.ts'
import { Empty, Loading } from '../../../../../parts/states.tsx'
import type { DrawnPage } from './messages.ts'
import { PdfReader, type Unshown } from './reader.ts'

/** Pixels of the screen that a page is high at most, however narrow it is. */
const HEIGHT_MAX = 8_000

const WHY: Readonly<Record<Unshown, string>> = {
  protected: 'It is protected by a password. Download it to look at it.',
  damaged: 'It is damaged, or made in a way that cannot be shown. Download it to look at it.',
  'too long': 'It takes too long to be drawn, and was stopped. Download it to look at it, or look at another page.',
}

interface PdfProps {
  readonly blob: Blob
}

/** A PDF, one page at a time, with its text to be marked and searched. The page's number is in the query. */
export function Pdf({ blob }: PdfProps) {
  const pages = useSignal<number | null>(null)
  const shown = useSignal<({ readonly number: number } & DrawnPage) | null>(null)
  const unshown = useSignal<{ readonly number: number | null; readonly why: Unshown } | null>(null)
  const reader = useRef<PdfReader | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const asked = Math.floor(Number(here.value.query.get('page'))) || 1
  const number = Math.max(1, Math.min(pages.value ?? asked, asked))
  const latest = useRef(number)
  latest.current = number

  const wish = (page: number) => {
    const width = (place.current?.clientWidth ?? 800) * Math.min(2, devicePixelRatio)
    reader.current?.draw(page, Math.max(200, Math.round(width)))
  }
  useEffect(() => {
    let left = false
    const start = async () => {
      const bytes = await blob.arrayBuffer()
      if (left) return
      reader.current = new PdfReader(bytes, {
        opened: (count) => {
          const isAgain = pages.peek() !== null
          pages.value = count
          if (isAgain && latest.current !== unshown.peek()?.number) wish(latest.current)
        },
        drawn: (at, page) => {
          shown.peek()?.picture.close()
          shown.value = { ...page, number: at }
        },
        failed: (at, why, hasEnded) => {
          unshown.value = { number: at, why }
          // Other pages may be harmless: they get a worker of their own.
          if (hasEnded && at !== null) void start()
        },
      })
    }
    void start()
    return () => {
      left = true
      reader.current?.end()
      shown.peek()?.picture.close()
    }
  }, [blob])
  useEffect(() => {
    unshown.value = unshown.peek()?.number === null ? unshown.peek() : null
    if (pages.value !== null) wish(number)
  }, [number, pages.value === null])

  const turn = (to: number) => {
    if (to >= 1 && to <= (pages.value ?? 1)) go(withQuery({ page: to === 1 ? null : String(to) }), { replace: true })
  }
  useKeys({
    j: { label: 'Next page of the PDF', run: () => turn(number + 1) },
    k: { label: 'Previous page of the PDF', run: () => turn(number - 1) },
  })

  if (unshown.value?.number === null) {
    return (
      <Empty title="The PDF is not shown">
        <p class="soft">{WHY[unshown.value.why]}</p>
      </Empty>
    )
  }
  const page = shown.value?.number === number ? shown.value : null
  return (
    <div class="stack" ref={place}>
      {pages.value !== null && <Turning number={number} pages={pages.value} turn={turn} />}
      {unshown.value?.number === number ? (
        <Empty title={`Page ${countText(number)} is not shown`}>
          <p class="soft">{WHY[unshown.value.why]}</p>
        </Empty>
      ) : page ? (
        <PageView key={number} page={page} number={number} />
      ) : (
        <Loading label={`Page ${number}`} lines={12} />
      )}
    </div>
  )
}

interface TurningProps {
  readonly number: number
  readonly pages: number
  readonly turn: (to: number) => void
}

function Turning({ number, pages, turn }: TurningProps) {
  return (
    <div class="row-actions">
      <button type="button" disabled={number <= 1} onClick={() => turn(number - 1)}>
        Previous page
      </button>
      <label class="field-inline">
        Page
        <input
          class="page-number"
          type="number"
          min={1}
          max={pages}
          value={number}
          onChange={(event) => turn(Math.floor(Number(event.currentTarget.value)))}
        />
      </label>
      <span class="soft">of {countText(pages)}</span>
      <button type="button" disabled={number >= pages} onClick={() => turn(number + 1)}>
        Next page
      </button>
    </div>
  )
}

function PageView({ page, number }: { readonly page: DrawnPage; readonly number: number }) {
  const { picture, aspect, text } = page
  const draw = (canvas: HTMLCanvasElement | null) => {
    if (!canvas || canvas.width === picture.width) return
    canvas.width = picture.width
    canvas.height = picture.height
    canvas.getContext('2d')?.drawImage(picture, 0, 0)
  }
  return (
    <section
      class="pdf-page"
      aria-label={`Page ${number}`}
      ref={(element) => {
        if (!element) return
        element.style.aspectRatio = String(aspect)
        element.style.maxWidth = `${Math.max(1, Math.round(HEIGHT_MAX * aspect))}px`
      }}
    >
      <canvas ref={draw} />
      {text.map((piece, at) => (
        <span
          key={at}
          ref={(element) => {
            if (!element) return
            const { style } = element
            style.left = `${piece.left * 100}%`
            style.top = `${piece.top * 100}%`
            style.fontSize = `${piece.size * 100}cqw`
            style.transform = `rotate(${piece.angle}rad) scaleX(${piece.stretch})`
          }}
        >
          {piece.text}
        </span>
      ))}
    </section>
  )
}
