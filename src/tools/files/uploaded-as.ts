/**
 * File to upload in the words of `file_upload`: some of the Tool Server's documents call the name `name`, and models call it a path, the
 * content a text, and base64 an encoding. A data URL, as image_read gives it, is base64 unless the call says that it is none.
 */
export function uploadedAs(file: unknown): unknown {
  if (typeof file !== 'object' || file === null || Array.isArray(file)) return file
  const given: Readonly<Record<string, unknown>> = { ...file }
  const filename = given.filename ?? given.name ?? given.path ?? given.file_path ?? given.file_name
  const content = given.content ?? given.text ?? given.data
  const isNamed = typeof given.encoding === 'string' && given.encoding.trim().toLowerCase() === 'base64'
  const base64 = given.is_base64 ?? given.base64 ?? (isNamed ? true : undefined)
  const isBase64 = base64 ?? (isDataUrl(content) ? true : undefined)
  return {
    ...given,
    ...(filename !== undefined && { filename }),
    ...(content !== undefined && { content }),
    ...(isBase64 !== undefined && { is_base64: isBase64 }),
  }
}

/** Whether a text is a data URL of bytes, and nothing else. */
function isDataUrl(content: unknown): boolean {
  if (typeof content !== 'string') return false
  const [head] = DATA_URL.exec(content.slice(0, MAX_HEAD_CHARS)) ?? []
  return head !== undefined && /^[A-Za-z0-9+/_\s-]*(?:=\s*){0,2}$/.test(content.slice(head.length))
}

const DATA_URL = /^\s*data:[\w.+-]{1,60}\/[\w.+-]{1,100}(?:;[\w.+-]{1,60}=[\w.+-]{1,60}){0,3};base64,/i
const MAX_HEAD_CHARS = 1_000
