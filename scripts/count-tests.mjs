/**
 * Prints "N passed, N failed" from the file that vitest's JSON reporter wrote, whose path is the argument. Fails when a test
 * failed, when a file could not even be loaded, and when none ran.
 */
import { readFileSync } from 'node:fs'

let passed = 0
let failed = 0
try {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
  const notLoaded = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  passed = numPassedTests
  failed = numFailedTests + notLoaded.length
} catch (error) {
  console.error(`vitest left no result: ${error.message}`)
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(passed > 0 && failed === 0 ? 0 : 1)
