/** Why a file could not become an article, in words for whoever chose it. */
export class ImportError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ImportError'
  }
}

/** The first three are the specification's own words (sections 5 and 8). */
export const importErrors = {
  noHtml: () => new ImportError('The uploaded file does not appear to contain HTML content'),
  unreadable: (cause?: unknown) => new ImportError('Error reading file', cause),
  unprocessable: (cause?: unknown) =>
    new ImportError('Could not process this file. It may contain characters that cannot be encoded.', cause),
  oldWord: () =>
    new ImportError(
      'This is a Word document in the old format. Please open it in Word, save it as .docx, and upload that.',
    ),
  noDocx: () =>
    new ImportError(
      'This is not a Word document. Please upload an HTML file, or a document saved by Word as .docx.',
    ),
  webArchive: () =>
    new ImportError(
      'This is a web page in a single file (.mht). Please save it in Word as .docx or as “Web Page, Filtered”, and upload that.',
    ),
  tooLarge: () =>
    new ImportError(
      'This article is too large: with its pictures it may have 7 MB. Please make the pictures smaller and upload it again.',
    ),
  tooComplex: (cause: unknown) =>
    new ImportError('This file is too complex to be shown as an article.', cause),
}
