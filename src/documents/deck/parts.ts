import { LAYOUT_COUNT, SLIDE_HEIGHT, SLIDE_WIDTH } from './measures.ts'
import { escaped, NAMESPACES, XML } from './xml-text.ts'

/** The parts of a presentation besides its pages and its look, as ECMA-376 part 1, chapter 13, wants them. */

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const PRESENTATION = 'application/vnd.openxmlformats-officedocument.presentationml'

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

/** Relationships part. @param targets each with the last word of its type */
export const relationsPart = (targets: readonly (readonly [type: string, target: string])[]) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(
      ([type, target], at) =>
        `<Relationship Id="rId${at + 1}" Type="${type.includes(':') ? type : `${OFFICE}/${type}`}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

export const PACKAGE_RELATIONS = relationsPart([
  ['officeDocument', 'ppt/presentation.xml'],
  [`${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'],
  ['extended-properties', 'docProps/app.xml'],
])

export const presentationRelations = (pages: number) =>
  relationsPart([
    ['slideMaster', 'slideMasters/slideMaster1.xml'],
    ['theme', 'theme/theme1.xml'],
    ...numbers(pages).map((number) => ['slide', `slides/slide${number}.xml`] as const),
  ])

export const slideRelations = (layout: number, image: string | undefined) =>
  relationsPart([
    ['slideLayout', `../slideLayouts/slideLayout${layout}.xml`],
    ...(image === undefined ? [] : [['image', `../media/${image}`] as const]),
  ])

/** Content types part. @param extensions of the images */
export function contentTypes(pages: number, extensions: readonly string[]) {
  const parts = [
    ['ppt/presentation.xml', `${PRESENTATION}.presentation.main+xml`],
    ['ppt/slideMasters/slideMaster1.xml', `${PRESENTATION}.slideMaster+xml`],
    ...numbers(LAYOUT_COUNT).map((at) => [`ppt/slideLayouts/slideLayout${at}.xml`, `${PRESENTATION}.slideLayout+xml`]),
    ...numbers(pages).map((at) => [`ppt/slides/slide${at}.xml`, `${PRESENTATION}.slide+xml`]),
    ['ppt/theme/theme1.xml', 'application/vnd.openxmlformats-officedocument.theme+xml'],
    ['docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'],
    ['docProps/app.xml', 'application/vnd.openxmlformats-officedocument.extended-properties+xml'],
  ]
  const defaults = [
    ['rels', 'application/vnd.openxmlformats-package.relationships+xml'],
    ['xml', 'application/xml'],
    ...extensions.map((extension) => [extension, `image/${extension}`]),
  ]
  return `${XML}<Types xmlns="${PACKAGE}/content-types">${defaults
    .map(([extension, type]) => `<Default Extension="${extension}" ContentType="${type}"/>`)
    .join('')}${parts.map(([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`).join('')}</Types>`
}

export function presentation(pages: number) {
  const slides = numbers(pages).map((at) => `<p:sldId id="${255 + at}" r:id="rId${at + 2}"/>`)
  return `${XML}<p:presentation ${NAMESPACES} saveSubsetFonts="1"><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst>${
    slides.length > 0 ? `<p:sldIdLst>${slides.join('')}</p:sldIdLst>` : ''
  }<p:sldSz cx="${SLIDE_WIDTH}" cy="${SLIDE_HEIGHT}"/><p:notesSz cx="${SLIDE_HEIGHT}" cy="9144000"/></p:presentation>`
}

export const core = (title: string) =>
  `${XML}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escaped(title)}</dc:title></cp:coreProperties>`

export const APP = `${XML}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>Toolyard</Application></Properties>`
