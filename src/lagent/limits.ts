/** Levels of brackets in arguments and in values that become text; CPython's tokenizer has the same limit. */
export const MAX_NESTING = 200
