import type { ComponentChildren } from 'preact'
import { addressOf } from '../../parts/location.ts'

const TABS = {
  all: { label: 'All tools', href: '/console/tools' },
  registered: { label: 'Registered', href: '/console/tools/registered' },
  chains: { label: 'Chains', href: '/console/tools/chains/draw' },
  apis: { label: 'APIs', href: '/console/tools/from/apis' },
  servers: { label: 'MCP servers', href: '/console/tools/from/mcp-servers' },
  marketplace: { label: 'Marketplace', href: '/console/tools/from/marketplace' },
} as const

interface ToolsFrameProps {
  readonly tab: keyof typeof TABS
  readonly children: ComponentChildren
}

/** What is around each list of tools: the ways by which tools come here. */
export function ToolsFrame({ tab, children }: ToolsFrameProps) {
  return (
    <>
      <div class="page-head">
        <h1>Tools</h1>
      </div>
      <nav class="tabs" aria-label="Kinds of tools">
        {Object.entries(TABS).map(([name, { label, href }]) => (
          <a key={name} href={href} aria-current={name === tab ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {children}
    </>
  )
}

/** Address of the form of a tool. */
export const toolAddress = (name: string): string => addressOf(['tools', name])
