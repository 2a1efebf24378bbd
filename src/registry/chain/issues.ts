import type { ChainIssue } from './compile.ts'

/** All mistakes as one message for a model. */
export function issuesText(issues: readonly ChainIssue[]): string {
  return issues.map(({ step, message }) => (step === null ? message : `step ${step}: ${message}`)).join('\n')
}
