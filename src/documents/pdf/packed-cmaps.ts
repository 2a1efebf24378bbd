import { decodeBase64 } from '../../core/base64.ts'

/**
 * Gives pdf.js the character maps of Adobe's Chinese, Japanese and Korean collections, by which fonts that carry no map
 * of their own become text. They are part of the program: a Worker has no files, and fetches nothing for this.
 */
export class PackedCMaps {
  async fetch({ filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    const name = filename.replace(/\.bcmap$/, '')
    const { default: table } = await import('./cmaps.json', { with: { type: 'json' } })
    const maps: Readonly<Record<string, string>> = table.maps
    const packed = Object.hasOwn(maps, name) ? maps[name] : undefined
    if (packed === undefined) throw new Error(`there is no character map ${name}`)
    return decodeBase64(packed, name)
  }
}
