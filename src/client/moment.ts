/** A moment of a session's files: the number of a commit, the name of a snapshot, `HEAD`, or `HEAD~2`. */
export type Moment = number | string
