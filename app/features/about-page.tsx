import type { ReactNode } from 'react'
import { href } from 'react-router'
import { Landscape } from '#app/assets/landscape.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { containerClass } from '#app/ui/page.tsx'

/** About (specification, section 2): mission, why, for whom, what, values, team, and what to do next. */
export function AboutPage({ team }: { team: readonly Founder[] }) {
  return (
    <>
      <div className={`${containerClass} pt-10 pb-16 md:pt-16 md:pb-24`}>
        <p className="flex items-center gap-3 text-muted before:h-px before:w-10 before:shrink-0 before:bg-brand">
          Our mission
        </p>
        <h1 className="mt-5 max-w-[15.6em] text-display leading-[1.06] tracking-[-0.025em]">
          Strengthening the connection between parents and teens
        </h1>
        <p className="mt-6 max-w-[38rem] text-lg text-muted md:text-xl">
          Through open conversation, trusted information and a community, because nobody should have to work
          out these years alone.
        </p>
      </div>
      <div className="bg-sunken">
        <div className={`${containerClass} space-y-14 py-16 md:space-y-20 md:py-24`}>
          <Chapter title="Why We Started">
            <p>
              The questions come at eleven at night: is this still normal, did I say the wrong thing, whom
              could I even ask? What we found when we searched was either frightening or selling something.
            </p>
            <p>
              So we began to collect what really helps: short, checked, and written for the evening you are
              having, not for the parent you meant to be.
            </p>
          </Chapter>
          <Chapter title="Who We Serve">
            <p>
              Parents and caregivers of children, tweens and teens from 9 to 17: mothers and fathers,
              grandparents, step-parents, foster parents, and everybody else who waits up until the door
              opens.
            </p>
          </Chapter>
          <Chapter title="What We Offer">
            <Pairs entries={offers} />
          </Chapter>
          <Chapter title="Our Values">
            <Pairs entries={values} />
          </Chapter>
          <Chapter title="Meet the Team">
            <Team founders={team} />
          </Chapter>
        </div>
      </div>
      <CallToAction />
    </>
  )
}

function Chapter({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-x-16 gap-y-5 lg:grid-cols-[1fr_2fr]">
      <h2 className="text-3xl">{title}</h2>
      <div className="max-w-2xl space-y-4 text-lg">{children}</div>
    </section>
  )
}

function Pairs({ entries }: { entries: readonly { name: string; text: string }[] }) {
  return (
    <dl className="border-t border-line">
      {entries.map(({ name, text }) => (
        <div key={name} className="grid gap-x-8 gap-y-1 border-b border-line py-4 sm:grid-cols-[11rem_1fr]">
          <dt className="font-serif text-xl tracking-tight">{name}</dt>
          <dd className="text-base text-muted">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function CallToAction() {
  return (
    <section aria-labelledby="walk-with-us" className="overflow-hidden">
      <div className={`${containerClass} pt-16 md:pt-24`}>
        <h2 id="walk-with-us" className="max-w-[13em] text-title">
          Walk a little of the way with us
        </h2>
        <div className="mt-7 flex flex-wrap gap-3">
          <ButtonLink to={href('/login')}>Create Free Account</ButtonLink>
          <ButtonLink to={href('/resources/:category?')} look="secondary">
            Explore Resources
          </ButtonLink>
        </div>
      </div>
      <Landscape />
    </section>
  )
}

/** Somebody on the team, as content/site.json tells it. */
interface Founder {
  role: string
  /** Empty until the owner of the site fills it in. */
  name: string
  about: string
}

/** The two co-founders; those without a name are introduced by what they do. */
function Team({ founders }: { founders: readonly Founder[] }) {
  return (
    <ul className="grid gap-8 sm:grid-cols-2">
      {founders.map(({ role, name, about }) => (
        <li key={role} className="border-t-2 border-brand pt-4">
          <h3 className="text-xl">{name || role}</h3>
          {name && <p className="text-base text-muted">{role}</p>}
          <p className="mt-2 text-base text-muted">{about}</p>
        </li>
      ))}
    </ul>
  )
}

/** The offer (specification, section 1). */
const offers = [
  { name: 'Podcasts', text: 'A few minutes for the school run, a walk or the dishes.' },
  { name: 'Expert articles', text: 'What is known, in plain words, with sentences you can use tonight.' },
  { name: 'Community', text: 'Anonymous, moderated groups, where it is safe to say what is hard.' },
  { name: 'Workshops', text: 'Webinars and live Q&As, with time for your own questions.' },
  { name: '1:1 discussions', text: 'A live conversation with an expert about your family.' },
] as const

/** The four values of the specification, section 1. */
const values = [
  { name: 'Empathy', text: 'Before advice comes understanding, for your child and for you.' },
  { name: 'Growth', text: 'Children change, and parents may too. Nobody is finished here.' },
  { name: 'Connection', text: 'What matters most is that you keep talking, however clumsily.' },
  { name: 'Inclusivity', text: 'Every family is meant: every shape, every background, every child.' },
] as const
