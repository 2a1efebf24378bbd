/** Request of the page to the worker that reads a PDF. */
export type PdfRequest =
  | { readonly kind: 'open'; readonly bytes: ArrayBuffer }
  /** Draws a page, counted from 1, as wide as so many pixels where it may be. */
  | { readonly kind: 'draw'; readonly number: number; readonly width: number }

/** Answer of the worker. */
export type PdfAnswer =
  /** The worker's code is there: time from now on is the document's. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'opened'; readonly pages: number }
  | ({ readonly kind: 'drawn'; readonly number: number } & DrawnPage)
  /** The document cannot be opened, or a page of it not be drawn. */
  | { readonly kind: 'failed'; readonly number: number | null; readonly why: 'protected' | 'damaged' }

/** A page: its picture, how many times as wide as high it is, and where its text stands. */
export interface DrawnPage {
  readonly picture: ImageBitmap
  readonly aspect: number
  readonly text: readonly PlacedText[]
}

/** A piece of text. Lengths are parts of the page's width, `top` of its height. */
export interface PlacedText {
  readonly text: string
  readonly left: number
  readonly top: number
  readonly size: number
  /** Radians, clockwise. */
  readonly angle: number
  /** How many times as wide it is as in the browser's own font. */
  readonly stretch: number
}
