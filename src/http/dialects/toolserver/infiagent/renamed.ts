import type { Params } from '../../../parameters/params.ts'
import { renamed as withName } from '../../../parameters/tool-parameters.ts'
import type { Wording } from './vocabulary.ts'

/**
 * Arguments under their canonical names. Null counts as absent.
 * @throws FailureError `invalid_input` when both names of an argument are given and differ
 */
export const renamed = (params: Params, names: Wording['names']): Params =>
  Object.entries(names).reduce(
    (args, [name, canonical]) => (Object.hasOwn(args, name) ? withName(args, name, canonical) : args),
    params,
  )
