import type { Arxiv } from './arxiv.ts'
import type { Background } from './background.ts'
import type { Browser } from './browser.ts'
import type { Circuits } from './circuits.ts'
import type { Clock } from './clock.ts'
import type { Consoles } from './consoles.ts'
import type { FileHistory } from './file-history.ts'
import type { GitHub } from './github.ts'
import type { Http } from './http.ts'
import type { Jobs } from './jobs.ts'
import type { Locks } from './locks.ts'
import type { Maps } from './maps.ts'
import type { McpServers } from './mcp-servers.ts'
import type { Model } from './model.ts'
import type { Notes } from './notes.ts'
import type { Packages } from './packages.ts'
import type { Papers } from './papers.ts'
import type { People } from './people.ts'
import type { Python } from './python.ts'
import type { Reader } from './reader.ts'
import type { Results } from './results.ts'
import type { Runner } from './runner.ts'
import type { Scholar } from './scholar.ts'
import type { ScholarIndex } from './scholar-index.ts'
import type { Search } from './search.ts'
import type { Secrets } from './secrets.ts'
import type { Snapshots } from './snapshots.ts'
import type { Toolbox } from './toolbox.ts'
import type { Turn } from './turn.ts'
import type { Workspace } from './workspace.ts'

/** All ports to the world outside of a tool. A tool names those that it uses and gets no others. */
export interface Ports extends SessionPorts, OutsidePorts {}

/** Ports that belong to one session. */
interface SessionPorts {
  readonly background: Background
  readonly circuits: Circuits
  readonly clock: Clock
  readonly consoles: Consoles
  readonly fileHistory: FileHistory
  readonly locks: Locks
  readonly jobs: Jobs
  readonly notes: Notes
  readonly packages: Packages
  readonly people: People
  readonly python: Python
  readonly results: Results
  readonly runner: Runner
  readonly secrets: Secrets
  readonly snapshots: Snapshots
  readonly toolbox: Toolbox
  readonly turn: Turn
  readonly workspace: Workspace
}

/** Ports outside of a session; the same for all sessions of a tenant. */
export interface OutsidePorts {
  readonly http: Http
  /** Remote MCP servers, whose sessions and lists are remembered as long as the ports live. */
  readonly mcpServers: McpServers
  readonly browser: Browser
  readonly github: GitHub
  readonly model: Model
  readonly search: Search
  readonly scholar: Scholar
  readonly scholarIndex: ScholarIndex
  readonly arxiv: Arxiv
  readonly maps: Maps
  readonly papers: Papers
  readonly reader: Reader
}
