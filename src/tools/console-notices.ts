import type { ConsoleNotices } from '../ports/consoles.ts'

/** What a caller should know besides the reply: that the machine is a new one, what collided, what was left out. */
export function consoleNotes({ conflicts, notes, restored }: ConsoleNotices): string[] {
  return [
    ...(restored ? ['the sandbox is a new one: variables, shells and what ran in the old one are gone'] : []),
    ...(conflicts.length > 0 ? [`changed on both sides, the later change won: ${conflicts.join(', ')}`] : []),
    ...notes,
  ]
}
