/** The offer (specification, section 1). */
export const offers = [
  { name: 'Podcasts', text: 'A few minutes for the school run, a walk or the dishes.' },
  { name: 'Expert articles', text: 'What is known, in plain words, with sentences you can use tonight.' },
  { name: 'Community', text: 'Anonymous, moderated groups, where it is safe to say what is hard.' },
  { name: 'Workshops', text: 'Webinars and live Q&As, with time for your own questions.' },
  { name: '1:1 discussions', text: 'A live conversation with an expert about your family.' },
] as const

/** The four values of the specification, section 1. */
export const values = [
  { name: 'Empathy', text: 'Before advice comes understanding, for your child and for you.' },
  { name: 'Growth', text: 'Children change, and parents may too. Nobody is finished here.' },
  { name: 'Connection', text: 'What matters most is that you keep talking, however clumsily.' },
  { name: 'Inclusivity', text: 'Every family is meant: every shape, every background, every child.' },
] as const
