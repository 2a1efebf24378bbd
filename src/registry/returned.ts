import type { Result } from '../core/outcome.ts'

/** Value that a registered tool returns: a chain its output, any other its result. */
export const returnedBy = ({ data }: Pick<Result, 'data'>): unknown => ('output' in data ? data.output : data.result)
