import * as z from 'zod'

/**
 * A strict object whose error for an unknown field lists the known ones: agents write definitions without their documentation.
 * @param example shown in the message for anything but an object
 */
export const knownFields = <S extends z.core.$ZodLooseShape>(shape: S, example?: string) => {
  const there = Object.keys(shape).join(', ')
  return z.strictObject(shape, {
    error: ({ code, keys, input }) => {
      if (code === 'unrecognized_keys') return `there is no field ${shown(keys)}; there are ${there}`
      if (code !== 'invalid_type' || input === undefined) return undefined
      return `must be an object ${example === undefined ? `with the fields ${there}` : `as ${example}`}`
    },
  })
}

const shown = (keys: unknown) =>
  (Array.isArray(keys) ? keys : [])
    .slice(0, 5)
    .map((key) => String(key).slice(0, 64))
    .join(', ')
