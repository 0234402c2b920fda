import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { describe, expect, it } from 'vitest'
import { sanitiseArticle } from '#domain/article/sanitise.ts'
import { ArticleBody } from './article-body.tsx'

const rendered = (html: string) =>
  renderToString(
    <RouterProvider router={createMemoryRouter([{ path: '/', element: <ArticleBody html={html} /> }])} />,
  )

describe('the HTML a server sends for an article', () => {
  it('holds it in a declarative shadow root, after our typography', () => {
    const html = '<style>p{margin:0}</style><p class="lead">5 &#x3C; 6</p>'
    expect(rendered(html)).toMatch(
      /^<div class="article-host"><template shadowrootmode="open"><style>[^<]*<\/style><div class="article">.*<\/div><\/template><\/div>$/,
    )
    expect(rendered(html)).toContain(`<div class="article">${html}</div>`)
  })

  it('is one template, whatever the article tries', () => {
    const hostile =
      '</div></template></div><script>alert(1)</script><style>a{content:"</template>"}</style><template>'
    const page = rendered(sanitiseArticle(hostile))
    expect(page.match(/<\/?template/g)).toEqual(['<template', '</template'])
    expect(page).not.toContain('<script')
    expect(page).toMatch(/<\/div><\/template><\/div>$/)
  })
})
