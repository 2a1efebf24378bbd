import type { TestContext } from 'vitest'

/** Skips a test where matplotlib is not installed, which tests do not install for its size (65 MB to fetch), and says so. */
export function needsMatplotlib(isThere: boolean, { skip, task }: TestContext): void {
  if (isThere) return
  const note = 'not tested: matplotlib is not installed (node scripts/setup.mjs --with data)'
  process.stderr.write(`${task.name}: ${note}\n`) // reporters count skipped tests, and do not name them
  skip(note)
}
