import { AIMessage } from '@langchain/core/messages'
import { fakeModel } from '@langchain/core/testing'
import { answer, CALL } from './script.ts'

/** Model of LangChain that makes one call of a tool, and answers with what that gave. */
export const standIn = fakeModel()
  .respondWithTools([CALL])
  .respond((messages) => new AIMessage(answer(messages.at(-1)?.content)))
