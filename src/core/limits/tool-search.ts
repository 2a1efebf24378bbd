/** Finding a tool by what it does. */

/** Tools that one caller can search among: twice what is promised to take less than 20 ms. */
export const MAX_FINDABLE_TOOLS = 10_000
/** Words in their names, descriptions and parameters together. An index holds some 40 bytes for each, and a Worker has
 * 128 MB. */
export const MAX_FINDABLE_TERMS = 1_000_000
/** `top_k` of `/retrieving_tools`: more would flood a model, which reads each with its parameters. */
export const MAX_RETRIEVED_TOOLS = 200
/** A search by words takes some milliseconds; the one by meaning may add this much and no more. */
export const SEMANTICS_PATIENCE_MS = 1_500

/** Registered tools that one isolate holds for lists and searches, of all tenants that ask it: 5,000 take 27 MB of its 128. */
export const MAX_HELD_TOOLS = 12_000
/** What they may be together, in UTF-16 units of their JSON and so many more for each value: a schema of small parts is large. */
export const MAX_HELD_TOOL_CHARS = 24_000_000
export const HELD_VALUE_CHARS = 48
/** Tenants whose tools it holds, however few they are. */
export const MAX_HELD_TENANTS = 200

/** Registered tools that get their vectors at a time: some requests of a second each. */
export const MEANING_BATCH = 200
/** From a failure of the service that makes them until it is asked again. */
export const MEANING_RETRY_MS = 5 * 60_000
