import { epub } from '../../../support/documents.ts'
import { type HostileFile, ofTexts, utf8 } from '../hostile-file.ts'

const nested = (open: string, depth: number, inner: string) => `${open.repeat(depth)}${inner}`

/** Texts of HTML, for documents and for pages alike. */
const HTML: Readonly<Record<string, () => string>> = {
  'bold and italic, left open': () => '<b><i>'.repeat(75_000),
  'bold text in a table, left open': () => `<table>${'<b>x'.repeat(100_000)}`,
  'elements that close what is not open': () => '<b>'.repeat(100_000) + '</x>'.repeat(100_000),
  'elements that close in the wrong order': () => '<b><i></b></i>'.repeat(60_000),
  'paragraphs in buttons': () => '<p><button>'.repeat(75_000),
  'lists within each other': () => nested('<ul><li>', 100, '<li>x'.repeat(60_000)),
  'lists directly in lists': () => nested('<ul>', 190, '<li>x'.repeat(60_000)),
  'quotes within each other': () => nested('<blockquote>', 190, '<p>x'.repeat(60_000)),
  'tables within each other': () => nested('<table><tr><td>a<td>', 80, 'x|y<br>'.repeat(60_000)),
  'links within each other': () => nested('<a href=x><h1>a</h1>', 80, '<p>x'.repeat(60_000)),
  'cells that span many': () => `<table>${'<tr><td colspan=100 rowspan=100>x<td colspan=100>y'.repeat(20_000)}`,
  'code in cells': () => `<table><tr><th>a<th>b<tr><td>${'<pre>x</pre>'.repeat(30_000)}`,
  'beginnings of code in cells': () => `<table><tr><th>a<th>b<tr><td>a<td>${'```a<br>'.repeat(100_000)}`,
  'code below a class of two megabytes': () =>
    `<div class="highlight ${'a '.repeat(1_000_000)}">${'<pre>x</pre>'.repeat(30_000)}`,
  'images of one picture': () => `<picture>${'<img alt=a>'.repeat(70_000)}`,
  'sizes of one image': () => `<img srcset="${'a 1x, '.repeat(500_000)}">`,
  'a hundred thousand attributes': () => `<p ${Array.from({ length: 100_000 }, (_, at) => `a${at}`).join(' ')}>x`,
  'an attribute of four megabytes': () => `<p title="${'x '.repeat(2_000_000)}">x`,
  'a style of four megabytes': () => `<p style="${'display '.repeat(500_000)}">x`,
  'quotes that do not end': () => '<a b="'.repeat(200_000),
  'comments that do not end': () => '<!--'.repeat(200_000),
  'character data that does not end': () => '<![CDATA['.repeat(200_000),
  instructions: () => '<?x '.repeat(200_000),
  'ends of nothing': () => '</'.repeat(500_000),
  'scripts that nearly end': () => `<script>${'</scrip'.repeat(400_000)}`,
  scripts: () => '<script></script>'.repeat(70_000),
  'drawings within each other': () => '<svg><title>'.repeat(50_000),
  'equations within each other': () => '<math><mi>x'.repeat(50_000),
  'templates within each other': () => '<template>'.repeat(75_000),
  'choices within each other': () => '<select><option>'.repeat(60_000),
  'character references': () => '&amp;&#x41;&CounterClockwiseContourIntegral;'.repeat(60_000),
  'character references that do not end': () => '&CounterClockwiseContourIntegra'.repeat(100_000),
  'menus within each other around a heading': () => nested('<nav>', 240, `${'<p>x</p>'.repeat(60_000)}<h1>x</h1>`),
  'asides within each other': () => nested('<aside>', 240, '<p>x, y</p>'.repeat(60_000)),
  'articles within each other': () => nested('<article>', 240, '<p>x, y</p>'.repeat(60_000)),
  'empty paragraphs deep within lists': () => nested('<ul><li>', 120, '<p></p>'.repeat(60_000)),
  'hidden equations': () => nested('<div style="display:none">', 240, '<math></math>'.repeat(30_000)),
  'scripts deep within the page': () => nested('<div>', 240, '<script>x</script>'.repeat(60_000)),
  'images deep within links': () => nested('<div><a>', 120, '<img src=x>'.repeat(60_000)),
  'headings deep within the page': () => nested('<div>', 240, '<h2>x</h2>'.repeat(60_000)),
  'prose deep within the page': () =>
    nested('<div>', 240, '<p>lorem, ipsum dolor sit amet, consectetur</p>'.repeat(60_000)),
  breaks: () => '<br>'.repeat(70_000),
  spaces: () => `<p>${' '.repeat(4_000_000)}x`,
  'lines of code': () => `<pre>${'\n'.repeat(4_000_000)}x`,
  stars: () => `<b>${'*'.repeat(4_000_000)}`,
  backticks: () => `<code>${'` '.repeat(2_000_000)}`,
}

const XHTML: Readonly<Record<string, () => Uint8Array>> = {
  'bold and italic, left open': () => epub(['<b><i>'.repeat(75_000)]),
  'elements that close themselves': () => epub(['<a/>'.repeat(200_000)]),
  slashes: () => epub([`<a ${'/'.repeat(2_000_000)}`]),
  'beginnings of elements': () => epub(['<a '.repeat(500_000)]),
  'two thousand chapters': () => epub(Array.from({ length: 2_000 }, () => '<p>x</p>')),
  'a chapter that unpacks to much': () => epub([' '.repeat(60_000_000)]),
}

/** What costs a page most, which has a tree of another kind and is read twice; the others are of documents alone. */
const PAGES: readonly string[] = [
  'bold and italic, left open',
  'bold text in a table, left open',
  'lists within each other',
  'quotes within each other',
  'cells that span many',
  'code below a class of two megabytes',
  'images of one picture',
  'a hundred thousand attributes',
  'an attribute of four megabytes',
  'menus within each other around a heading',
  'articles within each other',
  'hidden equations',
  'prose deep within the page',
  'breaks',
]

const page = (name: string): HostileFile => ({ name, format: 'page', bytes: () => utf8(HTML[name]?.() ?? '') })

export const markup: readonly HostileFile[] = [
  ...ofTexts('html', HTML),
  ...PAGES.map(page),
  ...Object.entries(XHTML).map(([name, bytes]) => ({ name, format: 'epub' as const, bytes })),
]
