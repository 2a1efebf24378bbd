import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { GROUPS } from '../../scripts/packages.mjs'

it("builds production's sandboxes from the packages that setup offers, and tries each group", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/build-template.mjs', '--print'])
  const { fromImage, steps } = JSON.parse(stdout) as {
    fromImage?: string
    steps: { type: string; args: [command: string, user: string] }[]
  }
  const commands = steps.map(({ args: [command] }) => command)
  const installed = commands.flatMap(
    (command) => /(?:apt-get|pip|npm) install (.*)/.exec(command)?.[1]?.split(' ') ?? [],
  )
  // No server for code comes with it, and the packages are those of its Debian.
  expect(fromImage).toMatch(/^node:\d+-bookworm$/)
  const { latex, documents, data, claude } = GROUPS
  expect(installed).toEqual(
    expect.arrayContaining([latex, documents, data].flatMap(({ apt }) => [...apt.tests, ...apt.more])),
  )
  expect(installed).toContain(claude.npm)
  for (const { checks } of Object.values(GROUPS)) for (const check of checks) expect(commands.at(-1)).toContain(check)
  expect(steps.at(-1)?.args[1]).toBe('user')
  expect(commands.find((command) => command.includes('/etc/gitconfig'))).toContain('defaultBranch = main')
})
