import { fail } from '../../core/failure.ts'
import { MAX_DECK_PAGES } from '../../core/limits/documents.ts'
import { Zip } from '../zip.ts'
import { type ZipEntry, zipBytes } from '../zip-writer.ts'
import { imageKind } from './image.ts'
import {
  APP,
  contentTypes,
  core,
  PACKAGE_RELATIONS,
  presentation,
  presentationRelations,
  slideRelations,
} from './parts.ts'
import { LAYOUT_RELATIONS, LAYOUTS, MASTER, MASTER_RELATIONS, THEME } from './theme.ts'

/** A presentation that is made page by page. */
export interface Deck {
  readonly pages: readonly DeckPage[]
}

export interface DeckPage {
  /** Layout of the theme, from 1. */
  readonly layout: 1 | 2 | 3
  /** The slide as PresentationML; its image, if it has one, is `rId2`. */
  readonly xml: string
  /** PNG, JPEG or GIF. */
  readonly image?: Uint8Array
}

/**
 * The file, as PowerPoint and LibreOffice open it; also without any page.
 * @param title of the document's properties
 * @throws FailureError `limit_exceeded`
 */
export function writeDeck({ pages }: Deck, title: string): Uint8Array {
  if (pages.length > MAX_DECK_PAGES) {
    fail('limit_exceeded', `a presentation has at most ${MAX_DECK_PAGES} pages (MAX_DECK_PAGES); begin another file`)
  }
  const images = pages.map(({ image }, at) => {
    if (!image) return null
    const { extension } = imageKind(image, 'an image of the file')
    return { name: `image${at + 1}.${extension}`, extension, content: image }
  })
  const extensions = [...new Set(images.flatMap((image) => image?.extension ?? []))]
  return zipBytes([
    text('[Content_Types].xml', contentTypes(pages.length, extensions)),
    text('_rels/.rels', PACKAGE_RELATIONS),
    text('docProps/app.xml', APP),
    text('docProps/core.xml', core(title)),
    text('ppt/presentation.xml', presentation(pages.length)),
    text('ppt/_rels/presentation.xml.rels', presentationRelations(pages.length)),
    text('ppt/theme/theme1.xml', THEME),
    text('ppt/slideMasters/slideMaster1.xml', MASTER),
    text('ppt/slideMasters/_rels/slideMaster1.xml.rels', MASTER_RELATIONS),
    ...LAYOUTS.flatMap((layout, at) => [
      text(`ppt/slideLayouts/slideLayout${at + 1}.xml`, layout),
      text(`ppt/slideLayouts/_rels/slideLayout${at + 1}.xml.rels`, LAYOUT_RELATIONS),
    ]),
    ...pages.flatMap(({ xml, layout }, at) => [
      text(`ppt/slides/slide${at + 1}.xml`, xml),
      text(`ppt/slides/_rels/slide${at + 1}.xml.rels`, slideRelations(layout, images[at]?.name)),
    ]),
    ...images.flatMap((image): ZipEntry[] =>
      image ? [{ name: `ppt/media/${image.name}`, content: image.content, stored: true }] : [],
    ),
  ])
}

/** Reads a presentation. @param bytes made by {@link writeDeck}, and not changed since */
export async function readDeck(bytes: Uint8Array): Promise<Deck> {
  const zip = new Zip(bytes)
  const pages: DeckPage[] = []
  for (let number = 1; ; number++) {
    const xml = await zip.text(`ppt/slides/slide${number}.xml`)
    if (xml === null) return { pages }
    const related = (await zip.text(`ppt/slides/_rels/slide${number}.xml.rels`)) ?? ''
    const layout = /slideLayout([123])\.xml/.exec(related)?.[1]
    const media = /media\/(image\d+\.[a-z]+)/.exec(related)?.[1]
    const image = media === undefined ? null : await zip.read(`ppt/media/${media}`)
    pages.push({ layout: layout === '1' ? 1 : layout === '3' ? 3 : 2, xml, ...(image && { image }) })
  }
}

const text = (name: string, content: string): ZipEntry => ({ name, content: new TextEncoder().encode(content) })
