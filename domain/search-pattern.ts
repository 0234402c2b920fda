/**
 * A PostgreSQL regular expression (for the operators `~*` and `imatch`) that matches the text literally.
 * LIKE patterns cannot do this through the REST protocol, which turns every `*` into `%`.
 */
export const searchPattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
