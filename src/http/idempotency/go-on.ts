/** Has work continue when the client leaves. */
export type GoOn = (work: Promise<unknown>) => void
