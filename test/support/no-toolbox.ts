import type { Toolbox } from '../../src/ports/toolbox.ts'
import { outermost } from '../../src/registry/chain/budget.ts'

const nothing = async (): Promise<never> => {
  throw new Error('there are no other tools')
}

/** A toolbox with nothing in it. */
export const NO_TOOLBOX: Toolbox = {
  nesting: outermost(),
  list: async () => [],
  find: async () => null,
  put: nothing,
  remove: () => false,
  call: nothing,
}
