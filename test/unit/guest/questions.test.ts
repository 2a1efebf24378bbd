import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import QUESTIONS from '../../../src/guest/consoles/questions.py' with { type: 'text' }
import { pythonProgram } from '../../../src/guest/python-program.ts'

/** Runs Python that has the questions of a host, and `work`, which counts. @returns what it prints, as JSON */
function trial(source: string): unknown {
  const TRIAL = `
import json, threading, time
from .consoles.questions import Questions
questions, counted = Questions(), []
def work(reply=b'reply'):
    counted.append(reply)
    return reply
${source}
`
  const modules = { 'consoles.questions': QUESTIONS, trial: TRIAL }
  const settings = { MAX_CONSOLE_REPLY_BYTES: 10, MAX_KNOWN_QUESTIONS: 3 }
  return JSON.parse(execFileSync('python3', ['-c', pythonProgram({ modules, settings })], { encoding: 'utf8' }))
}

it('a question that is asked again has its first reply, also while that is still made, and is done once', () => {
  const source = `
begun, end = threading.Event(), threading.Event()
def slow():
    begun.set()
    end.wait()
    return work()
said = []
ask = lambda *more: said.append(questions.answer('id', *more, slow).decode())
threads = [threading.Thread(target=ask, args=[again]) for again in (None, 0)]
threads[0].start()
begun.wait()
threads[1].start()
end.set()
for thread in threads: thread.join()
ask(0)
print(json.dumps([said, len(counted)]))`
  expect(trial(source)).toEqual([['reply', 'reply', 'reply'], 1])
})

it('a question under way is not done again when it is asked again behind many others', () => {
  const source = `
begun, end, said = threading.Event(), threading.Event(), []
def slow():
    begun.set()
    end.wait()
    return work(b'slow')
ask = lambda again: said.append(questions.answer('slow', again, slow).decode())
threads = [threading.Thread(target=ask, args=[again]) for again in (None, 0)]
threads[0].start()
begun.wait()
for at in range(9): questions.answer(at, None, work)
threads[1].start()
end.set()
for thread in threads: thread.join()
print(json.dumps([said, counted.count(b'slow')]))`
  const trialed = trial(source.replaceAll("b'slow'", "'slow'.encode()"))
  expect(trialed).toEqual([['slow', 'slow'], 1])
})

it('one that was first asked before its host began has no reply, and is not done', () => {
  expect(trial('print(json.dumps([questions.answer("id", 60, work), counted]))')).toEqual([null, []])
})

it('one that never reached its host is done', () => {
  expect(trial('print(json.dumps(questions.answer("id", 0, work).decode()))')).toBe('reply')
})

it('one whose reply is not kept any more has none, and is not done again; few questions are kept', () => {
  const source = `
for at in range(5): questions.answer(at, None, lambda: work(b'%d' % at * 6))
print(json.dumps([[questions.answer(3, 0, work), questions.answer(4, 0, work).decode()], len(counted), list(questions.known)]))`
  expect(trial(source)).toEqual([[null, '444444'], 5, [2, 3, 4]])
})
