import * as z from 'zod'

/** Text in a notebook: nbformat writes it whole or as lines. */
const text = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(''))])

/** Outputs of a cell, as nbformat 4 has them. https://nbformat.readthedocs.io/en/latest/format_description.html */
export const Outputs = z.array(
  z.discriminatedUnion('output_type', [
    z.object({ output_type: z.literal('stream'), name: z.string(), text }),
    z.object({ output_type: z.literal('execute_result'), data: z.record(z.string(), z.unknown()) }),
    z.object({ output_type: z.literal('display_data'), data: z.record(z.string(), z.unknown()) }),
    z.object({
      output_type: z.literal('error'),
      ename: z.string(),
      evalue: z.string(),
      traceback: z.array(z.string()),
    }),
  ]),
)
export type Output = z.output<typeof Outputs>[number]

/** Cells of a notebook file, which anybody may have written. */
export const NotebookFile = z.object({
  cells: z.array(z.object({ cell_type: z.string(), source: text, outputs: Outputs.optional() })),
})

/** Output for a model: its text, and a placeholder for other content. */
export function outputText(output: Output): string {
  switch (output.output_type) {
    case 'stream':
      return output.text
    case 'error':
      return output.traceback.join('\n')
    default: {
      const plain =
        output.data['text/plain'] ?? Object.entries(output.data).find(([mime]) => mime.startsWith('text/'))?.[1]
      const shown = plain === undefined ? [] : [joined(plain)]
      const others = Object.keys(output.data).filter((mime) => !mime.startsWith('text/'))
      return [...shown, ...others.map((mime) => `(${mime})`)].join('\n')
    }
  }
}

const joined = (value: unknown) => (Array.isArray(value) ? value.join('') : String(value))
