import type { CommandResult, Output } from './runner.ts'

/**
 * Python modules that a tenant registered, run in the session's sandbox. Each module has a process of its own, which stays
 * between calls and shares no memory with another module's; its calls run one after another. Files that a call changed are synced
 * before it is answered.
 */
export interface Python {
  /**
   * Calls a module, which is loaded first, with its requirements, where it is not yet. The module's own errors are an answer.
   * @param signal stops the call before its time
   * @throws FailureError `limit_exceeded` naming the limit; `upstream` when a requirement cannot be installed; else as
   * `Runner.run`
   */
  call(call: PythonCall, signal?: AbortSignal): Promise<PythonReply>
}

export interface PythonModule {
  /** Source by path, e.g. `tool.py` or `pkg/__init__.py` and `pkg/tool.py`. The files can import each other. */
  readonly files: Readonly<Record<string, string>>
  /** The called module, as `import` names it: `tool`, `pkg.tool`. */
  readonly main: string
  /** Requirements that pip installs before the module is loaded. */
  readonly requirements: readonly string[]
  /** `task`: the module sees the packages of the task's environment, as one that names requirements does. */
  readonly environment?: 'task'
}

export interface PythonCall {
  readonly module: PythonModule
  readonly ask: PythonAsk
  /** Wall clock, from when the call is in the sandbox; then all processes of the module are killed. */
  readonly timeoutMs: number
  /** Texts to mask in the answer: replaced by `***`. */
  readonly secrets?: readonly string[]
  /** Called with the module's working time in milliseconds, once it is known: also when the call fails after that. */
  readonly ran?: (ms: number) => void
}

export type PythonAsk =
  /** Call of `entry(**args, context=context)`: a function, or `Class.method` of an object that is made once. */
  | {
      readonly do: 'function'
      readonly entry: string
      readonly args: Readonly<Record<string, unknown>>
      /** Absent where the function takes no `context`. */
      readonly context: Readonly<Record<string, unknown>>
    }
  /** Request for Lagent's descriptions of all that the module defines, or of one entry. */
  | {
      readonly do: 'describe'
      readonly only?: {
        /** Name of the entry; null: the last function. */
        readonly entry: string | null
        /** Options of `tool_api`, for a function that is not decorated. */
        readonly options: Readonly<Record<string, unknown>>
      }
    }
  /** Lagent's call of an action, whose parser reads the inputs. Its answer is an ActionReturn. */
  | {
      readonly do: 'action'
      /** Name of a class, or of a decorated function. */
      readonly action: string
      /** Arguments of the class. One object is made for equal arguments, and stays as long as the process. */
      readonly arguments: Readonly<Record<string, unknown>>
      /** Parser of the inputs; by default the one that the class chose. */
      readonly parser?: LagentParser
      readonly api: string
      /**
       * Inputs of the action. Tuples are `{"__tuple__": [...]}` here and in the answer, numbers that JSON cannot hold
       * `{"__float__": "nan"}`, here whole floats too, and long integers `{"__int__": "…"}`.
       */
      readonly inputs: unknown
    }

export type LagentParser = 'JsonParser' | 'TupleParser' | 'BaseParser'

/** Answer of a module. Plain data and untrusted: a module can make up its own answers, but no other module's. */
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
  /** A result that is no JSON (NaN, objects, bytes …): its `str()`. */
  | { readonly how: 'returnedText'; readonly text: string; readonly type: string }
  | {
      readonly how: 'raised'
      readonly type: string
      /** `str()` of the exception. */
      readonly message: string
      /** Frames of the module itself. */
      readonly traceback: string
      readonly where?: string
    }
  /** The module could not be imported, or has no such entry. */
  | {
      readonly how: 'unloadable'
      readonly type: string
      readonly message: string
      /** Place in the module's own files, e.g. `tool.py:12`, when there is one. */
      readonly at?: string
      /** Name of the imported module that is missing. */
      readonly missing?: string
      /** Place that Lagent could not describe: `function(parameter)`. */
      readonly where?: string
    }
  | { readonly how: 'timedOut' }
  /** The module's process ended: `os._exit`, a crash, no memory left. */
  | { readonly how: 'died'; readonly exitCode: number }
  | { readonly how: 'tooLarge'; readonly bytes: number }
