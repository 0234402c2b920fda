import { Monitor, Smartphone } from 'lucide'
import * as z from 'zod/mini'
import { formAction } from '#app/features/forms/action-form.tsx'
import { dataOf } from '#app/features/forms/error-messages.ts'
import type { OwnSession } from '#app/session/client/library.ts'
import { openSession } from '#app/session/session.ts'
import { Icon } from '#app/ui/icon.tsx'
import { toast } from '#app/ui/toast.tsx'
import { timeAgoWithWeeks } from '#domain/time-ago.ts'
import { ConfirmButton, Row, Rows, Section } from './section.tsx'

/** Where the account is signed in. */
export function Sessions({ sessions }: { sessions: readonly OwnSession[] }) {
  return (
    <Section
      title="Where you are signed in"
      blurb="A device that you do not know? Sign it out, then change your password."
    >
      <Rows label="Your sessions">
        {sessions.map((session) => (
          <OneSession key={session.id} session={session} />
        ))}
      </Rows>
      {sessions.length > 1 && (
        <ConfirmButton
          label="Sign out everywhere else"
          look="secondary"
          of="all other devices"
          question="Sign out all other devices? This one stays signed in."
          intent="end-other-sessions"
        />
      )}
    </Section>
  )
}

function OneSession({ session }: { session: OwnSession }) {
  const {
    id,
    user_agent: agent,
    address_range: place,
    created_at: begun,
    refreshed_at: used,
    current,
  } = session
  const device = describeDevice(agent)
  const detail = [
    place && `Network ${place}`,
    current ? 'in use now' : `last used ${timeAgoWithWeeks(used ?? begun)}`,
    `signed in ${timeAgoWithWeeks(begun)}`,
  ]
  return (
    <Row
      icon={isHandheld(agent) ? <Icon icon={Smartphone} /> : <Icon icon={Monitor} />}
      title={
        <>
          {device}
          {current && (
            <span className="ms-2 rounded-full bg-success-tint px-2.5 py-0.5 text-sm text-success">
              This device
            </span>
          )}
        </>
      }
      detail={detail.filter(Boolean).join(' · ')}
    >
      {!current && (
        <ConfirmButton
          label="Sign out"
          of={device}
          question="Sign this device out?"
          intent="end-session"
          values={{ id, device }}
        />
      )}
    </Row>
  )
}

export const sessionActions = {
  'end-session': formAction(z.object({ id: z.string(), device: z.string() }), async ({ id, device }) => {
    dataOf(await (await openSession()).library.rpc('end_own_session', { id }))
    toast(`${device} is signed out.`)
  }),
  'end-other-sessions': formAction(z.object({}), async () => {
    const { error } = await (await openSession()).client.signOut({ scope: 'others' })
    if (error) throw error
    toast('All other devices are signed out.')
  }),
}

// In this order: many browsers also carry the names of those they descend from.
const browsers: readonly [RegExp, string][] = [
  [/\bEdgA?(iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
]
const devices: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bAndroid\b.*\bMobile\b/, 'an Android phone'],
  [/\bAndroid\b/, 'an Android tablet'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'a Mac'],
  [/\bCrOS\b/, 'a Chromebook'],
  [/\bLinux\b/, 'Linux'],
]

const firstOf = (names: readonly [RegExp, string][], text: string) =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** A browser's own description in plain words: "Firefox on Windows". */
export function describeDevice(userAgent: string | null): string {
  const browser = firstOf(browsers, userAgent ?? '')
  const device = firstOf(devices, userAgent ?? '')
  if (!browser) return device ? `An app on ${device}` : 'An unknown device'
  return device ? `${browser} on ${device}` : browser
}

/** Whether it is held in the hand. */
export const isHandheld = (userAgent: string | null): boolean => /iPhone|iPad|Android/.test(userAgent ?? '')
