/** Lengths are EMU, of which an inch has 914,400 and a point 12,700. The slides are 16:9. */
export const SLIDE_WIDTH = 12_192_000
export const SLIDE_HEIGHT = 6_858_000
export const LAYOUT_COUNT = 3

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const MARGIN = 762_000
const WIDE = SLIDE_WIDTH - 2 * MARGIN
const HALF = (WIDE - 381_000) / 2
const BODY_TOP = 1_651_000
const BODY_HEIGHT = 4_572_000

export const FIRST_TITLE: Box = { x: 1_143_000, y: 1_778_000, width: SLIDE_WIDTH - 2_286_000, height: 1_905_000 }
export const FIRST_SUBTITLE: Box = { x: 1_143_000, y: 3_937_000, width: SLIDE_WIDTH - 2_286_000, height: 1_397_000 }
export const TITLE: Box = { x: MARGIN, y: 406_400, width: WIDE, height: 990_600 }
/** Rule below the title. Its left end is where the title's letters begin: behind the inset of their box. */
export const TITLE_RULE: Box = { x: MARGIN + 91_440, y: 1_409_700, width: 1_524_000, height: 50_800 }
export const BODY: Box = { x: MARGIN, y: BODY_TOP, width: WIDE, height: BODY_HEIGHT }
export const LEFT: Box = { x: MARGIN, y: BODY_TOP, width: HALF, height: BODY_HEIGHT }
export const RIGHT: Box = { x: SLIDE_WIDTH - MARGIN - HALF, y: BODY_TOP, width: HALF, height: BODY_HEIGHT }

export const transform = ({ x, y, width, height }: Box) =>
  `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm>`

/** Largest box of the image's proportions within a box, centred. */
export function fitted(box: Box, image: { readonly width: number; readonly height: number }): Box {
  const scale = Math.min(box.width / image.width, box.height / image.height)
  const width = Math.max(1, Math.round(image.width * scale))
  const height = Math.max(1, Math.round(image.height * scale))
  return {
    x: box.x + Math.round((box.width - width) / 2),
    y: box.y + Math.round((box.height - height) / 2),
    width,
    height,
  }
}
