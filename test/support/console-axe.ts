import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** Violations that axe-core finds on a page, each as the rule's name and the first element; empty for an accessible page. */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger, which the page's content security policy does not hold.
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    readonly violations: readonly Violation[]
  }
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}
