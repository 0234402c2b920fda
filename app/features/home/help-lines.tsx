import { containerClass } from '#app/ui/page.tsx'

/** Only lines that are known all over their country, free, and open day and night. */
const helpLines = [
  { where: 'United States', what: '988 Suicide & Crisis Lifeline', how: 'call or text 988', number: '988' },
  { where: 'Canada', what: '9-8-8 Suicide Crisis Helpline', how: 'call or text 988', number: '988' },
  { where: 'United Kingdom and Ireland', what: 'Samaritans', how: 'call 116 123', number: '116123' },
  { where: 'Australia', what: 'Lifeline', how: 'call 13 11 14', number: '131114' },
] as const

/** A quiet note for the worst evenings. */
export function HelpLines() {
  return (
    <section aria-labelledby="help-lines" className={`${containerClass} pb-16 md:pb-24`}>
      <div className="grid gap-x-16 gap-y-5 border-t-2 border-dusk pt-6 lg:grid-cols-[1fr_2fr]">
        <div>
          <h2 id="help-lines" className="text-2xl text-dusk">
            If it cannot wait
          </h2>
          <p className="mt-2 max-w-[24em] text-muted">
            If somebody is in danger now, call your local emergency number. You can also talk to somebody at
            any hour:
          </p>
        </div>
        <dl className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
          {helpLines.map(({ where, what, how, number }) => (
            <div key={where}>
              <dt className="text-sm text-muted">{where}</dt>
              <dd>
                {what}:{' '}
                <a
                  href={`tel:${number}`}
                  className="inline-block py-1 font-semibold pointer-coarse:py-2.5 whitespace-nowrap text-dusk underline underline-offset-4"
                >
                  {how}
                </a>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}
