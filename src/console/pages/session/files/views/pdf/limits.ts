/** Pixels of a page's picture: a page of A4 on a screen of twice the density has 4 million. */
export const PAGE_PIXELS_MAX = 8_000_000
/** Pixels of a picture within a page; a larger one is left out. */
export const IMAGE_PIXELS_MAX = 32_000_000
/** Pieces of a page's text that can be marked and copied, and their characters together. */
export const TEXT_PIECES_MAX = 5_000
export const TEXT_CHARS_MAX = 200_000
/** Milliseconds for opening a document, and for drawing a page; then the worker is ended. One that grows without end takes 1 GB or so in it. */
export const WORK_MS = 15_000
/** Bytes of a PDF that is shown; a larger one is downloaded. */
export const PDF_BYTES_MAX = 32 * 1024 * 1024
