/** Samples of a text in Prometheus' format, by name and labels as they stand there. */
export type Samples = ReadonlyMap<string, number>

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\n"])*"`
const SAMPLE = new RegExp(String.raw`^(${NAME})(\{${LABEL}(?:,${LABEL})*\})? (\+Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$`)
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`)
const HELP = new RegExp(`^# HELP (${NAME}) \\S.*$`)

/**
 * Reads a text by the rules of the format: each family has one HELP and one TYPE before its samples, which stand together, none
 * twice; buckets of a histogram grow, and the last is its count.
 * @throws Error for a line that breaks them
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function readPrometheus(text: string): { readonly samples: Samples; readonly families: ReadonlySet<string> } {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const samples = new Map<string, number>()
  const families = new Set<string>()
  let family = { name: '', type: '' }
  let helped = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const [, help] = HELP.exec(line) ?? []
    const [, typed, type = ''] = TYPE.exec(line) ?? []
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? []
    if (help !== undefined) {
      if (families.has(help)) throw new Error(`twice: ${line}`)
      helped = help
    } else if (typed !== undefined) {
      if (typed !== helped || families.has(typed)) throw new Error(`out of place: ${line}`)
      families.add(typed)
      family = { name: typed, type }
    } else {
      const base = family.type === 'histogram' ? name.replace(/_(?:bucket|sum|count)$/, '') : name
      if (name === '' || base !== family.name) throw new Error(`no sample of ${family.name}: ${line}`)
      if (samples.has(name + labels)) throw new Error(`twice: ${line}`)
      samples.set(name + labels, Number(value.replace('+Inf', 'Infinity')))
    }
  }
  checkHistograms(samples)
  return { samples, families }
}

function checkHistograms(samples: Samples): void {
  let before = { of: '', count: 0 }
  for (const [name, count] of samples) {
    const [, family, labels, bound] = /^(.*)_bucket\{(.*),le="(.*)"\}$/.exec(name) ?? []
    if (family === undefined) continue
    const of = `${family}{${labels}}`
    if (before.of === of && count < before.count) throw new Error(`a bucket shrinks: ${name}`)
    if (bound === '+Inf' && samples.get(`${family}_count{${labels}}`) !== count)
      throw new Error(`not the count: ${name}`)
    before = { of, count }
  }
}
