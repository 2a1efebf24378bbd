import type { CommandResult, Output } from './runner.ts'

/**
 * Python that a tenant brought, run in the session's sandbox. Each module has a process of its own, which stays between
 * calls and shares no memory with another module's; its calls run one after another. Files that a call changed are
 * taken over before it is answered.
 */
export interface Python {
  /**
   * Loads the module where this has not been done, with what it requires, and does what is asked of it. What the module
   * does wrong is an answer.
   * @param signal stops it before its time
   * @throws FailureError `limit_exceeded` naming the limit; `upstream` when a requirement cannot be installed; else as
   * `Runner.run`
   */
  call(call: PythonCall, signal?: AbortSignal): Promise<PythonReply>
}

export interface PythonModule {
  /** Source by path, e.g. `tool.py` or `pkg/__init__.py` and `pkg/tool.py`. They find each other by `import`. */
  readonly files: Readonly<Record<string, string>>
  /** The one that is asked, as `import` names it: `tool`, `pkg.tool`. */
  readonly main: string
  /** What pip installs before it is loaded. */
  readonly requirements: readonly string[]
  /** `task`: it sees the packages of the task's environment, as one that names requirements does. */
  readonly environment?: 'task'
}

export interface PythonCall {
  readonly module: PythonModule
  readonly ask: PythonAsk
  /** Wall clock, from when the call is in the sandbox; then all that the module runs is killed. */
  readonly timeoutMs: number
  /** Texts that must not appear in what comes back: replaced by `***`. */
  readonly secrets?: readonly string[]
  /** Told how long the module was at work, in milliseconds, once that is known: also when the call fails after that. */
  readonly ran?: (ms: number) => void
}

export type PythonAsk =
  /** `entry(**args, context=context)`: a function, or `Class.method` of an object that is made once. */
  | {
      readonly do: 'function'
      readonly entry: string
      readonly args: Readonly<Record<string, unknown>>
      /** Left out where the function takes no `context`. */
      readonly context: Readonly<Record<string, unknown>>
    }
  /** Lagent's descriptions of all that the module defines, or of one entry. */
  | {
      readonly do: 'describe'
      readonly only?: {
        /** Null: the last function. */
        readonly entry: string | null
        /** Of `tool_api`, for a function that is not decorated. */
        readonly options: Readonly<Record<string, unknown>>
      }
    }
  /** Lagent's call of an action, whose parser reads the inputs: an ActionReturn. */
  | {
      readonly do: 'action'
      /** A class, or a function that is decorated. */
      readonly action: string
      /** What the class is made with. One object is made for equal ones, and stays as long as the process. */
      readonly arguments: Readonly<Record<string, unknown>>
      /** Without it, the one that the class chose. */
      readonly parser?: LagentParser
      readonly api: string
      /**
       * Tuples are `{"__tuple__": [...]}` here and in the answer, numbers that JSON has not `{"__float__": "nan"}`, here whole
       * floats too, and long integers `{"__int__": "…"}`.
       */
      readonly inputs: unknown
    }

export type LagentParser = 'JsonParser' | 'TupleParser' | 'BaseParser'

/** Plain data, to be read as what the module says: it can make up its own answers, and no other module's. */
export type PythonReply = PythonEnd & {
  readonly stdout: Output
  readonly stderr: Output
  readonly ms: number
  /** False when the process was started for this call. */
  readonly warm: boolean
  readonly notices: Pick<CommandResult, 'conflicts' | 'notes' | 'restored' | 'generation'>
}

export type PythonEnd =
  | { readonly how: 'returned'; readonly value: unknown }
  /** What it returned is no JSON (NaN, objects, bytes …): `str()` of it. */
  | { readonly how: 'returnedText'; readonly text: string; readonly type: string }
  | {
      readonly how: 'raised'
      readonly type: string
      /** `str()` of the exception. */
      readonly message: string
      /** The module's own frames alone. */
      readonly traceback: string
      readonly where?: string
    }
  /** It could not be imported, or has no such entry. */
  | {
      readonly how: 'unloadable'
      readonly type: string
      readonly message: string
      /** `tool.py:12`, when it is a line of the module's own. */
      readonly at?: string
      /** The module that it imports in vain. */
      readonly missing?: string
      /** `function(parameter)` that Lagent could not describe. */
      readonly where?: string
    }
  | { readonly how: 'timedOut' }
  /** Its process ended: `os._exit`, a crash, no memory left. */
  | { readonly how: 'died'; readonly exitCode: number }
  | { readonly how: 'tooLarge'; readonly bytes: number }
