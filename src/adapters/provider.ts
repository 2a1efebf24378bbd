import type { z } from 'zod'
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

/** What an adapter may use besides its own settings. */
export interface ProviderKit {
  /** Guarded HTTP that also reaches `service`, an address that the operator set. */
  http(service: string): Http
  readonly clock: Clock
  /** True for a server on its owner's machine. */
  readonly isLocal: boolean
  /** Settings that set up a provider of this port, for an error: `A_KEY, or B_KEY with B_ID`. */
  waysToSetUp(): string
}

/** What the server must know of its sandboxes before it asks for one. */
export interface SandboxTraits {
  /** False where every request for a sandbox would be refused. */
  readonly isSetUp: boolean
  /** True where a running sandbox is paid for by the time: then none is kept spare without end. */
  readonly isMetered: boolean
  /** Name of what sandboxes are made from: those of one image are alike. */
  readonly image: string
}

/** One way to make a port real. */
export interface Provider<Port extends PortName = PortName> {
  /** How the variable `<PORT>_PROVIDER` names it. */
  readonly name: string
  readonly port: Port
  /** What it is, in a few words for the table of settings. */
  readonly about: string
  /** Variables that it reads. One that several providers read is the same schema in each. */
  readonly settings: z.ZodRawShape
  /** True for a service that the operator may run: an error then tells what its setting is about. */
  readonly needsNoKey?: boolean
  /** Variables without which it is not set up; with none it always is. */
  readonly needs: readonly string[]
  make(settings: SettingValues, kit: ProviderKit): ProvidedPorts[Port]
  /** Of the port `sandbox` alone. */
  sandboxes?(settings: SettingValues): SandboxTraits
}

/** Settings as `make` gets them: those that are needed are there. */
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
