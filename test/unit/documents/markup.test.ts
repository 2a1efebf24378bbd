import { describe, expect, it } from 'vitest'
import { markdownOf } from '../../../src/documents/markup.ts'
import { readMarkup } from '../../../src/documents/markup-tree.ts'
import { expectCost, plainPassMs } from '../../support/processor-time.ts'

const markdown = async (html: string) => markdownOf(await readMarkup(html))

describe('HTML as Markdown', () => {
  it.each([
    [
      'lists in lists',
      '<ol start=9><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ol>',
      '9. a\n   * b\n10. c\n\n    d',
    ],
    [
      'entries that can be ticked',
      '<ul><li><input type=checkbox checked> a</li><li><input type=checkbox>b</li></ul>',
      '* [x] a\n* [ ] b',
    ],
    ['a list of terms', '<dl><dt>a</dt><dd>b</dd></dl>', '**a**\n\nb'],
    ['a quote in a quote', '<blockquote>a<blockquote>b</blockquote></blockquote>', '> a\n>\n> > b'],
    ['marks that meet', '<p><b>Wo</b><b>rd</b> <i>a</i><i> b</i> <b><b>c</b></b></p>', '**Word** *a b* **c**'],
    ['lines', '<p>a<br>b</p>', 'a\nb'],
    [
      'powers and notes',
      '<p>10<sup>6</sup> 1<sup>st</sup> so<sup><a href="#n">2</a></sup> <a href="#r">↩</a></p>',
      '10^6 1st so[2]',
    ],
    [
      'letters above characters',
      '<ruby>漢<rt>kan</rt></ruby> <ruby>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby>',
      '漢(kan) 字(ji)',
    ],
    ['a figure', '<figure><img src="a.png" alt="A [1]"><figcaption>Cap</figcaption></figure>', '![A 1](a.png)\n\nCap'],
    ['text from right to left', '<p dir=rtl>שלום <a href="/he">קישור</a></p>', 'שלום [קישור](/he)'],
    ['text that would be a heading', '<p># no</p><p>```</p><p>#tag</p>', '\\# no\n\n\\```\n\n#tag'],
    ['a link to a place beside its heading', '<h2>A <code>b</code><a href="#a">¶</a></h2>', '## A `b`'],
  ])('keeps %s', async (_, html, expected) => {
    expect(await markdown(html)).toBe(expected)
  })

  it.each([
    ['spaces', '<a href="/a b">x</a>', '[x](/a%20b)'],
    ['brackets in pairs', '<a href="/C_(x)">x</a>', '[x](/C_(x))'],
    ['a lone bracket', '<a href="/a)">x</a>', '[x](/a%29)'],
    ['a title', '<a href="/a" title=\'say "a"\'>x</a>', '[x](/a "say \\"a\\"")'],
    ['an image', '<a href="/a"><img src="/i.png" alt="i"></a>', '[![i](/i.png)](/a)'],
    ['a heading and text', '<a href="/a"><h3>Head</h3><p>text</p></a>', '### [Head](/a)\n\ntext'],
    ['an image and text', '<a href="/a"><div><img src="i.png"></div><p>text</p></a>', '![](i.png)\n\n[text](/a)'],
    ['a name in code', '<code><a href="/a">f()</a></code>', '[`f()`](/a)'],
    ['a script', '<a href="javascript:x()">x</a>', 'x'],
  ])('keeps a link with %s', async (_, html, expected) => {
    expect(await markdown(`<p>${html}</p>`)).toBe(expected)
  })

  it.each([
    [
      'cells over columns and rows',
      '<tr><th colspan=2>a</th><th>b</th></tr><tr><td rowspan=2>c</td><td>d</td><td>e</td></tr><tr><td>f</td><td>g</td></tr>',
      '| a |  | b |\n| --- | --- | --- |\n| c | d | e |\n|  | f | g |',
    ],
    [
      'bars, lines and lists',
      '<tr><td>a|b</td><td>c<br>d</td></tr><tr><td><p>e</p><p>f</p></td><td><ul><li>g<li>h</ul></td></tr>',
      '| a\\|b | c<br>d |\n| --- | --- |\n| e<br>f | * g<br>* h |',
    ],
    [
      'code',
      '<tr><td>a</td><td><pre>b\n  c</pre></td></tr><tr><td>d</td><td>e</td></tr>',
      '| a | `b`<br>`c` |\n| --- | --- |\n| d | e |',
    ],
    ['a caption', '<caption>Cap</caption><tr><td>a</td><td>b</td></tr>', 'Cap\n\n| a | b |\n| --- | --- |'],
    [
      'a table, which lays out a page',
      '<tr><td><table><tr><td>a</td><td>b</td></tr></table></td><td>c</td></tr>',
      '| a | b |\n| --- | --- |\n\nc',
    ],
  ])('keeps a table with %s', async (_, html, expected) => {
    expect(await markdown(`<table>${html}</table>`)).toBe(expected)
  })

  it.each([
    ['<pre><code class="language-js">a  &lt; b\n</code></pre>', '```js\na  < b\n```'],
    ['<pre>\n```\n</pre>', '````\n```\n````'],
    ['<pre class="brush: python">a</pre>', '```python\na\n```'],
    ['<pre class="sourceCode c"><code>a</code></pre>', '```c\na\n```'],
    ['<div class="highlight highlight-source-shell"><pre>a</pre></div>', '```shell\na\n```'],
    [
      '<div class="highlight-python notranslate"><div class="highlight"><pre><span>a</span><br>b</pre></div></div>',
      '```python\na\nb\n```',
    ],
    ['<pre data-lang="go"><code><div>a</div><div>b</div></code><button>Copy</button></pre>', '```go\na\nb\n```'],
    [
      '<figure class="highlight js"><table><tr><td class="gutter"><pre>1</pre></td><td class="code"><pre>a</pre></td></tr></table></figure>',
      '```js\na\n```',
    ],
    ['<p><code>a`b</code></p>', '`` a`b ``'],
  ])('keeps code: %s', async (html, expected) => {
    expect(await markdown(html)).toBe(expected)
  })

  it.each([
    ['<math alttext="x^2"><mi>x</mi></math>', '$x^2$'],
    [
      '<math display="block"><semantics><mi>x</mi><annotation encoding="application/x-tex">x_1</annotation></semantics></math>',
      '$$x_1$$',
    ],
    [
      '<span class="katex"><span class="katex-mathml"><math alttext="y"></math></span><span class="katex-html" aria-hidden="true">y</span></span>',
      '$y$',
    ],
    [
      '<span class="mwe-math-mathml-inline" style="display: none"><math alttext="z"></math></span><img aria-hidden="true" src="z.svg" alt="z">',
      '$z$',
    ],
    ['<script type="math/tex; mode=display">a</script>', '$$a$$'],
  ])('keeps equations: %s', async (html, expected) => {
    expect(await markdown(`<p>${html}</p>`)).toBe(expected)
  })

  it.each([
    ['<img data-src="/real.jpg" src="data:image/gif;base64,R0">', '![](/real.jpg)'],
    ['<img srcset="/s.png 1x, /l.png 2x">', '![](/l.png)'],
    ['<picture><source srcset="/a,b.webp 480w, /c.webp 800w"><img alt="p"></picture>', '![p](/c.webp)'],
    ['<img src="/seen.png" srcset="/large.png 2x">', '![](/seen.png)'],
    ['<img src="/count.gif" width="1" height="1">', ''],
  ])('finds where an image is: %s', async (html, expected) => {
    expect(await markdown(html)).toBe(expected)
  })

  it.each([
    ['spaces in a link', `<a href="/x">a${'\u00a0'.repeat(1e6)}b</a>`],
    ['breaks in code', `<pre>${'\n'.repeat(1e6)}x</pre>`],
    ['brackets in a link', `<a href="/x"><div>${'['.repeat(1e6)}</div></a>`],
    ['fences in a cell', `<table><tr><td>${'```\n'.repeat(2e5)}</td><td>x</td></tr></table>`],
    ['links', '<p>some <a href="/l(1)">link</a> text</p>'.repeat(10_000)],
    ['links around blocks', `${'<a href="/x"><div>'.repeat(100)}x${'</div></a>'.repeat(100)}`.repeat(100)],
  ])('is made soon of many %s', async (_, html) => {
    await expectCost(async () => expect(await markdown(html)).not.toBe(''), {
      below: () => 800 * plainPassMs(1_000_000),
    })
  })
})
