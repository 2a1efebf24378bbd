/** Words on work whose end is not known, for whoever would do it again; what to do where it was not done follows. */
export const MAYBE_DONE =
  'so it may have been done, in part or as a whole; look at the files, and at what else it was to change; if it was not done,'

/** Fate of a call that a restart of the server cut off. */
export const RESTARTED = 'the server was restarted while this ran'
