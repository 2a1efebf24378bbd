import type { SessionName } from '../../../../../core/ids.ts'

/** URI of a file of a session: `toolyard://{session}/{+path}`, each segment percent-encoded. */
export const fileUri = (session: SessionName, path: string): string =>
  `toolyard://${encoded(session)}/${path.replace(/^\/+/, '').split('/').map(encoded).join('/')}`

const encoded = (segment: string) => encodeURIComponent(segment.toWellFormed())
