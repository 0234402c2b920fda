/** What resources are about: the first are the commonest. */
export const topics =
  `friendship, screen time, sleep, homework, anxiety, social media, bullying, puberty, money, food,
  first phones, gaming, moving house, grief, divorce, siblings, exams, sport, body image, honesty, curfews, chores,
  first love, peer pressure, reading for pleasure, faith, safety online, group chats, allowance, driving lessons,
  stepfamilies, homesickness, procrastination, perfectionism, vaping, summer jobs, college plans, volunteering`
    .split(',')
    .map((topic) => topic.trim())

export const openings = [
  'How to talk about',
  'A calm guide to',
  'What teens wish you knew about',
  'Ten questions on',
  'When it is hard to speak about',
  'Walking together through',
  'The first week of',
  'Ask an expert:',
] as const

export const people = ['your tween', 'your teen', 'your child', 'both of you', 'the whole family'] as const

const common = `the and to of a your with child about how they for when you can it is talk teens parents time school feel
  what without listen together them help friends first questions more simple small calm week that not home know words
  family trust ask story every day learn begin plan rules fear change evening phone support change honest kind limits
  mood body choices boundary praise mistake patience repair habit worry voice room table walk dinner game night morning
  teacher counsellor coach neighbour grandparent sister brother culture memory future courage grief laughter silence`

const syllables = ['ba', 'do', 'fe', 'gi', 'ku', 'la', 'mo', 'ne', 'pi', 'ru', 'sa', 'ti', 'vo', 'we', 'zu']

/** Names and terms that hardly any text holds, e.g. "Badofemo". */
export const rareWords = Array.from({ length: 1000 }, (_, n) => {
  const parts = [n % 15, Math.floor(n / 15) % 15, Math.floor(n / 225) % 15, (n * 7) % 15]
  const word = parts.map((part) => syllables[part]).join('')
  return word.charAt(0).toUpperCase() + word.slice(1)
})

export const commonWords = common.split(/\s+/)

export const places = Array.from({ length: 40 }, (_, n) => {
  const towns = ['Oakland', 'Fresno', 'Berlin', 'Austin', 'Leeds', 'Toronto', 'Lyon', 'Porto']
  const parts = ['', ' North', ' South', ' Harbour', ' Hills']
  return `${towns[n % 8]}${parts[Math.floor(n / 8)]}`
})
