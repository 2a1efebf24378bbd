import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { ROOT, workspacePath } from '../../../../src/core/workspace-path.ts'
import { readDeck, writeDeck } from '../../../../src/documents/deck/deck.ts'
import { textPage as textPageOf } from '../../../../src/documents/deck/pages.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { png } from '../../../support/images.ts'
import { outsideBench } from '../../../support/outside-bench.ts'
import { toolbench } from '../../../support/toolbench.ts'

type Bench = ReturnType<typeof toolbench>

const begin = (bench: Bench, abs_location = '/slides/talk.pptx') =>
  bench.data('ppt_create_file', { theme: 'Default', abs_location })
const textPage = { title: 'Why', bullet_items: ' one [SPAN]two & <three>[SPAN][SPAN]三：中文\nzweite Zeile ' }
const sizes = (bench: Bench, path: string, page: number) =>
  bench.workspace.read(workspacePath(path)).then((bytes) => {
    const xml = new TextDecoder().decode(unzipSync(bytes ?? new Uint8Array())[`ppt/slides/slide${page}.xml`])
    return [...xml.matchAll(/<a:rPr sz="(\d+)"/g)].map(([, size]) => Number(size) / 100)
  })

describe('a presentation', () => {
  it('is made page by page, and is whole after each', async () => {
    const bench = toolbench(catalog)
    await bench.put('plot.png', png(40, 20))
    expect(await begin(bench)).toEqual({ status: 'created a ppt file.' })
    const read = async () => (await bench.data('parse_document', { file_path: 'slides/talk.pptx' })).content
    expect(await read()).toBe('')
    expect(await bench.data('ppt_add_first_page', { title: '你好 & <World>', subtitle: 'Ada, 2026' })).toEqual({
      status: 'added page',
    })
    expect(await read()).toBe('<!-- slide 1 -->\n\n# 你好 & <World>\n\nAda, 2026')
    await bench.data('ppt_add_text_page', textPage)
    expect(
      await bench.data('ppt_add_text_image_page', { title: 'Look', bullet_items: 'left', image: '/plot.png' }),
    ).toEqual({ status: 'added page' })
    expect(await bench.data('ppt_submit_file', {})).toEqual({ status: 'submitted. view ppt at /slides/talk.pptx' })
    expect(await bench.data('parse_document', { file_path: 'slides/talk.pptx' })).toMatchObject({
      content:
        '<!-- slide 1 -->\n\n# 你好 & <World>\n\nAda, 2026\n\n' +
        '<!-- slide 2 -->\n\n# Why\n\n* one\n* two & <three>\n* 三：中文\n  zweite Zeile\n\n' +
        '<!-- slide 3 -->\n\n# Look\n\nleft\n\n![plot.png](Image.jpg)',
      metadata: { title: 'talk', slides: 3 },
    })
  })

  it('is opened by LibreOffice, with its text and its image', async () => {
    const bench = toolbench(catalog)
    await bench.put('plot.png', png(400, 200))
    await begin(bench, 'talk.pptx')
    await bench.call('ppt_add_first_page', { title: '演示文稿', subtitle: '' })
    await bench.call('ppt_add_text_page', textPage)
    await bench.call('ppt_add_text_image_page', { title: 'Look', bullet_items: 'left', image: 'plot.png' })
    const { exitCode, stderr } = await bench.runner.run({
      script:
        'soffice -env:UserInstallation=file://$PWD/.profile --headless --convert-to pdf talk.pptx >&2; rm -r .profile',
      cwd: ROOT,
      timeoutMs: 60_000,
      label: 'test',
    })
    expect([exitCode, stderr.text]).toEqual([0, expect.stringContaining('talk.pdf')])
    const { content, metadata } = await bench.data('parse_document', { file_path: 'talk.pdf' })
    expect(metadata).toMatchObject({ pages: 3 })
    for (const shown of ['演示文稿', 'Why', 'two & <three>', '三：中文', 'zweite Zeile', 'Look', 'left']) {
      expect(content).toContain(shown)
    }
    const pdf = await bench.workspace.read(workspacePath('talk.pdf'))
    expect(new TextDecoder('latin1').decode(pdf ?? undefined)).toMatch(/\/Subtype\s*\/Image\b[^>]*\/Width 400/)
  }, 60_000)

  it('goes into the file that was begun last', async () => {
    const bench = toolbench(catalog)
    await begin(bench, 'a.pptx')
    await begin(bench, 'b')
    await bench.call('ppt_add_text_page', textPage)
    expect(await bench.data('ppt_submit_file', {})).toEqual({ status: 'submitted. view ppt at b.pptx' })
    expect(await bench.data('parse_document', { file_path: 'a.pptx' })).toMatchObject({ metadata: { slides: 0 } })
    expect(await bench.data('parse_document', { file_path: 'b.pptx' })).toMatchObject({ metadata: { slides: 1 } })
  })

  it('shows much text small, and little large', async () => {
    const bench = toolbench(catalog)
    await begin(bench, 'a.pptx')
    await bench.call('ppt_add_text_page', { title: 'T', bullet_items: 'short' })
    await bench.call('ppt_add_text_page', { title: '长'.repeat(200), bullet_items: '很长的一行文字'.repeat(100) })
    expect(await sizes(bench, 'a.pptx', 1)).toEqual([36, 28])
    const [title = 0, text = 0] = await sizes(bench, 'a.pptx', 2)
    expect([title < 24, text < 20]).toEqual([true, true])
  })

  it('takes an image from the web, whatever it calls itself', async () => {
    const image = png(3, 5)
    const bench = await outsideBench(({ path }) =>
      path === '/gone.png' ? { status: 404 } : { headers: { 'content-type': 'text/html' }, body: image },
    )
    await begin(bench, 'a.pptx')
    const page = { title: 'T', bullet_items: '' }
    await bench.call('ppt_add_text_image_page', { ...page, image: `${bench.service.url}/pic` })
    const files = unzipSync((await bench.workspace.read(workspacePath('a.pptx'))) ?? new Uint8Array())
    expect(files['ppt/media/image1.png']).toEqual(image)
    // Longer than a name of a file may be, as those of some image services are.
    const long = `${bench.service.url}/${'x'.repeat(2_000)}%22%3E.png`
    expect(await bench.data('ppt_add_text_image_page', { ...page, image: long })).toEqual({ status: 'added page' })
    const gone = await bench.failure('ppt_add_text_image_page', { ...page, image: `${bench.service.url}/gone.png` })
    expect(gone).toMatchObject({ code: 'upstream', message: expect.stringContaining('404') })
    const inside = await bench.failure('ppt_add_text_image_page', { ...page, image: 'http://169.254.169.254/x.png' })
    expect(inside.code).toBe('forbidden')
  })

  it('says what to do when it was not begun, or was changed by others', async () => {
    const bench = toolbench(catalog)
    for (const [tool, args] of [
      ['ppt_add_text_page', textPage],
      ['ppt_add_text_image_page', { ...textPage, image: 'a.png' }],
      ['ppt_submit_file', {}],
    ] as const) {
      expect(await bench.failure(tool, args)).toEqual({
        code: 'not_found',
        message: 'no ppt file was begun in this session; call ppt_create_file first',
      })
    }
    await begin(bench, 'a.pptx')
    await bench.put('a.pptx', 'by somebody else')
    const changed = { code: 'conflict', message: expect.stringContaining('begin anew with ppt_create_file') }
    expect(await bench.failure('ppt_add_text_page', textPage)).toEqual(changed)
    expect(await bench.content('a.pptx')).toBe('by somebody else')
    await bench.workspace.commit([{ op: 'remove', path: workspacePath('a.pptx') }])
    expect(await bench.failure('ppt_submit_file', {})).toEqual(changed)
    expect((await bench.failure('ppt_create_file', { theme: 'Dark', abs_location: 'x' })).message).toContain(
      '"Default"',
    )
    for (const abs_location of ['/', '..', 'slides/', 'slides/.', 'a/..', '.pptx', 'slides/.PPT', ' ']) {
      expect(await bench.failure('ppt_create_file', { theme: 'Default', abs_location })).toEqual({
        code: 'invalid_input',
        message: `abs_location ${JSON.stringify(abs_location)} names no file; give e.g. "/slides/talk.pptx"`,
      })
    }
  })

  it('takes bullets as a list, and pages without a title', async () => {
    const bench = toolbench(catalog)
    await begin(bench, 'a.pptx')
    await bench.data('ppt_add_first_page', { title: '', subtitle: 'S' })
    await bench.data('ppt_add_text_page', { title: '', bullet_items: ['one', 'two[SPAN]three'] })
    expect((await bench.data('parse_document', { file_path: 'a.pptx' })).content).toBe(
      '<!-- slide 1 -->\n\nS\n\n<!-- slide 2 -->\n\n* one\n* two\n* three',
    )
    const mixed = await bench.failure('ppt_add_text_page', { title: 'T', bullet_items: ['one', 2] })
    expect(mixed.message).toContain('bullet_items')
  })
})

