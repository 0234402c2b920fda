import type { Schema } from 'hast-util-sanitize'

const words = (text: string) => text.split(' ')

const small = /^[1-9]\d{0,2}$/
const pixels = /^\d{1,4}$/
const width = /^\d{1,4}%?$/

/**
 * What may stand in an article: the last gate, after which nothing is added. What is not named here is
 * unwrapped to its text; what is under `strip` goes with everything in it.
 */
export const articleSchema: Schema = {
  allowComments: false,
  allowDoctypes: false,
  tagNames: [
    ...words('h2 h3 h4 h5 h6 p div section blockquote pre hr br wbr figure figcaption address style'),
    ...words('ul ol li dl dt dd details summary a img'),
    ...words('table caption colgroup col thead tbody tfoot tr th td'),
    ...words('span em strong b i u s small sub sup mark ins del q cite dfn abbr time'),
    ...words('code kbd samp var bdi bdo ruby rb rt rp'),
  ],
  strip: [
    ...words('script template noscript iframe frame frameset object embed applet portal'),
    ...words('svg math canvas audio video source track map area'),
    ...words('title head meta link base xml select datalist textarea input noembed noframes'),
  ],
  ancestors: {
    ...Object.fromEntries(
      words('caption colgroup col thead tbody tfoot tr th td').map((name) => [name, ['table']]),
    ),
    li: ['ul', 'ol'],
    dt: ['dl'],
    dd: ['dl'],
    summary: ['details'],
    figcaption: ['figure'],
  },
  attributes: {
    '*': [
      'className',
      'id',
      'title',
      'style',
      ['lang', /^[a-z\d-]{1,35}$/i],
      ['dir', 'ltr', 'rtl', 'auto'],
      ['align', 'left', 'right', 'center', 'justify'],
    ],
    a: ['href', ['rel', 'noopener', 'noreferrer']],
    img: [
      'src',
      'alt',
      ['width', pixels],
      ['height', pixels],
      ['loading', 'lazy'],
      ['decoding', 'async'],
      ['referrerPolicy', 'no-referrer'],
    ],
    ol: [
      ['start', /^-?\d{1,5}$/],
      ['type', '1', 'a', 'A', 'i', 'I'],
      ['reversed', true],
    ],
    li: [['value', /^-?\d{1,5}$/]],
    table: [['width', width]],
    col: [
      ['span', small],
      ['width', width],
    ],
    colgroup: [
      ['span', small],
      ['width', width],
    ],
    td: [
      ['colSpan', small],
      ['rowSpan', small],
      ['width', width],
      ['vAlign', 'top', 'middle', 'bottom', 'baseline'],
    ],
    th: [
      ['colSpan', small],
      ['rowSpan', small],
      ['width', width],
      ['vAlign', 'top', 'middle', 'bottom', 'baseline'],
      ['scope', 'col', 'row', 'colgroup', 'rowgroup'],
      'abbr',
    ],
    details: [['open', true]],
    time: ['dateTime'],
    style: [['media', /^(?:all|print|screen)$/]],
  },
  protocols: { href: ['http', 'https', 'mailto', 'tel'], src: ['https', 'data'] },
  required: { img: { alt: '' } },
  clobber: [],
  clobberPrefix: '',
}
