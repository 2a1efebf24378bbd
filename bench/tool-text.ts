import type { FindableTool } from '../src/retrieval/tool-terms.ts'

/**
 * Reads a tool of a text. Tools of measuring sets are written in many ways: a JSON object, `label: value` pairs, or a
 * sentence with `parameters:` behind it. Name, toolkit, description, parameters and results are read from any of them;
 * unrecognised text counts as description.
 */
export function toolOfText(id: string, title: string, text: string): FindableTool {
  const whole = jsonAt(text.trim(), 0)
  const labelled =
    whole && isRecord(whole.value) && whole.rest.trim() === '' ? fromObject(whole.value) : fromLabels(text)
  const [toolkit, name] = splitTitle(title)
  const tool = { ...labelled, id, name: name || labelled.name || id }
  const kit =
    toolkit ?? labelled.toolkit ?? (labelled.name && name && labelled.name !== name ? labelled.name : undefined)
  return kit === undefined ? tool : { ...tool, toolkit: kit }
}

type Parts = Omit<FindableTool, 'id' | 'name'> & { readonly name?: string }
type Parameter = NonNullable<FindableTool['parameters']>[number]
type Kind = 'name' | 'api' | 'toolkit' | 'description' | 'category' | 'parameters' | 'returns' | 'ignored'

const LABELS: ReadonlyMap<string, Kind> = new Map(
  Object.entries({
    name: 'name tool tool_name function_name 名称 工具名称',
    api: 'api_name func_name endpoint_name',
    toolkit: 'toolkit server server_name tool_title standardized_name 工具集',
    description:
      'description desc api_description func_description functionality summary tool_description server_description 描述 说明 功能',
    category: 'category category_name domain field tags 类别 分类',
    parameters:
      'parameters params arguments args input inputs inputschema input_schema required optional required_parameters optional_parameters required_params optional_params required_arguments optional_arguments properties 参数 输入 必填 可选 必填参数 可选参数',
    returns:
      'returns return return_schema response responses output outputs results result template_response 返回 返回值 输出',
    ignored: 'method url type default',
  }).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind as Kind] as const)),
)

function splitTitle(title: string): [string | undefined, string] {
  const at = title.indexOf(': ')
  return at > 0 ? [title.slice(0, at), title.slice(at + 2)] : [undefined, title]
}

function fromObject(given: Record<string, unknown>): Parts {
  const object = isRecord(given.function) ? given.function : given
  const found = new Found()
  for (const [key, value] of Object.entries(object)) {
    const kind = LABELS.get(key.toLowerCase())
    if (kind === undefined || kind === 'description') found.text('description', plainText(value))
    else if (kind === 'parameters') found.parameters.push(...parametersOf(value))
    else if (kind !== 'ignored') found.text(kind, plainText(value))
  }
  return found.parts()
}

/** `category: Data. Finds concerts. required: id: the id, optional: …`: a label counts where its section may begin. */
function fromLabels(text: string): Parts {
  const found = new Found()
  const label = /(^|[\s,.;。，；])([\p{L}_]+)\s*[:：]\s*/gu
  let kind: Kind = 'description'
  let from = 0
  let inParameters = false
  for (let match = label.exec(text); match; match = label.exec(text)) {
    const next = LABELS.get((match[2] ?? '').toLowerCase())
    if (next === undefined || (inParameters && !endsParameters(next, match[2] ?? ''))) continue
    if (next === 'ignored') continue
    found.section(kind, text.slice(from, match.index))
    from = label.lastIndex
    kind = next
    inParameters = next === 'parameters'
    const json = jsonAt(text, from)
    if (json) {
      if (kind === 'parameters') found.parameters.push(...parametersOf(json.value))
      else found.text(kind, plainText(json.value))
      from = text.length - json.rest.length
      label.lastIndex = from
      kind = 'description'
      inParameters = false
    }
  }
  found.section(kind, text.slice(from))
  return found.parts()
}

/** Whether a label ends the parameters. Within them a label is mostly a parameter's own name: "name: The name of the file". */
function endsParameters(next: Kind, word: string): boolean {
  return (
    (next === 'parameters' && /^(?:required|optional|必填|可选)/i.test(word)) ||
    (next === 'returns' && /^(?:returns|Output|Response|responses|return_schema|返回)/.test(word))
  )
}

class Found {
  readonly parameters: Parameter[] = []
  readonly #texts = new Map<Kind, string[]>()

