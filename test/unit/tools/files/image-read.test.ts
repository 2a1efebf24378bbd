import { describe, expect, it } from 'vitest'
import { MAX_PICTURE_BYTES } from '../../../../src/core/limits/answers.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { toolbench } from '../../../support/toolbench.ts'

const bench = () => toolbench(catalog)

/** Beginning of a PNG with that size in its header, and bytes behind it. */
function png(width: number, height: number, more = 0): Uint8Array {
  const bytes = new Uint8Array(33 + more)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  const view = new DataView(bytes.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return bytes
}

const text = (words: string) => [...new TextEncoder().encode(words)]
const riff = (...chunk: number[]) =>
  Uint8Array.from([...text('RIFF'), 0, 0, 0, 0, ...text('WEBP'), ...chunk, ...Array<number>(20).fill(0)])

const GIF = Uint8Array.from([...text('GIF89a'), 16, 0, 9, 0, 0, 0, 0])
const JPEG = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8, 0, 9, 0, 16, 3, 0, 0, 0])
const LOSSY = riff(...text('VP8 '), 0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 16, 0, 9, 0)
const LOSSLESS = riff(...text('VP8L'), 0, 0, 0, 0, 0x2f, 15, 0, 2, 0)
const EXTENDED = riff(...text('VP8X'), 10, 0, 0, 0, 0, 0, 0, 0, 15, 0, 0, 8, 0, 0)

describe('image_read', () => {
  it.each([
    ['image/png', png(16, 9)],
    ['image/gif', GIF],
    ['image/jpeg', JPEG],
    ['image/webp', LOSSY],
    ['image/webp', LOSSLESS],
    ['image/webp', EXTENDED],
  ])('shows %s, whatever its name, with its size in pixels', async (media_type, picture) => {
    const { call, put } = bench()
    await put('code_run/plot', picture)
    const data = Buffer.from(picture).toString('base64')
    expect(await call('image_read', { file_path: 'code_run/plot' })).toEqual({
      text: `code_run/plot: ${media_type}, 16 by 9 pixels, ${picture.length} bytes`,
      data: {
        file_path: 'code_run/plot',
        media_type,
        width: 16,
        height: 9,
        file_size: picture.length,
        data_url: `data:${media_type};base64,${data}`,
      },
      content: [{ type: 'image', mimeType: media_type, data }],
    })
  })

  it('leaves out a long data URL, and says how to have it', async () => {
    const { call, put } = bench()
    await put('a.png', png(800, 600, 100_000))
    const { data, content } = await call('image_read', { file_path: 'a.png' })
    expect(data).not.toHaveProperty('data_url')
    expect(data.notes).toEqual([
      expect.stringMatching(/^data_url has \d+ characters and is left out; max_chars shows it/),
    ])
    expect(content).toHaveLength(1)
    const whole = await call('image_read', { file_path: 'a.png', max_chars: 200_000 })
    expect(String(whole.data.data_url)).toMatch(/^data:image\/png;base64,iVBOR/)
  })

  it.each([
    ['in bytes', png(800, 600, MAX_PICTURE_BYTES), /has 800 by 600 pixels and 3750033 bytes/],
    ['in pixels', png(8_001, 10), /has 8001 by 10 pixels and 33 bytes/],
  ])('refuses a picture that is too large %s, and says how to shrink it', async (_, picture, size) => {
    const { failure, put } = bench()
    await put('big.png', picture)
    const refused = await failure('image_read', { file_path: 'big.png' })
    expect(refused).toMatchObject({ code: 'limit_exceeded', message: expect.stringMatching(size) })
    expect(refused.message).toMatch(/Shrink it with execute_shell .*thumbnail.*read small\.jpg$/)
  })

  it('refuses what is no picture, is not there, or lies outside', async () => {
    const { failure, put } = bench()
    await put('a.png', 'no picture')
    await put('b.svg', '<svg/>')
    await put('dir/c', '')
    expect((await failure('image_read', { file_path: 'a.png' })).message).toMatch(/is no PNG, JPEG or GIF/)
    expect((await failure('image_read', { file_path: 'b.svg' })).code).toBe('invalid_input')
    expect((await failure('image_read', { file_path: 'dir/c' })).code).toBe('invalid_input')
    expect((await failure('image_read', { file_path: 'dir' })).message).toMatch(/^Not a file: dir/)
    expect((await failure('image_read', { file_path: 'none.png' })).message).toMatch(/^File not found: none\.png/)
    await put('code_run/rev.png', png(1, 1))
    expect((await failure('image_read', { file_path: 'rev.png' })).message).toBe(
      'File not found: rev.png; did you mean code_run/rev.png?',
    )
    expect((await failure('image_read', { file_path: '../a.png' })).code).toBe('invalid_input')
  })

  it('is not held up by a JPEG of endless segments', async () => {
    const { failure, put } = bench()
    const endless = new Uint8Array(3_000_000).fill(0xff)
    endless.set([0xff, 0xd8, 0xff])
    await put('a.jpg', endless)
    expect((await failure('image_read', { file_path: 'a.jpg' })).code).toBe('invalid_input')
  })
})
