/** What mammoth reports, and what it means for somebody who knows Word but not its files. */
const meanings: ReadonlyArray<readonly [report: RegExp, meaning: (detail: string) => string]> = [
  [
    /^Unrecognised \w+ style: '([^']*)'/,
    (style) => `The style “${style}” has no counterpart here: its text looks like any other.`,
  ],
  [/ignored: .*oMath/, () => 'Formulas are left out. A picture of the formula would come through.'],
  [/ignored: .*(?:chart|diagram|w:object)/, () => 'Charts, diagrams and embedded objects are left out.'],
  [
    /^Image of type (?:image\/)?(?:x-)?([\w.+-]+) is unlikely/,
    (format) =>
      `A picture in the format ${format.toUpperCase()} cannot be shown. As PNG or JPEG it would come through.`,
  ],
  [
    /image file|v:imagedata|external (?:image|file)/i,
    () => 'A picture is missing: the document only says where it is. Insert the picture itself.',
  ],
  [/w:sym element/, () => 'A symbol from a special font is left out.'],
  [/cell merging/, () => 'A table is built in an unusual way. Please check its merged cells.'],
]

const SOMETHING =
  'Something in the document has no counterpart here and is left out. Please check the preview.'
const LOOKS = 'Fonts and colours are not taken along: articles look like the rest of the site.'

const meaningOf = (report: string) => {
  for (const [pattern, meaning] of meanings) {
    const found = pattern.exec(report)
    if (found) return meaning(found[1] ?? '')
  }
  // A style that is used without being defined changes nothing that readers could see.
  return /style with ID .* not defined/.test(report) ? undefined : SOMETHING
}

/** What did not come through from a .docx document, each thing said once, in plain words. */
export const docxNotes = (messages: readonly { message: string }[]): string[] => {
  const found = messages.map(({ message }) => meaningOf(message)).filter((note) => note !== undefined)
  return [...new Set([...found, LOOKS])]
}
