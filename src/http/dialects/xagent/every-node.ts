import { NOTEBOOK_ENV } from './notebook-env.ts'
import { SHELL_ENV, SHELL_FUNCTIONS } from './shell-env.ts'
import { Surface } from './surface.ts'
import { ENVS, FUNCTIONS } from './tools.ts'

/** Tools and functions of every node. */
export const COMMON = new Surface([...ENVS, NOTEBOOK_ENV, SHELL_ENV], [...FUNCTIONS, ...SHELL_FUNCTIONS])
