const CLASSES: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed' }

/** Lines of a difference, each with `+`, `-` or a space before it, which stands in a column of its own. */
export function DiffLines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <span class="diff-lines">
      {lines.map((line, at) => (
        <span key={at} class={CLASSES[line[0] ?? ''] ?? ''}>
          <span class="sign">{line[0]}</span>
          {line.slice(1)}
          {'\n'}
        </span>
      ))}
    </span>
  )
}