  text(kind: Kind, value: string) {
    const trimmed = value.trim()
    if (trimmed !== '') this.#texts.set(kind, [...(this.#texts.get(kind) ?? []), trimmed])
  }

  section(kind: Kind, value: string) {
    const clean = value.replace(/^[\s,.;，。；]+|[\s,;，；]+$/g, '')
    if (kind === 'parameters') this.parameters.push(...parametersOfText(clean))
    else if (kind === 'category') this.#category(clean)
    else if (kind !== 'ignored') this.text(kind, clean)
  }

  /** `Data. Concert info`: the category ends with its sentence, the rest describes. */
  #category(value: string) {
    const [, category = value, rest = ''] = /^([^.。]{1,80})[.。]\s*(.*)$/s.exec(value) ?? []
    this.text('category', category)
    this.text('description', rest)
  }

  parts(): Parts {
    const of = (kind: Kind) => this.#texts.get(kind)?.join(' ')
    const [name, api] = [of('name'), of('api')]
    const toolkit = of('toolkit') ?? (api === undefined ? undefined : name)
    const entries = {
      name: api ?? name,
      toolkit,
      description: of('description'),
      category: of('category'),
      returns: of('returns'),
      parameters: this.parameters.length > 0 ? this.parameters : undefined,
    }
    return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined))
  }
}

/** JSON Schema, a list of `{name, description}`, or `{name: text}`; nested ones too. */
function parametersOf(value: unknown, depth = 0): Parameter[] {
  if (depth > 6) return []
  if (typeof value === 'string') return depth === 0 ? parametersOfText(value) : []
  if (Array.isArray(value)) return value.flatMap((entry) => (isRecord(entry) ? named(entry, depth) : []))
  if (!isRecord(value)) return []
  if (isRecord(value.properties)) return properties(value.properties, depth)
  if (typeof value.name === 'string') return named(value, depth)
  const { type, required, ...rest } = value
  return properties(typeof type === 'string' ? rest : value, depth)
}

function named(entry: Record<string, unknown>, depth: number): Parameter[] {
  const text = plainText(entry.description ?? entry.desc ?? '')
  return typeof entry.name === 'string' ? [{ name: entry.name, description: text }] : parametersOf(entry, depth + 1)
}

function properties(object: Record<string, unknown>, depth: number): Parameter[] {
  return Object.entries(object).flatMap(([name, value]): Parameter[] => {
    if (!isRecord(value)) return [{ name, description: plainText(value) }]
    const own = {
      name,
      description: typeof value.description === 'string' ? value.description : plainText(value.desc ?? ''),
    }
    const inner = isRecord(value.items) ? value.items : value
    return [own, ...(isRecord(inner.properties) ? properties(inner.properties, depth + 1) : [])]
  })
}

/** `id: the id, name: its name`; a name alone is a parameter without description. */
function parametersOfText(text: string): Parameter[] {
  const starts = [
    ...text.matchAll(/(?:^|[,;\n，；。]\s*)([\p{L}_][\p{L}\p{N}_.\-[\]$]{0,60})\s*(?:\([^)]*\))?\s*[:：]\s*/gu),
  ]
  if (starts.length === 0) return text === '' ? [] : [{ name: '', description: text }]
  return starts.map((match, n) => ({
    name: match[1] ?? '',
    description: text.slice((match.index ?? 0) + match[0].length, starts[n + 1]?.index ?? text.length).trim(),
  }))
}

function plainText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value
  if (value === null || typeof value !== 'object' || depth > 6) return ''
  if (Array.isArray(value)) return value.map((entry) => plainText(entry, depth + 1)).join(' ')
  return Object.entries(value)
    .map(([key, inner]) => `${key} ${plainText(inner, depth + 1)}`)
    .join(' ')
}

/** JSON object or list that begins at a place of a text, and the text behind it. */
function jsonAt(text: string, at: number): { readonly value: unknown; readonly rest: string } | null {
  if (text[at] !== '{' && text[at] !== '[') return null
  let depth = 0
  let quoted = false
  for (let n = at; n < text.length; n++) {
    const character = text[n]
    if (quoted) {
      if (character === '\\') n++
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) {
      try {
        return { value: JSON.parse(text.slice(at, n + 1)), rest: text.slice(n + 1) }
      } catch {
        return null
      }
    }
  }
  return null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
