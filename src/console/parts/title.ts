import { effect, signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

/** Characters of a name that a title has. */
const NAME_MAX = 60

const words = signal('')
/** Names that the shown page has read, such as the tool of a call. */
const names = signal<Readonly<Record<string, string>>>({})

/** Questions that wait for a person, before the title of any page; '' for none. */
export const countInTitle = signal('')

effect(() => {
  const count = countInTitle.value && `(${countInTitle.value}) `
  document.title = `${count}${words.value && `${words.value} · `}Toolyard`
})

/**
 * Gives the browser's window and tab the words of a page: `Word:name` stands for a name of the page or a parameter of its place, and where
 * there is none for the word.
 */
export function useTitle(pattern: string, params: Readonly<Record<string, string>> = {}): void {
  const known = { ...params, ...names.value }
  const parts = pattern.split(' · ').map((part) => {
    const [word = '', name = ''] = part.split(':')
    return nameOf(known[name]) || word
  })
  const shown = parts.filter(Boolean).join(' · ')
  useLayoutEffect(() => {
    words.value = shown
  }, [shown])
}

/** Says what a name in the title of the shown page is, once it is known. */
export function useNameInTitle(name: string, value: string | undefined): void {
  useLayoutEffect(() => {
    if (value === undefined) return
    names.value = { ...names.peek(), [name]: value }
    return () => {
      const { [name]: _, ...others } = names.peek()
      names.value = others
    }
  }, [name, value])
}

/** The end of a path, or a name, as a title shows it: in one line, short, and with nothing before it that looks like a count. */
const nameOf = (text = ''): string =>
  (text.split('/').findLast(Boolean) ?? '')
    .replace(/[\p{C}\s]+/gu, ' ')
    .replace(/^[\s(]+/, '')
    .slice(0, NAME_MAX)
