import type * as z from 'zod'
import type { SandboxPlan } from '../core/limits/sandbox-plans.ts'
import type { Arxiv } from '../ports/arxiv.ts'
import type { Browser } from '../ports/browser.ts'
import type { Clock } from '../ports/clock.ts'
import type { GitHub } from '../ports/github.ts'
import type { Http } from '../ports/http.ts'
import type { Maps } from '../ports/maps.ts'
import type { Papers } from '../ports/papers.ts'
import type { SandboxHost } from '../ports/sandbox.ts'
import type { Scholar } from '../ports/scholar.ts'
import type { ScholarIndex } from '../ports/scholar-index.ts'
import type { Search } from '../ports/search.ts'
import type { OpenRequests } from './open-requests.ts'

/** Ports that have providers, by name. */
export interface ProvidedPorts {
  readonly sandbox: SandboxHost
  readonly search: Search
  readonly scholar: Scholar
  readonly scholarIndex: ScholarIndex
  readonly arxiv: Arxiv
  readonly maps: Maps
  readonly browser: Browser
  readonly github: GitHub
  readonly papers: Papers
}

export type PortName = keyof ProvidedPorts

/** Parsed settings of all providers, by variable. */
export type SettingValues = Readonly<Record<string, unknown>>

/** Kit of an adapter: dependencies besides its own settings. */
export interface ProviderKit {
  /** Guarded HTTP that also reaches `service`, an address that the operator set. */
  http(service: string): Http
  readonly clock: Clock
  /** True for a server on its owner's machine. */
  readonly isLocal: boolean
  /** Places of the calling object for requests that do not go by `http`. */
  readonly open: OpenRequests
  /** Settings that set up a provider of this port, for an error: `A_KEY, or B_KEY with B_ID`. */
  waysToSetUp(): string
}

/** Properties of sandboxes that the server must know before it requests one. */
export interface SandboxTraits {
  /** False where every request for a sandbox would be refused. */
  readonly isSetUp: boolean
  /** True where running sandboxes are paid for by time: then no spare is kept without end. */
  readonly isMetered: boolean
  /** Name of the image that sandboxes are made from: those of one image are alike. */
  readonly image: string
  /** Limits of the account; null where that is not known. */
  readonly plan: SandboxPlan | null
}

/** One implementation of a port. */
export interface Provider<Port extends PortName = PortName> {
  /** Name in the variable `<PORT>_PROVIDER`. */
  readonly name: string
  readonly port: Port
  /** Description in a few words, for the table of settings. */
  readonly about: string
  /** Variables of the provider. A variable that several providers read has the same schema in each. */
  readonly settings: z.ZodRawShape
  /** True for a service that the operator may run: an error then describes its setting. */
  readonly needsNoKey?: boolean
  /** Variables without which the provider is not set up; with none it always is. */
  readonly needs: readonly string[]
  make(settings: SettingValues, kit: ProviderKit): ProvidedPorts[Port]
  /** Traits of its sandboxes; for the port `sandbox` alone. */
  sandboxes?(settings: SettingValues): SandboxTraits
}

/** Settings as `make` gets them: the needed ones are present. */
type SetUp<Shape extends z.ZodRawShape, Needed extends string> = {
  readonly [Name in keyof Shape]: Name extends Needed ? NonNullable<z.output<Shape[Name]>> : z.output<Shape[Name]>
}

/** Checks the types of a provider; `make` is called with settings that were parsed by `settings` only. */
export const provider = <Port extends PortName, Shape extends z.ZodRawShape, Needed extends keyof Shape & string>(
  given: Omit<Provider<Port>, 'settings' | 'needs' | 'make' | 'sandboxes'> & {
    readonly settings: Shape
    readonly needs: readonly Needed[]
    make(settings: SetUp<Shape, Needed>, kit: ProviderKit): ProvidedPorts[Port]
    sandboxes?(settings: SetUp<Shape, Needed>): SandboxTraits
  },
): Provider<Port> => given as Provider<Port> // a method's parameter may be narrower
