/** Name of a call's whole result. */
export const handleOf = (callId: string) => `result_${callId}`

/** Id of a call that is named by its id, or by the name of its result. */
export const callOfHandle = (given: string) => given.replace(/^result_/, '')
