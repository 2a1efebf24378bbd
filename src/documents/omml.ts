import { child, childrenNamed, elements, textOf, type XmlElement } from './xml.ts'

/** LaTeX of an Office Math equation, without dollar signs. Unknown elements show their text. */
export function latexOf(math: XmlElement): string {
  return elements(math).map(part).join('').replace(/\s+/g, ' ').replaceAll(' }', '}').replaceAll('} ^', '}^').trim()
}

function part(node: XmlElement): string {
  const of = (name: string) => inside(child(node, name))
  switch (node.name) {
    case 'm:r':
      return run(node)
    case 'm:f':
      return property(node, 'm:fPr', 'm:type') === 'lin'
        ? `${of('m:num')}/${of('m:den')}`
        : `\\frac{${of('m:num')}}{${of('m:den')}}`
    case 'm:sSup':
      return `${base(node)}^{${of('m:sup')}}`
    case 'm:sSub':
      return `${base(node)}_{${of('m:sub')}}`
    case 'm:sSubSup':
      return `${base(node)}_{${of('m:sub')}}^{${of('m:sup')}}`
    case 'm:sPre':
      return `{}_{${of('m:sub')}}^{${of('m:sup')}}${base(node)}`
    case 'm:rad':
      return root(of('m:deg'), of('m:e'))
    case 'm:nary':
      return nary(node)
    case 'm:d':
      return delimited(node)
    case 'm:func':
      return `${functionName(of('m:fName'))}{${of('m:e')}}`
    case 'm:limLow':
      return `${functionName(of('m:e'))}_{${of('m:lim')}}`
    case 'm:limUpp':
      return `${functionName(of('m:e'))}^{${of('m:lim')}}`
    case 'm:acc':
      return `${ACCENTS.get(property(node, 'm:accPr', 'm:chr') ?? '\u0302') ?? '\\hat'}{${of('m:e')}}`
    case 'm:bar':
      return `${property(node, 'm:barPr', 'm:pos') === 'top' ? '\\overline' : '\\underline'}{${of('m:e')}}`
    case 'm:groupChr':
      return `${property(node, 'm:groupChrPr', 'm:pos') === 'top' ? '\\overbrace' : '\\underbrace'}{${of('m:e')}}`
    case 'm:m':
      return `\\begin{matrix}${childrenNamed(node, 'm:mr')
        .map((row) => childrenNamed(row, 'm:e').map(inside).join(' & '))
        .join(' \\\\ ')}\\end{matrix}`
    case 'm:eqArr':
      return `\\begin{aligned}${childrenNamed(node, 'm:e').map(inside).join(' \\\\ ')}\\end{aligned}`
    default:
      return node.name.endsWith('Pr') ? '' : inside(node)
  }
}

const inside = (node: XmlElement | undefined): string => (node ? elements(node).map(part).join('') : '')

const root = (degree: string, of: string) => (degree === '' ? `\\sqrt{${of}}` : `\\sqrt[${degree}]{${of}}`)

/** Base of a superscript or subscript; several symbols are kept together. */
function base(node: XmlElement): string {
  const text = inside(child(node, 'm:e'))
  return [...text].length <= 1 || /^\\[a-z]+ ?$/i.test(text) ? text.trim() : `{${text}}`
}

const property = (node: XmlElement, properties: string, name: string) =>
  child(child(node, properties), name)?.attributes['m:val']

function nary(node: XmlElement): string {
  const sign = property(node, 'm:naryPr', 'm:chr') ?? '∫'
  const sub = inside(child(node, 'm:sub'))
  const sup = inside(child(node, 'm:sup'))
  return `${(SYMBOLS.get(sign) ?? sign).trim()}${sub && `_{${sub}}`}${sup && `^{${sup}}`}{${inside(child(node, 'm:e'))}}`
}

