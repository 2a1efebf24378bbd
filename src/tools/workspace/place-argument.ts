import * as z from 'zod'

/** A file, or a directory with all below it. An empty text, and an empty list, are the root, as when it is left out. */
export const placeArgument = z
  .preprocess(
    (given) => {
      const one = Array.isArray(given) && given.length < 2 ? given[0] : given
      return one === '' || one === null ? undefined : one
    },
    z
      .string({
        error: ({ input }) =>
          Array.isArray(input)
            ? 'give one path, or a directory that has all of them; else make a call for each'
            : undefined,
      })
      .optional(),
  )
  .optional()
