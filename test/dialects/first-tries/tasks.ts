import type { NoTry, Task, Try } from './task.ts'
import { COMMANDS } from './tasks/commands.ts'
import { DOCUMENTS } from './tasks/documents.ts'
import { EDITING } from './tasks/editing.ts'
import { FINDING } from './tasks/finding.ts'
import { HISTORY } from './tasks/history.ts'
import { NAMES } from './tasks/names.ts'
import { PATHS } from './tasks/paths.ts'
import { READING } from './tasks/reading.ts'

const ALL = { ...NAMES, ...READING, ...PATHS, ...EDITING, ...FINDING, ...COMMANDS, ...HISTORY, ...DOCUMENTS }

export type TaskName = keyof typeof ALL

/** All tasks, as the Tool Server's API answers them. */
export const TASKS: Readonly<Record<TaskName, Task>> = ALL

/** Differences from the Tool Server's API, in a dialect that has its tools. */
export type Differences = Readonly<Partial<Record<TaskName, Partial<Try> | NoTry>>>

/** A dialect with tools of its own: each task is tried, or it says why not. */
export type OwnTries = Readonly<Record<TaskName, Try | NoTry>>