function delimited(node: XmlElement): string {
  const begin = property(node, 'm:dPr', 'm:begChr') ?? '('
  const end = property(node, 'm:dPr', 'm:endChr') ?? ')'
  const separator = property(node, 'm:dPr', 'm:sepChr') ?? '|'
  const inner = childrenNamed(node, 'm:e').map(inside).join(separator)
  return `\\left${DELIMITERS.get(begin) ?? begin}${inner}\\right${DELIMITERS.get(end) ?? end}`
}

const DELIMITERS = new Map([
  ['', '.'],
  ['{', '\\{'],
  ['}', '\\}'],
  ['⌈', '\\lceil '],
  ['⌉', '\\rceil '],
  ['⌊', '\\lfloor '],
  ['⌋', '\\rfloor '],
  ['⟨', '\\langle '],
  ['⟩', '\\rangle '],
  ['‖', '\\|'],
])

const FUNCTIONS = new Set(
  'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln exp lim max min sup inf det dim gcd deg arg'.split(
    ' ',
  ),
)

const functionName = (name: string) => {
  const plain = name.trim()
  return FUNCTIONS.has(plain) ? `\\${plain} ` : name
}

const ACCENTS = new Map([
  ['\u0302', '\\hat'],
  ['\u0303', '\\tilde'],
  ['\u0304', '\\bar'],
  ['\u0305', '\\overline'],
  ['¯', '\\bar'],
  ['\u0307', '\\dot'],
  ['\u0308', '\\ddot'],
  ['\u20d7', '\\vec'],
  ['→', '\\vec'],
])

/** Function application: an invisible character between a function and its argument. */
const APPLY = '\u2061'

function run(node: XmlElement): string {
  const text = childrenNamed(node, 'm:t').map(textOf).join('')
  if (text.trim() === '') return text === '' ? '' : ' '
  if (FUNCTIONS.has(text.replaceAll(APPLY, '').trim())) return functionName(text.replaceAll(APPLY, ''))
  if (child(child(node, 'm:rPr'), 'm:nor')) return `\\text{${text}}`
  return [...text.replaceAll(APPLY, '')]
    .map(
      (char) => SYMBOLS.get(char.normalize('NFKC')) ?? SYMBOLS.get(char) ?? ESCAPED.get(char) ?? char.normalize('NFKC'),
    )
    .join('')
}

const ESCAPED = new Map([...'%#&_$'].map((char) => [char, `\\${char}`] as const))

const SYMBOLS = new Map(
  (
    'α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν nu ' +
    'ξ xi π pi ρ rho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta ' +
    'Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ∞ infty ∂ partial ∇ nabla ∑ sum ∏ prod ∐ coprod ∫ int ' +
    '∬ iint ∭ iiint ∮ oint ∪ cup ∩ cap ⋃ bigcup ⋂ bigcap ± pm ∓ mp × times ÷ div ⋅ cdot · cdot ∘ circ ∗ ast ≤ leq ≥ geq ' +
    '≠ neq ≈ approx ≡ equiv ≅ cong ∼ sim ∝ propto ≪ ll ≫ gg ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∈ in ∉ notin ∋ ni ' +
    '∀ forall ∃ exists ¬ neg ∧ wedge ∨ vee ⊕ oplus ⊗ otimes ⊥ perp ∥ parallel ∠ angle → to ← leftarrow ↔ leftrightarrow ' +
    '⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto … ldots ⋯ cdots ⋮ vdots ⋱ ddots ℏ hbar ℓ ell ℜ Re ℑ Im ℵ aleph ' +
    '∅ emptyset √ surd ′ prime ℝ mathbb{R} ℕ mathbb{N} ℤ mathbb{Z} ℚ mathbb{Q} ℂ mathbb{C} ∴ therefore ∵ because'
  )
    .split(' ')
    .reduce<[string, string][]>((pairs, word, at, words) => {
      if (at % 2 === 1) pairs.push([words[at - 1] ?? '', word.endsWith('}') ? `\\${word}` : `\\${word} `])
      return pairs
    }, []),
)
