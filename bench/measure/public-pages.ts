/** The pages that are judged, as a visitor finds them in the starter library. */
export async function publicPages(
  url: string,
): Promise<Record<'home' | 'listing' | 'article' | 'podcast', string>> {
  const firstOf = async (category: string): Promise<string> => {
    const html = await (await fetch(`${url}/resources/${category}`)).text()
    const path = /\/resource\/[0-9a-f-]{36}/.exec(html)?.[0]
    if (!path) throw new Error(`the starter library has no ${category}`)
    return path
  }
  return {
    home: '/',
    listing: '/resources',
    article: await firstOf('reading'),
    podcast: await firstOf('podcast'),
  }
}
