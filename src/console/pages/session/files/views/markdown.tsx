import { useMemo } from 'preact/hooks'
import { Text } from '../../../../parts/text.tsx'
import { type Block, markdownOf, type Run } from './markdown-blocks.ts'
import type { TextViewProps } from './text-view.ts'

/** Markdown as it is meant to be read. HTML in it is text, addresses lead nowhere, and pictures are their words. */
export function Markdown({ text }: TextViewProps) {
  const { blocks, isCut } = useMemo(() => markdownOf(text), [text])
  return (
    <article class="markdown">
      {blocks.map((block, at) => (
        <BlockView key={at} block={block} />
      ))}
      {isCut && <p class="soft">The rest is in the source.</p>}
    </article>
  )
}

/** Headings of a file are below the page's own. */
const HEADINGS = ['h3', 'h4', 'h5', 'h6'] as const

function BlockView({ block }: { readonly block: Block }) {
  if (block.kind === 'rule') return <hr />
  if (block.kind === 'code') return <Text>{block.text}</Text>
  if (block.kind === 'table') return <TableView rows={block.rows} />
  if (block.kind === 'list') {
    return (
      <ul>
        {block.items.map(({ depth, mark, runs }, at) => (
          <li key={at} class={`markdown-item depth-${depth}`}>
            <span>{/\d/.test(mark) ? mark : '•'}</span>
            <span>
              <Inline runs={runs} />
            </span>
          </li>
        ))}
      </ul>
    )
  }
  if (block.kind === 'heading') {
    const Heading = HEADINGS[Math.min(block.level, HEADINGS.length) - 1] ?? 'h6'
    return (
      <Heading class={`level-${block.level}`}>
        <Inline runs={block.runs} />
      </Heading>
    )
  }
  const Paragraph = block.kind === 'quote' ? 'blockquote' : 'p'
  return (
    <Paragraph>
      <Inline runs={block.runs} />
    </Paragraph>
  )
}

function TableView({ rows: [head = [], ...rows] }: { readonly rows: readonly (readonly (readonly Run[])[])[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="scroll-x" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, at) => (
              <th key={at} scope="col">
                <Inline runs={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>
                  <Inline runs={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Inline({ runs }: { readonly runs: readonly Run[] }) {
  return (
    <>
      {runs.map(({ kind, text }, at) => {
        if (kind === 'code') return <code key={at}>{text}</code>
        if (kind === 'strong') return <strong key={at}>{text}</strong>
        if (kind === 'em') return <em key={at}>{text}</em>
        if (kind === 'address')
          return (
            <span key={at} class="soft">
              {' '}
              ({text})
            </span>
          )
        return text
      })}
    </>
  )
}
