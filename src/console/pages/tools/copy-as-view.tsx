import { useSignal } from '@preact/signals'
import { who } from '../../api.ts'
import { Copy } from '../../parts/action.tsx'
import { originForPrograms } from '../../parts/location.ts'
import { COPY_AS } from './copy-as.ts'

interface CopyAsProps {
  readonly session: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** A call as a line or program to be copied, in several languages. */
export function CopyAs({ session, tool, args }: CopyAsProps) {
  const way = useSignal('curl')
  const write = COPY_AS[way.value]
  const text = write?.({ origin: originForPrograms(), session, tool, args, needsKey: who.value?.key_id != null }) ?? ''
  return (
    <section class="stack" aria-label="Copy as">
      <div class="row-actions">
        <h3>Copy as</h3>
        <fieldset class="two-ways" aria-label="Language">
          {Object.keys(COPY_AS).map((name) => (
            <button key={name} type="button" aria-pressed={way.value === name} onClick={() => (way.value = name)}>
              {name}
            </button>
          ))}
        </fieldset>
        <Copy text={text} />
      </div>
      <pre class="text">{text}</pre>
    </section>
  )
}
