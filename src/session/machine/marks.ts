/** Mark of all that the host of notebook and shells starts, and of itself while nothing goes on there: no call's deadline ends them. */
export const HOST_MARK = 1
/** Mark of that host itself while something goes on there. */
export const HOST_AT_WORK_MARK = 10

/** Pattern, for bash, of the marks of what calls left behind, the host at work among them: two digits or more. */
export const LEFT_BEHIND = "'[0-9]?*'"
/** The same without that host. */
export const LEFT_BY_CALLS = "'[0-9][0-9]?*'"
