/** Lagent's actions as a library: see docs/lagent.md. It needs zod and nothing else. */
// biome-ignore-all lint/performance/noBarrelFile: what the package exports as `toolyard/lagent`
export { ActionReturn, type ReturnedContent } from './action-return.ts'
export { type ActionOptions, type ApiCaller, BaseAction } from './base-action.ts'
export {
  ArxivSearch,
  AsyncArxivSearch,
  AsyncBINGMap,
  AsyncGoogleScholar,
  AsyncGoogleSearch,
  AsyncIPythonInteractive,
  AsyncIPythonInterpreter,
  AsyncPPT,
  AsyncPythonInterpreter,
  AsyncWebBrowser,
  BINGMap,
  type BuiltInOptions,
  GoogleScholar,
  GoogleSearch,
  IPythonInteractive,
  IPythonInteractiveManager,
  IPythonInterpreter,
  PPT,
  PythonInterpreter,
  WebBrowser,
} from './built-in/classes.ts'
export type { ServerOptions } from './built-in/server.ts'
export { ActionStatusCode, ActionValidCode, AgentStatusCode } from './codes.ts'
export { type DescribedFunction, tool, toolkit } from './declared.ts'
export type {
  ActionDescription,
  ApiDescription,
  LagentType,
  Parameter,
  ReturnedValue,
  ToolkitDescription,
} from './description.ts'
export { ActionExecutor, type ExecutorOptions, type Hook } from './executor.ts'
export {
  type AnthropicTool,
  fromLagent,
  functionName,
  type LagentForm,
  type OpenAiTool,
  type SchemaTool,
  toAnthropic,
  toLagent,
  toOpenAi,
  toolkitToLagent,
} from './formats.ts'
export { ActionPreprocessor, InternLMActionProcessor } from './hooks.ts'
export { type AgentMessage, agentMessage, FunctionCall } from './message.ts'
export type { Language } from './parameter-description.ts'
export { BaseParser, JsonParser, ParseError, type ParserClass, TupleParser } from './parsers.ts'
export { FinishAction, InvalidAction, NoAction } from './pseudo-actions.ts'
export { Float } from './python/float.ts'
export { toStr } from './python/to-text.ts'
export { Tuple } from './python/tuple.ts'
export {
  type ActionClass,
  type ActionConfig,
  ActionRegistry,
  createAction,
  getTool,
  getToolCls,
  listTools,
  RegistryKeyError,
  register,
} from './registry.ts'
export { type Api, type ApiOptions, toolApi } from './tool-api.ts'
