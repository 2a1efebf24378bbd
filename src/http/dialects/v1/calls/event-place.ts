/** Place in the events of a call: lines of progress and pieces of output that a client has. */
export interface EventPlace {
  readonly progress: number
  readonly printed: number
}

export const BEGINNING: EventPlace = { progress: 0, printed: 0 }

/** Id of the last event of a call, behind which nothing comes. */
export const END_ID = 'end'

/** Id of an event, as which a client gives the place back: the number of lines, and that of pieces where there are some. */
export const idOf = ({ progress, printed }: EventPlace) => (printed === 0 ? `${progress}` : `${progress}.${printed}`)

/** Place of a `Last-Event-ID`, which a browser's EventSource states when it connects again; the beginning for any other text. */
export function placeOf(id: string | undefined): EventPlace {
  const [, progress = '0', printed = '0'] = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(id ?? '') ?? []
  return { progress: Number(progress), printed: Number(printed) }
}
