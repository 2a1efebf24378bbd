/** Length at which the published server cuts descriptions. */
const MAX_DESCRIPTION_CHARS = 1_024

/** The tool JSON of the published server. */
export interface ToolJson {
  readonly name: string
  readonly description: string
  readonly parameters: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, { type: string | null; description: string; default?: string }>>
    readonly required: readonly string[]
  }
}

interface Shown {
  readonly name: string
  readonly description: string
  readonly parameters: readonly {
    readonly name: string
    /** Null where the author of the tool stated no type. */
    readonly type: string | null
    readonly description: string
    readonly optional?: boolean
    readonly fallback?: string
  }[]
}

/**
 * JSON of a tool.
 * @param parameters those that are shown
 */
export const toolJson = ({ name, description, parameters }: Shown): ToolJson => ({
  name,
  description: description.slice(0, MAX_DESCRIPTION_CHARS).toWellFormed(),
  parameters: {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, property(parameter)])),
    required: parameters.filter(({ optional }) => !optional).map((parameter) => parameter.name),
  },
})

const property = ({ type, description, fallback }: Shown['parameters'][number]) => ({
  type,
  description,
  ...(fallback !== undefined && { default: fallback }),
})
