const plain: ReadonlyArray<readonly [typographic: RegExp, plain: string]> = [
  [/[‘’‚‛′‹›\u0091\u0092]/g, "'"],
  [/[“”„‟″«»\u0093\u0094]/g, '"'],
  [/[‐‑‒–—―−\u0096\u0097]/g, '-'],
  [/[…\u0085]/g, '...'],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
  [/[•‣▪●◦\u0095\uf0a7\uf0b7]/g, '*'],
  [/[\u00ad\u200b\u2060\ufeff]/g, ''],
]

/**
 * Text with plain quotes, dashes, dots, spaces and bullets for the typographic ones that Word puts in while one types
 * (specification, section 5). Letters, accents and signs with a meaning of their own stay.
 */
export const plainTypography = (text: string) =>
  plain.reduce((done, [typographic, instead]) => done.replace(typographic, instead), text)
