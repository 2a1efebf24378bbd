/** Debian's packages of TeX Live, each with files that documents often use. */
const PACKAGES: Readonly<Record<string, string>> = {
  'texlive-lang-chinese': 'ctex.sty ctexart.cls ctexbook.cls ctexrep.cls ctexbeamer.cls zhnumber.sty',
  'texlive-lang-cjk': 'xeCJK.sty CJKpunct.sty',
  'latex-cjk-chinese': 'CJK.sty CJKutf8.sty',
  'texlive-lang-japanese': 'luatexja.sty luatexja-fontspec.sty bxjsarticle.cls jsarticle.cls',
  'texlive-lang-korean': 'kotex.sty',
  'texlive-lang-german': 'germanb.ldf ngermanb.ldf german.ldf ngerman.ldf',
  'texlive-lang-french': 'french.ldf frenchb.ldf',
  'texlive-lang-spanish': 'spanish.ldf',
  'texlive-lang-italian': 'italian.ldf',
  'texlive-lang-portuguese': 'portuges.ldf portuguese.ldf brazil.ldf',
  'texlive-lang-cyrillic': 'russianb.ldf ukraineb.ldf',
  'texlive-lang-greek': 'greek.ldf',
  'texlive-lang-polish': 'polish.ldf polski.sty',
  'texlive-lang-european': 'dutch.ldf swedish.ldf danish.ldf norsk.ldf finnish.ldf turkish.ldf romanian.ldf',
  'texlive-bibtex-extra': 'biblatex.sty',
  'texlive-latex-recommended':
    'fontspec.sty unicode-math.sty booktabs.sty caption.sty listings.sty xcolor.sty beamer.cls memoir.cls scrartcl.cls scrreprt.cls scrbook.cls microtype.sty mathtools.sty setspace.sty xltxtra.sty polyglossia.sty',
  'texlive-latex-extra':
    'enumitem.sty tcolorbox.sty minted.sty multirow.sty titlesec.sty todonotes.sty cleveref.sty subfigure.sty wrapfig.sty tocloft.sty lipsum.sty comment.sty standalone.cls subfiles.sty subfiles.cls glossaries.sty acronym.sty lastpage.sty appendix.sty adjustbox.sty makecell.sty datetime2.sty moderncv.cls exam.cls threeparttable.sty framed.sty csquotes.sty pdfcomment.sty background.sty',
  'texlive-pictures': 'tikz.sty pgf.sty chemfig.sty pgfplots.sty tikz-cd.sty circuitikz.sty forest.sty tkz-euclide.sty',
  'texlive-pstricks': 'pstricks.sty pst-plot.sty',
  'texlive-science':
    'algorithm.sty algorithmic.sty algorithm2e.sty algpseudocode.sty algorithmicx.sty siunitx.sty mhchem.sty physics.sty SIunits.sty steinmetz.sty',
  'texlive-publishers':
    'IEEEtran.cls IEEEtran.bst acmart.cls revtex4-2.cls revtex4-1.cls elsarticle.cls llncs.cls apa6.cls apa7.cls mnras.cls',
  'texlive-fonts-recommended': 'marvosym.sty wasysym.sty',
  'texlive-fonts-extra':
    'libertine.sty libertinus.sty newtxmath.sty newtxtext.sty newpxtext.sty newpxmath.sty fontawesome.sty fontawesome5.sty bbm.sty dsfont.sty inconsolata.sty stix.sty stix2.sty sourcesanspro.sty sourcecodepro.sty roboto.sty raleway.sty cabin.sty fourier.sty kpfonts.sty ebgaramond.sty',
  'texlive-luatex': 'luaotfload.sty luacode.sty luatexbase.sty',
  'texlive-music': 'musixtex.sty',
  'texlive-humanities': 'gb4e.sty linguex.sty covington.sty',
  lmodern: 'lmodern.sty',
}

const BY_FILE: ReadonlyMap<string, string> = new Map(
  Object.entries(PACKAGES).flatMap(([name, files]) => files.split(' ').map((file) => [file, name] as const)),
)

/** Debian package with a file of TeX Live; null for files that documents rarely use. */
export const debianPackageOf = (file: string): string | null =>
  BY_FILE.get(file.slice(file.lastIndexOf('/') + 1)) ?? null
