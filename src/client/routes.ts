import type { Operations } from './generated/api.ts'

/** Method and path of an operation of the API, as its document has them: `GET /v1/sessions/{session}`. */
export type Route = keyof Operations

/** Answer of an operation, as JSON; never where it answers something else. */
export type Answer<R extends Route> = Operations[R]['answer']

/** Names in the path of a route. */
type PathNames<R extends string> = R extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never

/** Parts of a request: values of the names in its path, its query and its body. */
export type Given<R extends Route> = ([PathNames<R>] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: Readonly<Record<PathNames<R>, string | number>> }) &
  Omit<Operations[R], 'answer'> & {
    /** Further headers: those that are not undefined. */
    readonly headers?: Readonly<Record<string, string | undefined>>
  }

/** Parts of a request as those arguments of a function that it needs: they may be left out where none is required. */
export type GivenArguments<R extends Route, More> =
  Record<never, never> extends Given<R> ? [given?: Given<R>, options?: More] : [given: Given<R>, options?: More]

/** Routes that answer pages of a list. */
export type ListRoute = {
  [R in Route]: Answer<R> extends { data: readonly unknown[]; next_cursor: string | null } ? R : never
}[Route]

/** Parts of a request whatever its route. */
export interface Parts {
  readonly path?: Readonly<Record<string, string | number>> | undefined
  readonly query?: object | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
}

/**
 * URL of a request. A slash in a value of the path is sent as `%2F`.
 * @throws TypeError for a value that would name another path
 */
export function urlOf(baseUrl: string, path: string, { path: values = {}, query }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '')
    // URLs resolve these two, encoded or not.
    if (value === '' || value === '.' || value === '..') throw new TypeError(`"${value}" is no ${name}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams(definedEntries(query)).toString()
  return baseUrl + filled + (search && `?${search}`)
}

/** Entries whose value is not undefined, as texts. */
export const definedEntries = (values: object = {}): [name: string, value: string][] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
