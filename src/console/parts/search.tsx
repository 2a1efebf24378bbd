import { useEffect, useRef } from 'preact/hooks'
import { useKeys } from './keys.tsx'
import { go, here, withQuery } from './location.ts'

interface SearchProps {
  readonly label: string
  /** Parameter of the query that has the text. */
  readonly name?: string
}

/** Milliseconds without a key before the place changes. */
const PAUSE_MS = 200

/** A search whose text is in the query of the place; `/` goes to it, Escape leaves it with its text. */
export function Search({ label, name = 'q' }: SearchProps) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useKeys({ '/': { label: 'Search', run: () => input.current?.select() } })
  const apply = () => {
    clearTimeout(timer.current)
    const text = input.current?.value ?? ''
    if (text !== (here.peek().query.get(name) ?? '')) go(withQuery({ [name]: text }), { replace: true })
  }
  return (
    <input
      ref={input}
      type="search"
      class="search"
      aria-label={label}
      placeholder={label}
      value={here.value.query.get(name) ?? ''}
      onInput={() => {
        clearTimeout(timer.current)
        timer.current = setTimeout(apply, PAUSE_MS)
      }}
      onChange={apply}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // A browser would empty the field.
        event.preventDefault()
        apply()
        event.currentTarget.blur()
      }}
    />
  )
}

interface ChoiceProps {
  readonly label: string
  readonly name: string
  /** Values and their words; the first one, with the value '', is for no filter. */
  readonly options: Readonly<Record<string, string>>
}

/** A filter of few values, kept in the query of the place. */
export function Choice({ label, name, options }: ChoiceProps) {
  return (
    <label class="field-inline">
      {label}
      <select
        value={here.value.query.get(name) ?? ''}
        onChange={(event) => go(withQuery({ [name]: event.currentTarget.value }), { replace: true })}
      >
        {Object.entries(options).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}
