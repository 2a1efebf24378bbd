import type { Tags } from 'yaml'

/**
 * Rules for unquoted scalars that are no text, as in PyYAML: YAML 1.1 takes more for truth values and numbers, `y` and
 * `1e3` among them. Each has an example that the rule of YAML 1.1 takes.
 * Source: PyYAML 6.0, resolver.py.
 */
const RULES: readonly (readonly [example: string, rule: RegExp])[] = [
  ['on', /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/],
  ['off', /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/],
  ['7', /^[-+]?(?:0|[1-9][0-9_]*)$/],
  ['1:30', /^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$/],
  ['1.5', /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)$/],
  ['1.5e+3', /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)[eE][-+][0-9]+$/],
]

/** Tags of YAML as PyYAML resolves them. @param tags tags of YAML 1.1 */
export const asPyYaml = (tags: Tags): Tags =>
  tags.map((tag) => {
    if (typeof tag === 'string' || tag.collection !== undefined) return tag
    const rule = RULES.find(([example]) => tag.test?.test(example))
    return rule ? { ...tag, test: rule[1] } : tag
  })
