import { DIRECTORY, type Entry } from './tree.ts'
import { type Breach, Violation } from './violation.ts'

type Entries = ReadonlyMap<string, Entry>
type WasThere = (path: string, sha256: string) => boolean

/**
 * Describes how the server's state differs from the most similar possible one; of equally similar ones the one with most
 * operations done.
 */
export function describeDifference(possible: readonly Entries[], shown: Entries, wasThere: WasThere): Violation {
  const [nearest = []] = possible
    .toReversed()
    .map((wanted) => differences(wanted, shown, wasThere))
    .sort((a, b) => a.length - b.length)
  const gravest = [...nearest].sort((a, b) => GRAVEST_FIRST.indexOf(a.breach) - GRAVEST_FIRST.indexOf(b.breach))
  const lines = gravest.map(({ breach, what }) => `${what} (${breach})`)
  return new Violation(gravest[0]?.breach ?? 'unasked', `${lines.join('; ')} (of ${possible.length} possible states)`)
}

const GRAVEST_FIRST: readonly Breach[] = ['lost', 'resurrected', 'doubled', 'torn', 'unasked']

interface Difference {
  readonly breach: Breach
  readonly what: string
}

function differences(wanted: Entries, shown: Entries, wasThere: WasThere): readonly Difference[] {
  const paths = [...new Set([...wanted.keys(), ...shown.keys()])].sort()
  return paths.flatMap((path) => difference(path, wanted.get(path), shown.get(path), wasThere) ?? [])
}

function difference(
  path: string,
  wanted: Entry | undefined,
  shown: Entry | undefined,
  wasThere: WasThere,
): Difference | null {
  if (shown === undefined) return wanted === undefined ? null : { breach: 'lost', what: `${path} is not there` }
  if (wanted === undefined)
    return { breach: shown === DIRECTORY ? 'unasked' : cameBack(path, shown, wasThere), what: `${path} is there` }
  if (wanted === DIRECTORY || shown === DIRECTORY) {
    return wanted === shown ? null : { breach: 'torn', what: `${path} is of another kind` }
  }
  if (wanted.sha256 === shown.sha256) return null
  const breach = isDoubled(shown.text) ? 'doubled' : cameBack(path, shown, wasThere)
  return { breach, what: `${path} has ${startOf(shown.text)}, and not ${startOf(wanted.text)}` }
}

const cameBack = (path: string, shown: Entry, wasThere: WasThere): Breach =>
  shown !== DIRECTORY && wasThere(path, shown.sha256) ? 'resurrected' : 'torn'

/** Clients write no line twice. */
const isDoubled = (text: string) => {
  const lines = text.split('\n').filter((line) => line !== '')
  return new Set(lines).size < lines.length
}

const MAX_SHOWN_CHARS = 120
const startOf = (text: string) => `${JSON.stringify(text.slice(0, MAX_SHOWN_CHARS))} (${text.length} characters)`
