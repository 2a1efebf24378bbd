import type { Download } from '../session/files-api.ts'

/** Answer with a file that browsers save under its name and never show. @param body null for the headers alone */
export const attachment = (
  { name, body }: { readonly name: string; readonly body: Download['body'] | null },
  mediaType = 'application/octet-stream',
) =>
  new Response(body, {
    headers: {
      'Content-Type': mediaType,
      'Content-Disposition': disposition(name),
      'X-Content-Type-Options': 'nosniff',
    },
  })

/** `Content-Disposition` by RFC 6266: a plain name for old clients and, where it differs, the real one in UTF-8 (RFC 5987). */
function disposition(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  if (plain === name) return `attachment; filename="${name}"`
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
