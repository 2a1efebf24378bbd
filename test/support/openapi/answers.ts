import { ADMIN, documentFor, V1 } from '../../../scripts/openapi/documents.ts'
import { AnswerCheck } from './answer-check.ts'

/** Checks of the answers of our own dialects. */
export const V1_ANSWERS = new AnswerCheck(documentFor(V1, { closed: true }))
export const ADMIN_ANSWERS = new AnswerCheck(documentFor(ADMIN, { closed: true }))
