import { expect, it } from 'vitest'
import { sanitiseArticle } from '#domain/article/sanitise.ts'
import { fitPictures } from './fit-pictures.ts'

const shown = (html: string) => fitPictures(sanitiseArticle(html))
const own = '/storage/v1/object/public/images/resource-images/a.png'

it('a picture of our own storage comes in sizes, where its width is known', () => {
  const html = shown(
    `<p>Before</p><img src="${own}" alt="A &quot;gate&quot; &amp; a path" width="600" height="400">`,
  )
  expect(html).toContain(
    `<img src="${own}" srcset="/storage/v1/render/image/public/images/resource-images/a.png?width=160`,
  )
  expect(html).toContain(
    '&#x26;resize=contain 1600w" sizes="(max-width:600px) 100vw,600px" alt="A &#x22;gate&#x22;',
  )
  expect(html).toContain('width="600" height="400"')
})

it.each([
  ['without a width', `<img src="${own}" alt="">`],
  ['from elsewhere', '<img src="https://elsewhere.example/a.png" alt="" width="600">'],
  ['that is a drawing', '<img src="/storage/v1/object/public/images/a.svg" alt="" width="600">'],
  ['that is only told of', `<p>&lt;img src="${own}" width="600"</p>`],
  ['in another one’s words', `<img src="/a.png" alt='<img src="${own}" width="600"' width="10">`],
  ['in a style', `<style>p::before{content:'<img src="${own}" width="600"'}</style><p>x</p>`],
])('a picture %s stays as it is', (_which, html) => {
  expect(shown(html)).toBe(sanitiseArticle(html))
})

it('no article gets an address or an attribute of its author’s making', () => {
  const html = shown(
    `<img src='${own}" onerror="alert(1)' width="600"><img src="${own}" srcset="//evil 1w" width="600">`,
  )
  expect(html).not.toMatch(/ onerror=|evil/)
})
