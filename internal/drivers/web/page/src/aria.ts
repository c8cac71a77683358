// Facts of WAI-ARIA 1.2/1.3, ACCNAME 1.2 and HTML-AAM as tables. No logic here.

const set = (words: string): Set<string> => new Set(words.split(' '));

/** The concrete roles an author may name; anything else in a role attribute is skipped. */
export const ROLES = set('alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment ' +
  'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading image img ' +
  'insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note ' +
  'option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton ' +
  'status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem ' +
  'sectionheader sectionfooter doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref ' +
  'doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes doc-epigraph doc-epilogue doc-errata ' +
  'doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter ' +
  'doc-pageheader doc-pagelist doc-part doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc graphics-document graphics-object graphics-symbol');

/** Roles with one meaning and two spellings. */
export const SYNONYMS: Record<string, string> = { image: 'img', presentation: 'none', directory: 'list' };

/** Roles whose name may come from what is inside. */
export const NAME_FROM_CONTENT = set('button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio ' +
  'option radio rowheader switch tab term tooltip treeitem doc-backlink doc-biblioref doc-glossref doc-noteref doc-subtitle');

/** Roles whose content is a matter of its own: it is no part of the name of what they stand in. */
export const CONTAINERS = set('alert alertdialog application article banner blockquote comment complementary contentinfo dialog document feed figure form ' +
  'graphics-document graphics-object graphics-symbol grid group listbox log main marquee menu menubar meter navigation note progressbar radiogroup ' +
  'rowgroup scrollbar search sectionfooter sectionheader separator slider spinbutton status suggestion table tablist tabpanel timer toolbar tree treegrid');

/** Roles that may not be named by aria-label, aria-labelledby or title. */
export const NAME_PROHIBITED = set('caption code deletion emphasis generic insertion mark none paragraph strong subscript superscript');

/** Roles that a person operates. */
export const WIDGETS = set('button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider ' +
  'spinbutton switch tab textbox treeitem doc-backlink doc-biblioref doc-glossref doc-noteref');

/** Roles that structure the page for navigation. */
export const LANDMARKS = set('banner complementary contentinfo form main navigation region search');

/** Roles that have a checked state. */
export const CHECKABLE = set('checkbox menuitemcheckbox menuitemradio option radio switch treeitem');

/** Roles with a range of numbers. */
export const RANGES = set('meter progressbar scrollbar slider spinbutton separator');

/** Roles that hold text a person edits. */
export const TEXTBOXES = set('textbox searchbox');

/** aria-* attributes that are valid on any role: having one keeps an element from being presentational. */
export const GLOBAL_ATTRS = ('aria-atomic aria-busy aria-controls aria-current aria-describedby aria-description aria-details aria-dropeffect aria-flowto ' +
  'aria-grabbed aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns aria-relevant aria-roledescription aria-braillelabel aria-brailleroledescription').split(' ');

/** Elements that never show anything of their own. */
export const UNRENDERED = set('base head link meta noembed noframes noscript param script style template title source track rp');

/** Sectioning content: inside it header and footer are not landmarks. */
export const SECTIONING = set('article aside main nav section');

/** Roles that mean the same to header, footer and aside as sectioning content. */
export const SECTIONING_ROLES = set('article complementary main navigation');
