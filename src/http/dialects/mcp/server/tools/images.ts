import type { ContentBlock } from '@modelcontextprotocol/server'
import { decodeBase64 } from '../../../../../core/base64.ts'
import { isObject } from '../../../../../core/json-object.ts'
import { MAX_PICTURE_SIDE_PX } from '../../../../../core/limits/answers.ts'
import { MAX_MCP_IMAGE_CHARS, MAX_MCP_IMAGES } from '../../../../../core/limits/mcp.ts'
import type { Result } from '../../../../../core/outcome.ts'

/** Images of a result: pictures that the tool shows, and those of a notebook's cell. `left`: number of those that are too many or too large. */
export function imagesOf({ content = [], data }: Result): {
  readonly images: readonly ContentBlock[]
  readonly left: number
} {
  const given = [...content.map(({ data, mimeType }) => ({ data, mimeType })), ...cellImages(data)]
  const images: ContentBlock[] = []
  let chars = 0
  for (const { data, mimeType } of given) {
    if (images.length >= MAX_MCP_IMAGES || chars + data.length > MAX_MCP_IMAGE_CHARS) continue
    chars += data.length
    images.push({ type: 'image', data, mimeType })
  }
  return { images, left: given.length - images.length }
}

/** Images that a cell put out. What is no PNG of a size that models take would make a model refuse the whole conversation. */
function cellImages({ outputs }: Result['data']): { data: string; mimeType: string }[] {
  if (!Array.isArray(outputs)) return []
  return outputs.flatMap((output: unknown) => {
    const given = isObject(output) && isObject(output.data) ? output.data['image/png'] : undefined
    const text = Array.isArray(given) ? given.join('') : given
    if (typeof text !== 'string') return []
    const data = text.replaceAll(/\s/g, '')
    return isShownPng(data) ? [{ data, mimeType: 'image/png' }] : []
  })
}

/** Base64 of a PNG's signature and of its header, which begins with its width and height: 24 bytes. */
const HEAD_CHARS = 32
const SIGNATURE = 'iVBORw0KGgo'

function isShownPng(data: string): boolean {
  const isBase64 = data.length >= HEAD_CHARS && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
  if (!isBase64 || !data.startsWith(SIGNATURE)) return false
  const head = decodeBase64(data.slice(0, HEAD_CHARS), 'an image')
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const sides = [view.getUint32(16), view.getUint32(20)]
  return sides.every((side) => side > 0 && side <= MAX_PICTURE_SIDE_PX)
}
