import { Monitor, Smartphone } from 'lucide'
import type { OwnSession } from '#app/session/client/library.ts'
import { openSession } from '#app/session/session.ts'
import { Icon } from '#app/ui/icon.tsx'
import { granted } from '../kind-words.ts'
import { ago } from './ago.ts'
import { ConfirmButton } from './confirm-button.tsx'
import { describeDevice, isHandheld } from './describe-device.ts'
import { Row, Rows, Section } from './section.tsx'

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
          work={async () => {
            const { error } = await (await openSession()).client.signOut({ scope: 'others' })
            if (error) throw error
          }}
          done="All other devices are signed out."
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
  const now = Date.now()
  const detail = [
    place && `Network ${place}`,
    current ? 'in use now' : `last used ${ago(used ?? begun, now)}`,
    `signed in ${ago(begun, now)}`,
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
          work={async () => granted(await (await openSession()).library.rpc('end_own_session', { id }))}
          done={`${device} is signed out.`}
        />
      )}
    </Row>
  )
}
