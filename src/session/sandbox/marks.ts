/**
 * Mark of the idle host of notebook and shells, and always of all that it starts: no call's deadline ends these processes. `mark`
 * in exec-script.ts explains marks.
 */
export const HOST_MARK = 1
/** Mark of that host itself while it is busy. */
export const HOST_AT_WORK_MARK = 10

/** Pattern, for bash, of the marks of background processes of calls, the busy host included: two digits or more. */
export const LEFT_BEHIND = '[0-9]?*'
/** Pattern, for bash, of the marks of background processes of calls, without the host: three digits or more. */
export const LEFT_BY_CALLS = '[0-9][0-9]?*'
