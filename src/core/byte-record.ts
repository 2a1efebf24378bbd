/** A number of 1, 2, 4 or 8 bytes, little-endian; or bytes unchanged. */
export type Field = readonly [bytes: 1 | 2 | 4 | 8, value: number] | Uint8Array

/** Concatenation of fields, as binary formats have them. */
export function record(fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.reduce((sum, field) => sum + (isBytes(field) ? field.length : field[0]), 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const field of fields) {
    if (isBytes(field)) bytes.set(field, at)
    else if (field[0] === 8) view.setBigUint64(at, BigInt(field[1]), true)
    else if (field[0] === 4) view.setUint32(at, field[1], true)
    else if (field[0] === 2) view.setUint16(at, field[1], true)
    else view.setUint8(at, field[1])
    at += isBytes(field) ? field.length : field[0]
  }
  return bytes
}

const isBytes = (field: Field): field is Uint8Array => field instanceof Uint8Array
