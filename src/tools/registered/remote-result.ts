import { decodeBase64 } from '../../core/base64.ts'
import { FailureError, fail } from '../../core/failure.ts'
import { MAX_PICTURE_SIDE_PX } from '../../core/limits/answers.ts'
import { MAX_MCP_IMAGE_CHARS } from '../../core/limits/mcp.ts'
import { MAX_ERROR_BODY_CHARS } from '../../core/limits/registry.ts'
import type { ContentPart, Result } from '../../core/outcome.ts'
import { plainText, plainValue } from '../../core/plain-text.ts'
import { pictureKind } from '../../documents/image-kind.ts'
import type { Mask } from './masked.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Result of a remote tool, as data: text without characters that nobody sees, structured content where there is some, and pictures.
 * @throws FailureError `upstream` with the tool's own error, or for a result that is none
 */
export function remoteResult({ content, structuredContent, isError }: Fields, mask: Mask): Result {
  const blocks = Array.isArray(content) ? content.map(fieldsOf) : []
  const text = mask.text(
    blocks
      .map(textOf)
      .filter((one) => one !== '')
      .join('\n'),
  )
  if (isError === true) {
    fail(
      'upstream',
      text === '' ? 'the tool failed and does not say why' : text.slice(0, MAX_ERROR_BODY_CHARS).toWellFormed(),
    )
  }
  const pictures = blocks.flatMap(pictureOf)
  const data = structuredContent === undefined ? null : mask.value(plainValue(structuredContent))
  const hasMore = blocks.some(({ type }) => type !== 'text')
  const result = structuredContent === undefined ? (hasMore ? mask.value(plainValue(blocks)) : text) : data
  return {
    text: text === '' && data !== null ? JSON.stringify(data) : text,
    data: { result },
    ...(pictures.length > 0 && { content: pictures }),
  }
}

/** A part of a result in words; data that is no text is named alone. */
function textOf({ type, text, mimeType, data, resource, uri, name }: Fields): string {
  switch (type) {
    case 'text':
      return typeof text === 'string' ? plainText(text) : ''
    case 'image':
    case 'audio':
      return `[${type}, ${shown(mimeType)}, ${typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0} bytes]`
    case 'resource_link':
      return `[resource ${shown(uri)}${name === undefined ? '' : `: ${shown(name)}`}]`
    case 'resource': {
      const held = fieldsOf(resource)
      return typeof held.text === 'string'
        ? `[resource ${shown(held.uri)}]\n${plainText(held.text)}`
        : `[resource ${shown(held.uri)}, ${shown(held.mimeType)}]`
    }
    default:
      return `[${shown(type)}]`
  }
}

/** Picture of an image block that a model can take: another one would make it refuse the whole conversation. */
function pictureOf({ type, data }: Fields): ContentPart[] {
  if (type !== 'image' || typeof data !== 'string' || data.length > MAX_MCP_IMAGE_CHARS) return []
  if (data.length % 4 !== 0 || !BASE64.test(data)) return []
  try {
    const { mediaType, width, height } = pictureKind(decodeBase64(data, 'the picture'), 'the picture')
    return Math.max(width, height) > MAX_PICTURE_SIDE_PX ? [] : [{ type: 'image', mimeType: mediaType, data }]
  } catch (thrown) {
    if (thrown instanceof FailureError) return []
    throw thrown
  }
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

const shown = (value: unknown) =>
  typeof value === 'string' ? plainText(value).slice(0, 200).toWellFormed() : 'of no name'
