import * as z from 'zod'
import { optional } from '../core/settings.ts'
import type { PortName, Provider, SettingValues } from './provider.ts'
import { PROVIDERS } from './providers.ts'

const BY_PORT: ReadonlyMap<PortName, readonly Provider[]> = Map.groupBy(PROVIDERS, ({ port }) => port)

/** Providers of a port, in the table's order. */
export const providersOf = <Port extends PortName>(port: Port): readonly Provider<Port>[] =>
  (BY_PORT.get(port) ?? []) as readonly Provider<Port>[] // grouped by that

/** Variable that names the provider of a port, e.g. `SEARCH_PROVIDER`; null where there is nothing to choose. */
export const choiceVariable = (port: PortName): string | null =>
  providersOf(port).length < 2 ? null : `${port.toUpperCase()}_PROVIDER`

/** Settings of all providers, and of the choice between those of one port. */
export const PROVIDER_SETTINGS: z.ZodRawShape = Object.assign(
  {},
  ...[...BY_PORT.keys()].map((port) => {
    const variable = choiceVariable(port)
    return variable === null ? {} : { [variable]: optional.pipe(z.enum(namesOf(port)).nullable()) }
  }),
  ...PROVIDERS.map(({ settings }) => settings),
)

function namesOf(port: PortName) {
  return providersOf(port).map(({ name }) => name)
}

/**
 * Providers of a port to try, in order: the one that the settings name, else the first whose settings are complete, else
 * all without required settings. Empty where none is set up.
 */
export function chosenProviders<Port extends PortName>(port: Port, settings: SettingValues): readonly Provider<Port>[] {
  const all = providersOf(port)
  const variable = choiceVariable(port)
  const named = variable === null ? null : (settings[variable] ?? null)
  const chosen =
    named === null
      ? all.find((provider) => provider.needs.length > 0 && isSetUp(provider, settings))
      : all.find((provider) => provider.name === named && isSetUp(provider, settings))
  return chosen ? [chosen] : all.filter(({ needs }) => needs.length === 0)
}

const isSetUp = ({ needs }: Provider, settings: SettingValues) => needs.every((name) => settings[name] != null)

/** Settings that set up a provider of the port: `A_KEY, B_KEY with B_ID, or C_URL (what it is)`. */
export function waysToSetUp(port: PortName): string {
  const ways = providersOf(port)
    .filter(({ needs }) => needs.length > 0)
    .map(({ needs, about, needsNoKey }) => `${needs.join(' with ')}${needsNoKey ? ` (${about})` : ''}`)
  return ways.length < 2 ? ways.join('') : `${ways.slice(0, -1).join(', ')}, or ${ways.at(-1)}`
}
