import { join } from 'node:path'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig, type Plugin } from 'vitest/config'
import { guestTexts } from './test/support/guest-texts.ts'
import { LongestFirst } from './test/support/longest-first.ts'
import { provenRequirements } from './test/support/proven-requirements.ts'
import { slowestFiles } from './test/support/slowest-files.ts'
import { withoutQueue } from './test/support/without-queue.ts'

/** Of tests that take a moment: the machine may have other things to do. What costs much measures its processor's time. */
const PATIENCE_MS = 120_000
/** For `expect.poll`: how long something that comes by itself may take, nearly as long as its test. */
const PATIENT = { poll: { timeout: 100_000 } }

/**
 * A test is made again when the machine stood still between a deadline and its answer (`test/support/pace.ts`). A deadline that is missed by
 * what is tested is missed each time.
 */
const AGAIN_WHEN_LATE = { count: 3, condition: /answered late at the pace of this machine/ }

/** Place of the projects that begin when all files of `worker` have run. Groups have numbers from 0. */
const AFTER_WORKER = { groupOrder: 1 }

/**
 * Source maps of packages and tables stay out: workerd gets a file's modules in one message, which may have 32 MiB.
 */
const withoutLargeMaps: Plugin = {
  name: 'without-large-maps',
  enforce: 'post',
  transform: (code, id) => (/\/node_modules\/|\/cmaps\.json$/.test(id) ? { code, map: { mappings: '' } } : undefined),
}

/** One run, three kinds of test: plain Node, inside workerd, and Node against real processes (servers, sandboxes). */
export default defineConfig({
  test: {
    // Tests mostly wait, for sandboxes and servers: three workers left two cores idle for more than a third of the time. With more than
    // four, sandboxes wait so long for a core that they answer too late.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [guestTexts],
        test: {
          name: 'unit',
          sequence: AFTER_WORKER,
          include: ['test/unit/**/*.test.ts', 'test/contract/**/*.node.test.ts'],
          environment: 'node',
          retry: AGAIN_WHEN_LATE,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          expect: PATIENT,
          // Loading what they test took most files longer than testing it: those of one worker share it.
          isolate: false,
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            // As in production; on one machine papers are in DB, and no tenant is in a jurisdiction.
            miniflare: { d1Databases: { PAPERS: 'papers' }, r2Buckets: { BLOBS_EU: 'blobs-eu' } },
          }),
          guestTexts,
          withoutLargeMaps,
          withoutQueue,
        ],
        test: {
          name: 'worker',
          include: ['test/worker/**/*.test.ts', 'test/contract/**/*.test.ts'],
          exclude: ['**/*.node.test.ts'],
          globalSetup: 'test/support/worker-internet.ts',
          expect: PATIENT,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          // Loading the Worker into a workerd took most files longer than testing it: one workerd loads it once for all of
          // them. They run before all others, since only files of different groups may have different numbers of processes.
          isolate: false,
          maxWorkers: 1,
        },
      },
      {
        plugins: [guestTexts],
        test: {
          name: 'sandboxd',
          sequence: AFTER_WORKER,
          include: ['test/sandboxd/**/*.test.ts'],
          environment: 'node',
          retry: AGAIN_WHEN_LATE,
          // As below.
          isolate: false,
          expect: PATIENT,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
      {
        plugins: [guestTexts, provenRequirements(join(import.meta.dirname, 'test/dialects')), slowestFiles()],
        test: {
          name: 'e2e',
          sequence: AFTER_WORKER,
          include: ['test/{dialects,security,faults,e2e,docs}/**/*.test.ts'],
          environment: 'node',
          retry: AGAIN_WHEN_LATE,
          // A process for each file, which loads what all of them load, costs half a second of the processor each time.
          isolate: false,
          globalSetup: 'test/support/worker/build.mjs',
          setupFiles: 'test/support/openapi/every-answer.ts',
          expect: PATIENT,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
    ],
  },
})
