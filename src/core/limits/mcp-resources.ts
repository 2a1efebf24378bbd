/** Files and results of sessions as MCP resources. */

/** Size of a file or a result that `resources/read` gives whole: it is held in memory with its base64 and its JSON. */
export const MAX_RESOURCE_BYTES = 4 * 1024 * 1024
/** Resources of one page of `resources/list`: hosts show them to a person, or ask for the next page. */
export const RESOURCES_PER_PAGE = 200
/** Pages of a listing that one `resources/list` looks at: many directories in a row hold no file that it could name. */
export const MAX_LISTING_LOOKS = 5
/** Entries of a directory that `resources/read` names; `dir_list` shows more. */
export const MAX_DIRECTORY_ENTRIES = 500
/** Length of a URI, in characters: a session's name and a path at their longest, each byte percent-encoded. */
export const MAX_RESOURCE_URI_CHARS = 12_000
/** Values that one completion gives: the protocol's own bound. */
export const MAX_COMPLETIONS = 100
/** Sessions among which a completion looks for names: a person has fewer, and the list comes in one message. */
export const MAX_COMPARED_SESSIONS = 1_000
/** URIs that one connection or one listening request is told about. */
export const MAX_SUBSCRIBED_RESOURCES = 100
/** Sessions that these lie in: each is one WebSocket to its object. */
export const MAX_SUBSCRIBED_SESSIONS = 8
/**
 * Sessions that one `subscriptions/listen` looks for, each by a request to its object: those that are not there leave no trace, and would be as
 * many as it has URIs. More than can be watched, so that a client may name some that are gone.
 */
export const MAX_SOUGHT_SESSIONS = 16
/** Connections to one session's object that are opened again after it was restarted, in one stream. */
export const MAX_WATCH_REOPENINGS = 10
/** Pause before such a connection is opened again, in milliseconds; each is longer by as much. */
export const WATCH_REOPENING_MS = 500
/** Time for which a client may keep the list of files, in milliseconds: an agent writes one every few seconds. */
export const RESOURCE_LIST_TTL_MS = 5_000
/** Time for which a client may keep what changes with a new version of the server alone: templates and prompts. */
export const STATIC_LIST_TTL_MS = 60_000
/** Length of one argument of a prompt, in UTF-16 units: a page of text about a task. */
export const MAX_PROMPT_ARGUMENT_CHARS = 20_000
