import { relative } from 'node:path'
import type { Plugin } from 'vitest/config'
import type { Reporter, TestModule } from 'vitest/node'

/** Number of files that are shown. */
const SHOWN = 5

/**
 * Plugin that ends a run of more files than it shows with the slowest ones, of all projects. For one project: each that has
 * it prints them.
 */
export function slowestFiles(): Plugin {
  const reporter: Reporter = {
    onTestRunEnd(modules) {
      if (modules.length <= SHOWN) return
      const slowest = [...modules].sort((one, other) => durationMs(other) - durationMs(one)).slice(0, SHOWN)
      const lines = slowest.map((module) => {
        const seconds = (durationMs(module) / 1000).toFixed(1).padStart(6)
        return `${seconds} s  ${relative(module.project.config.root, module.moduleId)}\n`
      })
      process.stdout.write(`Slowest files:\n${lines.join('')}`)
    },
  }
  return {
    name: 'slowest-files',
    // Added here and not as `reporters`, which a --reporter of the command line takes the place of.
    configureVitest: ({ vitest }) => void vitest.config.reporters.push(reporter),
  }
}

/** Duration of a file's tests and hooks, without loading modules. */
const durationMs = (module: TestModule) => module.diagnostic().duration
