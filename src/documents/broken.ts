import { fail } from '../core/failure.ts'

/** Fails for a document that is not of its claimed kind. @param why the reason and, after a semicolon, advice */
export const broken = (why: string, options?: ErrorOptions): never => fail('invalid_input', why, options)

/** A document that is beyond a limit. */
export const tooMuch = (what: string): never => fail('limit_exceeded', what)

export const PROTECTED = 'it is protected by a password; upload a copy without one'
