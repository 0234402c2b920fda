import { expect, it } from 'vitest'
import { scriptsLast } from './seal-page.ts'

const page = (head: string, body: string) => `<head>${head}</head><body>${body}</body>`

it('scripts wait for the first paint: browsers fetch and run nothing of an unknown kind', () => {
  const styles = '<link rel="stylesheet" nonce="n1" href="/a.css"/>'
  const html = scriptsLast(
    page(
      `${styles}<link rel="modulepreload" nonce="n1" href="/a.js"/>`,
      '<script nonce="n1" type="module" async="">import "/a.js"</script>',
    ),
    'n1',
  )
  expect(html).toContain(`${styles}<link rel="later" fetchpriority="low" nonce="n1" href="/a.js"/>`)
  expect(html).toContain('<body><script nonce="n1" type="later" async="">import "/a.js"</script></body>')
  expect(html).toMatch(/<script nonce="n1">\{const parsed=[^<]+<\/script><\/head>/)
})

it('leaves alone what React Router did not write', () => {
  const text = '<p>modulepreload</p><script type="module">alert(1)</script><script nonce="n1">now()</script>'
  expect(scriptsLast(page('', text), 'n1')).toContain(`<body>${text}</body>`)
})
