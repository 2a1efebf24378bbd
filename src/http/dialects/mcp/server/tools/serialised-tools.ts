import type { OfferedTool } from './offered-tool.ts'

/** Place of the tools in an answer whose list is empty. The result is its first field, and its tools are the result's first. */
const PLACE = '"tools":[]'

const kept = new WeakMap<readonly OfferedTool[], Uint8Array>()

/**
 * Tools of one `tools/list` as the bytes of their JSON, which are made once for each list that is kept: making them of a hundred
 * schemas costs more than the rest of the request. The SDK answers with an empty list, whose place they take.
 */
export class SerialisedTools {
  #bytes: Uint8Array | null = null

  take(tools: readonly OfferedTool[]): void {
    let bytes = kept.get(tools)
    if (bytes === undefined) {
      bytes = new TextEncoder().encode(JSON.stringify(tools))
      kept.set(tools, bytes)
    }
    this.#bytes = bytes
  }

  /** The answer with the tools; unchanged where none were taken: an error, or a page of a longer list. */
  async putInto(answer: Response): Promise<Response> {
    const tools = this.#bytes
    if (tools === null) return answer
    const empty = await answer.text()
    const place = empty.indexOf(PLACE)
    if (place === -1) throw new Error('the answer has no place for the tools')
    const encoder = new TextEncoder()
    const before = encoder.encode(empty.slice(0, place + PLACE.length - '[]'.length))
    const after = encoder.encode(empty.slice(place + PLACE.length))
    const body = new Uint8Array(before.length + tools.length + after.length)
    body.set(before)
    body.set(tools, before.length)
    body.set(after, before.length + tools.length)
    const headers = new Headers(answer.headers)
    headers.delete('Content-Length')
    return new Response(body, { status: answer.status, headers })
  }
}
