import type { Result } from '../core/outcome.ts'

/** What a registered tool gives its caller: a chain its output, any other its result. */
export const returnedBy = ({ data }: Pick<Result, 'data'>): unknown => ('output' in data ? data.output : data.result)
