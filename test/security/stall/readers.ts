import { FailureError } from '../../../src/core/failure.ts'
import { formatOf } from '../../../src/documents/formats.ts'
import { decodePage } from '../../../src/documents/page/charset.ts'
import { readPage } from '../../../src/documents/page/read-page.ts'
import { readDocument } from '../../../src/documents/read-document.ts'
import { parseXml } from '../../../src/documents/xml.ts'
import { parseExactJson } from '../../../src/http/json.ts'
import { readSource } from '../../../src/papers/sources/read-source.ts'
import { readDocument as readApi } from '../../../src/registry/apis/document.ts'
import { toolsOfOpenApi } from '../../../src/registry/apis/openapi.ts'
import { readTools } from '../../../src/registry/import/tool-file.ts'
import { readYaml } from '../../../src/registry/import/yaml-file.ts'
import { mayRead } from '../../../src/tools/web/robots.ts'
import type { Format } from './hostile-file.ts'

const clock = { now: () => Date.now() }
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const never = new AbortController().signal

async function readAsDocument(extension: string, bytes: Uint8Array): Promise<void> {
  const load = formatOf(`.${extension}`)
  if (!load) throw new Error(`no reader of .${extension}`)
  const document = await (await load())(bytes, `a.${extension}`)
  try {
    await readDocument(document, undefined, clock, never)
  } finally {
    await document.close?.()
  }
}

const readAsPaper = (extension: string, bytes: Uint8Array) => readSource(bytes, { name: `a.${extension}` }, never)

function readTool(text: string): void {
  const read = readYaml(text)
  if ('value' in read) readTools(read)
}

/** Reads a file as the server does, with all that it makes of it. @throws FailureError for what it refuses */
export async function readAs(format: Format, bytes: Uint8Array): Promise<void> {
  switch (format) {
    case 'page':
      await readPage(decodePage(bytes, 'text/html'), 'https://site.example/page')
      return
    case 'robots':
      mayRead(textOf(bytes), `/${'a'.repeat(8_000)}`)
      return
    case 'gz':
    case 'tar':
    case 'tex':
      await readAsPaper(format, bytes)
      return
    case 'json':
      parseExactJson(textOf(bytes))
      return
    case 'openapi':
      toolsOfOpenApi(readApi(textOf(bytes)), { env: 'A' })
      return
    case 'yaml':
      readTool(textOf(bytes))
      return
    case 'xml':
      parseXml(textOf(bytes))
      return
    default:
      await readAsDocument(format, bytes)
      if (format === 'md') await readAsPaper(format, bytes)
  }
}

/** As {@link readAs}. @returns `read`, `refused: why`, or `fault: …` for an error that no reader should throw */
export async function outcomeOf(format: Format, bytes: Uint8Array): Promise<string> {
  try {
    await readAs(format, bytes)
    return 'read'
  } catch (thrown) {
    if (thrown instanceof FailureError) return `refused: ${thrown.failure.message}`
    return `fault: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`
  }
}
