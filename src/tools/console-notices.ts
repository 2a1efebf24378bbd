import type { ConsoleNotices } from '../ports/consoles.ts'

/** Notices beside a console's reply: a new sandbox, conflicting changes, images left out. */
export function consoleNotes({ conflicts, notes, restored }: ConsoleNotices): string[] {
  return [
    ...(restored ? ['the sandbox is a new one: variables, shells and what ran in the old one are gone'] : []),
    ...(conflicts.length > 0 ? [`changed on both sides, the later change won: ${conflicts.join(', ')}`] : []),
    ...notes,
  ]
}
