import { BODY, type Box, FIRST_SUBTITLE, FIRST_TITLE, LEFT, RIGHT, TITLE, TITLE_RULE, transform } from './measures.ts'
import { relationsPart } from './parts.ts'
import { NAMESPACES, XML } from './xml-text.ts'

/** Look of the slides: one theme, one master, and a layout for each kind of slide. */

const color = (name: string, value: string) => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`
const solid = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
const line = `<a:ln w="9525">${solid}</a:ln>`
const fonts =
  '<a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/><a:font script="Hans" typeface="等线"/>'

export const THEME = `${XML}<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Default"><a:themeElements><a:clrScheme name="Default">${[
  color('dk1', '1F2933'),
  color('lt1', 'FFFFFF'),
  color('dk2', '16324F'),
  color('lt2', 'EEF2F6'),
  color('accent1', '2A6F97'),
  color('accent2', 'E07A5F'),
  color('accent3', '81B29A'),
  color('accent4', 'F2CC8F'),
  color('accent5', '6D597A'),
  color('accent6', '3D5A80'),
  color('hlink', '2A6F97'),
  color('folHlink', '6D597A'),
].join(
  '',
)}</a:clrScheme><a:fontScheme name="Default"><a:majorFont>${fonts}</a:majorFont><a:minorFont>${fonts}</a:minorFont></a:fontScheme><a:fmtScheme name="Default"><a:fillStyleLst>${solid.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${line.repeat(3)}</a:lnStyleLst><a:effectStyleLst>${'<a:effectStyle><a:effectLst/></a:effectStyle>'.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${solid.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`

const background = (scheme: string) =>
  `<p:bg><p:bgPr><a:solidFill><a:schemeClr val="${scheme}"/></a:solidFill><a:effectLst/></p:bgPr></p:bg>`

const tree = (shapes: readonly string[]) =>
  `<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes.join('')}</p:spTree>`

/** Placeholder of a layout. @param ph attributes of the placeholder @param style of its text */
const placeholder = (id: number, name: string, ph: string, box: Box, prompt: string, style = '', anchor = 't') =>
  `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph ${ph}/></p:nvPr></p:nvSpPr><p:spPr>${transform(box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr anchor="${anchor}"><a:normAutofit/></a:bodyPr><a:lstStyle>${style}</a:lstStyle><a:p><a:r><a:rPr lang="en-US"/><a:t>${prompt}</a:t></a:r></a:p></p:txBody></p:sp>`

const rule = (id: number, box: Box) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Rule"/><p:cNvSpPr/><p:nvPr userDrawn="1"/></p:nvSpPr><p:spPr>${transform(box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:solidFill><a:schemeClr val="accent2"/></a:solidFill><a:ln><a:noFill/></a:ln></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr lang="en-US"/></a:p></p:txBody></p:sp>`

const filled = (scheme: string) => `<a:solidFill><a:schemeClr val="${scheme}"/></a:solidFill>`
const plain = (attributes: string, scheme: string) =>
  `<a:lvl1pPr marL="0" indent="0" algn="l"><a:buNone/><a:defRPr ${attributes}>${filled(scheme)}</a:defRPr></a:lvl1pPr>`

const title = (box: Box) => placeholder(2, 'Title', 'type="title"', box, 'Title', '', 'b')
const body = (id: number, index: number, box: Box) =>
  placeholder(id, `Content ${index}`, `${id === 3 ? 'type="body" ' : ''}idx="${index}"`, box, 'Text')

const bullets = Array.from({ length: 9 }, (_, at) => {
  const level = at + 1
  return `<a:lvl${level}pPr marL="${285_750 * level}" indent="-285750" algn="l"><a:lnSpc><a:spcPct val="100000"/></a:lnSpc><a:spcBef><a:spcPct val="40000"/></a:spcBef><a:buClr><a:schemeClr val="accent2"/></a:buClr><a:buFont typeface="Arial"/><a:buChar char="•"/><a:defRPr sz="${Math.max(1_400, 2_400 - 200 * at)}">${filled('tx1')}<a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/></a:defRPr></a:lvl${level}pPr>`
}).join('')

const others = Array.from(
  { length: 9 },
  (_, at) => `<a:lvl${at + 1}pPr><a:defRPr sz="1800">${filled('tx1')}</a:defRPr></a:lvl${at + 1}pPr>`,
).join('')

export const MASTER = `${XML}<p:sldMaster ${NAMESPACES}><p:cSld>${background('bg1')}${tree([
  title(TITLE),
  body(3, 1, BODY),
])}</p:cSld><p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/><p:sldLayoutId id="2147483650" r:id="rId2"/><p:sldLayoutId id="2147483651" r:id="rId3"/></p:sldLayoutIdLst><p:txStyles><p:titleStyle><a:lvl1pPr algn="l"><a:defRPr sz="3600" b="1">${filled('tx2')}<a:latin typeface="+mj-lt"/><a:ea typeface="+mj-ea"/></a:defRPr></a:lvl1pPr></p:titleStyle><p:bodyStyle>${bullets}</p:bodyStyle><p:otherStyle>${others}</p:otherStyle></p:txStyles></p:sldMaster>`

export const MASTER_RELATIONS = relationsPart([
  ['slideLayout', '../slideLayouts/slideLayout1.xml'],
  ['slideLayout', '../slideLayouts/slideLayout2.xml'],
  ['slideLayout', '../slideLayouts/slideLayout3.xml'],
  ['theme', '../theme/theme1.xml'],
])

export const LAYOUT_RELATIONS = relationsPart([['slideMaster', '../slideMasters/slideMaster1.xml']])

const layout = (type: string, name: string, shapes: readonly string[], back = '') =>
  `${XML}<p:sldLayout ${NAMESPACES} type="${type}" preserve="1"><p:cSld name="${name}">${back}${tree(shapes)}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>`

/** Layouts of the first slide, of text, of text with an image. */
export const LAYOUTS = [
  layout(
    'title',
    'Title Slide',
    [
      placeholder(2, 'Title', 'type="ctrTitle"', FIRST_TITLE, 'Title', plain('sz="5400" b="1"', 'bg1'), 'b'),
      placeholder(3, 'Subtitle', 'type="subTitle" idx="1"', FIRST_SUBTITLE, 'Subtitle', plain('sz="2400"', 'bg2')),
      rule(4, { ...TITLE_RULE, x: FIRST_TITLE.x + 91_440, y: FIRST_TITLE.y + FIRST_TITLE.height + 100_000 }),
    ],
    background('tx2'),
  ),
  layout('tx', 'Title and Content', [title(TITLE), body(3, 1, BODY), rule(4, TITLE_RULE)]),
  layout('txAndObj', 'Two Content', [title(TITLE), body(3, 1, LEFT), body(4, 2, RIGHT), rule(5, TITLE_RULE)]),
]