describe('what a presentation is attacked with', () => {
  const page = { title: 'T', bullet_items: 'x' }

  it.each([
    ['text', 'not an image'],
    ['a name alone', ''],
    ['a signature alone', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
    ['an image without size', png(0, 5)],
    ['a JPEG that never begins', Uint8Array.of(0xff, 0xd8, 0xff, ...new Uint8Array(2_000).fill(0xff))],
    ['a JPEG of empty segments', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, ...new Uint8Array(2_000))],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ])('refuses an image that is none: %s', async (_name, content) => {
    const bench = toolbench(catalog)
    await begin(bench, 'a.pptx')
    await bench.put('x.png', content)
    const failure = await bench.failure('ppt_add_text_image_page', { ...page, image: 'x.png' })
    expect(failure).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('convert it to PNG') })
  })

  it('does not read an image of 100 MB, here or from the web', async () => {
    const huge = new Uint8Array(100_000_000)
    huge.set(png(1, 1))
    const bench = await outsideBench(() => ({ body: huge }))
    await begin(bench, 'a.pptx')
    await bench.put('x.png', huge)
    for (const image of ['x.png', bench.service.url]) {
      const failure = await bench.failure('ppt_add_text_image_page', { ...page, image })
      expect(failure).toMatchObject({ code: 'limit_exceeded', message: expect.stringContaining(`${5 * 1024 * 1024}`) })
    }
  })

  it('reads no image out of the task', async () => {
    const bench = toolbench(catalog)
    await begin(bench, 'a.pptx')
    await bench.workspace.commit([{ op: 'link', path: workspacePath('out.png'), target: '/etc/passwd' }])
    for (const image of ['../../etc/passwd', 'out.png', 'file:///etc/passwd', 'nothing.png']) {
      const { code } = await bench.failure('ppt_add_text_image_page', { ...page, image })
      expect([image, code]).toEqual([image, expect.stringMatching(/invalid_input|not_found|forbidden/)])
    }
    expect((await bench.failure('ppt_create_file', { theme: 'Default', abs_location: '../../x' })).code).toBe(
      'invalid_input',
    )
  })

  it('takes no flood of bullets, and no page that nobody could read', async () => {
    const bench = toolbench(catalog)
    await begin(bench, 'a.pptx')
    const limit = async (more: object) => (await bench.failure('ppt_add_text_page', { ...page, ...more })).message
    expect(await limit({ bullet_items: 'x[SPAN]'.repeat(1_000_000) })).toContain('MAX_DECK_PAGE_CHARS')
    expect(await limit({ bullet_items: 'x[SPAN]'.repeat(61) })).toContain('MAX_DECK_BULLETS')
    expect(await limit({ title: 'x'.repeat(10_001) })).toContain('MAX_DECK_PAGE_CHARS')
    await bench.call('ppt_add_text_page', { ...page, bullet_items: '[SPAN]'.repeat(1_600) })
  })

  it('has its largest number of pages, long before 10,000, and never more', async () => {
    const pages = Array.from({ length: 10_000 }, () => textPageOf('T', ['x']))
    expect(() => writeDeck({ pages }, 'a')).toThrow('300 pages (MAX_DECK_PAGES)')
    const largest = writeDeck({ pages: pages.slice(0, 300) }, 'a')
    expect((await readDeck(largest)).pages).toEqual(pages.slice(0, 300))
  })

  it('ends when its images are too much for one file', async () => {
    const bench = toolbench(catalog)
    await begin(bench, 'a.pptx')
    const large = new Uint8Array(5 * 1024 * 1024)
    crypto.getRandomValues(large.subarray(0, 65_536))
    large.set(png(9, 9))
    await bench.put('x.png', large)
    for (let at = 0; at < 3; at++) await bench.call('ppt_add_text_image_page', { ...page, image: 'x.png' })
    const failure = await bench.failure('ppt_add_text_image_page', { ...page, image: 'x.png' })
    expect(failure).toMatchObject({ code: 'limit_exceeded', message: expect.stringContaining('MAX_EDIT_BYTES') })
    expect(await bench.data('parse_document', { file_path: 'a.pptx' })).toMatchObject({ metadata: { slides: 3 } })
  })

  it('leaves out what XML cannot hold', async () => {
    const bench = toolbench(catalog)
    await begin(bench, 'a.pptx')
    await bench.call('ppt_add_text_page', { title: 'a\0b\u0007\ud800c\uffff]]>', bullet_items: '</a:t><x/>' })
    const { content } = await bench.data('parse_document', { file_path: 'a.pptx' })
    expect(content).toContain('# ab\ufffdc]]>')
    expect(content).toContain('</a:t><x/>')
  })
})
