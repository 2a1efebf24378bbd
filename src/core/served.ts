/** A group of an object's methods as a class serves it: with an answer, or the promise of one. */
export type ServedGroup<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: Args) => Answer | Promise<Answer>
    : never
}

/** The groups of an object's interface; methods outside of groups are left out. */
export type Served<Api> = {
  readonly [Name in keyof Api as Api[Name] extends (...args: never[]) => unknown ? never : Name]: ServedGroup<Api[Name]>
}
