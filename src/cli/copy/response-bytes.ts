import { Readable } from 'node:stream'

/** Body of an answer as a stream of Node. */
export function bytesOf({ body }: Response): Readable {
  // The types of Workers and of Node have a class of this name each; at run time it is one.
  return body ? Readable.fromWeb(body as never) : Readable.from([])
}
