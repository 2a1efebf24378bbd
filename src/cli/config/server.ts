/** Server that the command line speaks to. */
export interface Server {
  /** Address without a slash at its end. */
  readonly url: string
  /** API key; undefined where none is known, as for a server on this machine. */
  readonly key: string | undefined
  /** Where the address comes from. */
  readonly source: 'environment' | 'profile' | 'default'
  /** Name of the stored profile that gave the address or the key. */
  readonly profile: string | undefined
}

/** Address of a server that `toolyard dev` or `npm start` runs. */
export const LOCAL_SERVER_URL = 'http://localhost:8001'
