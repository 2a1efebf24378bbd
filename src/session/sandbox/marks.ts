/**
 * Mark of the host of notebook and shells while nothing goes on there, and always of all that it starts: no call's deadline
 * ends these processes. What a mark is: `mark` in exec-script.ts.
 */
export const HOST_MARK = 1
/** Mark of that host itself while something goes on there. */
export const HOST_AT_WORK_MARK = 10

/** Pattern, for bash, of the marks of what calls left behind, the host at work among them: two digits or more. */
export const LEFT_BEHIND = '[0-9]?*'
/** Pattern, for bash, of the marks of what calls left behind, without the host: three digits or more. */
export const LEFT_BY_CALLS = '[0-9][0-9]?*'
