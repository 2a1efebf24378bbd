import { usageError } from './failure.ts'

/** Credential of a server elsewhere, which names a secret of the tenant. */
export type Credential =
  | { readonly type: 'bearer' | 'basic'; readonly secret: string }
  | { readonly type: 'header'; readonly secret: string; readonly name: string }

/** Credentials as options have them: `bearer:SECRET`, `basic:SECRET`, `header:NAME:SECRET`. @throws CliError of usage */
export const credentialsOf = (texts: readonly string[]): Credential[] =>
  texts.map((text) => {
    const [type, ...parts] = text.split(':')
    const [first = '', second = ''] = parts
    if ((type === 'bearer' || type === 'basic') && parts.length === 1 && first) return { type, secret: first }
    if (type === 'header' && parts.length === 2 && first && second) return { type, name: first, secret: second }
    throw usageError(
      `--auth cannot be "${text}"`,
      'write it as bearer:SECRET, basic:SECRET or header:NAME:SECRET, where SECRET is the name of a stored secret',
    )
  })
