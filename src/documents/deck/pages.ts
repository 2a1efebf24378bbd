import type { DeckPage } from './deck.ts'
import type { ImageKind } from './image.ts'
import { BODY, type Box, FIRST_SUBTITLE, FIRST_TITLE, fitted, LEFT, RIGHT, TITLE, transform } from './measures.ts'
import { fittingSize } from './text-size.ts'
import { escaped, NAMESPACES, XML } from './xml-text.ts'

export const firstPage = (title: string, subtitle: string): DeckPage => ({
  layout: 1,
  xml: slide([
    words(2, 'Title', 'type="ctrTitle"', [title], fittingSize([title], FIRST_TITLE, FIRST_TITLE_SIZES)),
    words(3, 'Subtitle', 'type="subTitle" idx="1"', [subtitle], fittingSize([subtitle], FIRST_SUBTITLE, TEXT_SIZES)),
  ]),
})

export const textPage = (title: string, bullets: readonly string[]): DeckPage => ({
  layout: 2,
  xml: slide([heading(title), listed(bullets, BODY)]),
})

/** Slide with text, and an image to its right. @param name description of the image for people who cannot see it */
export const textImagePage = (
  title: string,
  bullets: readonly string[],
  { image, kind, name }: { readonly image: Uint8Array; readonly kind: ImageKind; readonly name: string },
): DeckPage => ({
  layout: 3,
  xml: slide([heading(title), listed(bullets, LEFT), picture(4, name, fitted(RIGHT, kind))]),
  image,
})

const FIRST_TITLE_SIZES = [54, 48, 40, 32, 28, 24, 20, 16, 12]
const TITLE_SIZES = [36, 32, 28, 24, 20, 16, 12]
const TEXT_SIZES = [28, 24, 20, 18, 16, 14, 12, 10, 8]

const heading = (title: string) => words(2, 'Title', 'type="title"', [title], fittingSize([title], TITLE, TITLE_SIZES))
const listed = (bullets: readonly string[], box: Box) =>
  words(3, 'Content', 'type="body" idx="1"', bullets, fittingSize(bullets, box, TEXT_SIZES))

const slide = (shapes: readonly string[]) =>
  `${XML}<p:sld ${NAMESPACES}><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes.join('')}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`

/** Text box. @param size in points */
function words(id: number, name: string, ph: string, paragraphs: readonly string[], size: number): string {
  const given = paragraphs.length > 0 ? paragraphs : ['']
  return `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph ${ph}/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr><a:normAutofit/></a:bodyPr><a:lstStyle/>${given
    .map((text) => paragraph(text, size * 100))
    .join('')}</p:txBody></p:sp>`
}

function paragraph(text: string, size: number): string {
  const look = `<a:rPr sz="${size}"/>`
  const runs = text
    .split(/\r?\n|\v/)
    .map((line) => (line === '' ? '' : `<a:r>${look}<a:t>${escaped(line)}</a:t></a:r>`))
    .join(`<a:br>${look}</a:br>`)
  return `<a:p>${runs}<a:endParaRPr sz="${size}"/></a:p>`
}

const picture = (id: number, name: string, box: Box) =>
  `<p:pic><p:nvPicPr><p:cNvPr id="${id}" name="Image" descr="${escaped(name)}"/><p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="rId2"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>${transform(box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`
