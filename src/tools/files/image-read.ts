import * as z from 'zod'
import { encodeBase64 } from '../../core/base64.ts'
import { fail } from '../../core/failure.ts'
import { ANSWER_CHARS, MAX_DATA_URL_CHARS, MAX_PICTURE_BYTES, MAX_PICTURE_SIDE_PX } from '../../core/limits/answers.ts'
import { say, tool } from '../../core/saying/saying.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { pictureKind } from '../../documents/image-kind.ts'
import { maxChars } from '../answer-budget.ts'
import { onePath } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { defineTool } from '../define.ts'
import { whatExists } from '../what-exists.ts'

/** Shows a picture to a model. Of the file only the header is read; the bytes go on as they are. */
export const imageRead = defineTool({
  name: 'image_read',
  description:
    `See a picture of the task: PNG, JPEG, GIF or WebP, of at most ${Math.floor((MAX_PICTURE_BYTES / 1024 ** 2) * 10) / 10} MiB and ` +
    `${MAX_PICTURE_SIDE_PX} pixels a side. Runs without a sandbox. Returns the image, its type, width and height in pixels, ` +
    'and its size in bytes. Shrink a larger one with execute_code first.',
  effect: 'read',
  uses: ['workspace'],
  input: z.object({
    file_path: onePath.describe('Path relative to the task root, e.g. "code_run/plot.png"'),
    max_chars: maxChars(ANSWER_CHARS, { most: MAX_DATA_URL_CHARS, of: 'data_url, in APIs that have no images' }),
  }),

  async run({ file_path, max_chars }, { ports: { workspace } }) {
    const path = callerPath(workspace, file_path)
    const entry = workspace.stat(path)
    if (entry?.kind === 'directory')
      fail('invalid_input', say`Not a file: ${file_path}; ${tool('dir_list')} shows what is in it`)
    const bytes = await workspace.read(path)
    if (!bytes) fail('not_found', say`File not found: ${file_path}; ${await whatExists(workspace, path)}`)
    const { mediaType, width, height } = pictureKind(bytes, file_path)
    if (bytes.length > MAX_PICTURE_BYTES || Math.max(width, height) > MAX_PICTURE_SIDE_PX) {
      const code = `from PIL import Image; i = Image.open(${JSON.stringify(file_path)}); i.thumbnail((1568, 1568)); i.convert("RGB").save("small.jpg")`
      fail(
        'limit_exceeded',
        say`${file_path} has ${width} by ${height} pixels and ${bytes.length} bytes; at most ${MAX_PICTURE_SIDE_PX} pixels a side (MAX_PICTURE_SIDE_PX) and ${MAX_PICTURE_BYTES} bytes (MAX_PICTURE_BYTES) are shown. Shrink it with ${tool('execute_shell')} in the root: python -c ${shellQuote(code)}, and read small.jpg`,
      )
    }
    const data = encodeBase64(bytes)
    const url = `data:${mediaType};base64,${data}`
    const left = `data_url has ${url.length} characters and is left out; max_chars shows it, at most ${MAX_DATA_URL_CHARS}, or shrink the picture`
    return {
      text: `${file_path}: ${mediaType}, ${width} by ${height} pixels, ${bytes.length} bytes`,
      data: {
        file_path,
        media_type: mediaType,
        width,
        height,
        file_size: bytes.length,
        ...(url.length <= max_chars ? { data_url: url } : { notes: [left] }),
      },
      content: [{ type: 'image', mimeType: mediaType, data }],
    }
  },
})
