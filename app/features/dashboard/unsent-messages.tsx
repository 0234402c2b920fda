import { href, useFetcher } from 'react-router'
import * as z from 'zod/mini'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { toast } from '#app/ui/toast.tsx'
import { timeAgo } from '#domain/time-ago.ts'

/** A mail or text message that could not be sent so far. */
export interface UnsentMessage {
  id: string
  channel: 'email' | 'sms'
  recipient: string | null
  /** What it is about, in the service's word; unknown to an older site. */
  kind: string | null
  reason: string | null
  /** Nobody tries it any more, unless an admin asks for it. */
  given_up: boolean
  attempts: number
  written_at: string
}

const kinds: Readonly<Record<string, string>> = {
  confirm: 'Confirmation of an address',
  magicLink: 'Sign-in link',
  recovery: 'New password',
  invite: 'Invitation',
  emailChangeCurrent: 'Change of address, to the old one',
  emailChangeNew: 'Change of address, to the new one',
  reauthenticate: 'Confirmation code',
}

/**
 * Mails and text messages that did not leave the house, with the reason; those that were given up can be tried again.
 * Where all is well there is nothing to see. @param messages null: it could not be loaded
 */
export function UnsentMessages({ messages }: { messages: readonly UnsentMessage[] | null }) {
  if (messages?.length === 0) return null
  const waiting = messages?.filter((message) => !message.given_up).length ?? 0
  return (
    <section aria-labelledby="unsent-messages">
      <h2 id="unsent-messages" className="text-2xl">
        Messages that could not be sent
      </h2>
      {messages === null && (
        <p className="mt-3 text-muted">This list could not be loaded. Please reload the page.</p>
      )}
      {waiting > 0 && (
        <p className="mt-3 text-muted">
          {waiting === 1 ? '1 message is' : `${waiting} messages are`} tried again without your help.
        </p>
      )}
      <ul className="mt-3 divide-y divide-line">
        {messages?.map((message) => (
          <MessageRow key={message.id} message={message} />
        ))}
      </ul>
    </section>
  )
}

function MessageRow({ message }: { message: UnsentMessage }) {
  const { Form, state } = useFetcher()
  const { channel, recipient, kind, reason, given_up: isGivenUp, attempts, written_at: at } = message
  const name =
    channel === 'sms' ? 'Text message with a code' : (kinds[kind ?? ''] ?? 'Notice about an account')
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-semibold wrap-anywhere">
          {name} to {recipient}
        </p>
        <p className="text-sm text-muted">
          {timeAgo(at)} · {isGivenUp ? 'given up' : 'waiting'} after{' '}
          {attempts === 1 ? '1 try' : `${attempts} tries`}
        </p>
        {reason && <p className="mt-1 text-sm text-muted wrap-anywhere">{reason}</p>}
      </div>
      {isGivenUp && (
        <Form method="post" action={href('/admin')} onSubmit={leaveForContent} className="shrink-0">
          <input type="hidden" name="id" value={message.id} />
          <input type="hidden" name="recipient" value={recipient ?? ''} />
          <Button
            type="submit"
            name="intent"
            value="retry-message"
            look="secondary"
            disabled={state !== 'idle'}
            aria-label={`Try again: ${name} to ${recipient}`}
            className="whitespace-nowrap"
          >
            Try again
          </Button>
        </Form>
      )}
    </li>
  )
}

/** Its row may go with what was pressed, or the whole section; the next thing to read begins with the page. */
function leaveForContent(): void {
  toast('')
  document.getElementById('content')?.focus({ preventScroll: true })
}

/** What trying again sends to the dashboard's action. */
export const retryInput = z.object({
  intent: z.literal('retry-message'),
  id: z.string(),
  recipient: z.string(),
})

/** Has a message that was given up tried again, and says how that went. */
export async function retryMessage({ id, recipient }: z.infer<typeof retryInput>): Promise<null> {
  const { library } = await openSession()
  const { error } = await library.rpc('retry_message', { id })
  toast(problemIn(error) || `The message to ${recipient} is tried again now.`)
  return null
}

/** The database's own words are meant for people: not waiting any more, no admin any more. */
function problemIn(error: { code: string; message: string } | null): string {
  if (!error) return ''
  return error.code === 'PT404' || error.code === '42501'
    ? `${error.message}.`
    : 'This could not be tried again. Please try once more in a moment.'
}
