import { useState } from 'react'
import { openSession } from '#app/session/session.ts'
import { siteName } from '#app/session/site.ts'
import { Button } from '#app/ui/button.tsx'
import { Banner } from '#app/ui/page.tsx'
import { granted } from '../kind-words.ts'
import { saveFile } from '../save-file.ts'
import { ConfirmButton } from './confirm-button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Panel, Section } from './section.tsx'
import { useChange } from './use-change.ts'

const HOW_MANY = 10
const FEW = 3
const MADE = 'Your new recovery codes are there. Keep them now: they are shown this once.'

/** The way in when a phone is lost. @param left how many have not been used; null when there are none yet */
export function RecoveryCodes({ left, email }: { left: number | null; email: string }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { change, failure, isBusy } = useChange()
  const generate = async () => setCodes(await newCodes(left === null ? 'generate' : 'regenerate'))
  return (
    <Section
      title="Recovery codes"
      blurb="Each opens your account once, in place of the second step. Keep them where your phone is not."
    >
      {failure && <Banner tone="error">{failure}</Banner>}
      {codes && <ShownCodes codes={codes} email={email} onClose={() => setCodes(null)} />}
      {!codes && left === null && (
        <>
          <Banner tone="note">Without recovery codes, a lost phone may mean a lost account.</Banner>
          <Button disabled={isBusy} onClick={() => change(generate, MADE)}>
            {isBusy ? 'Please wait...' : 'Make recovery codes'}
          </Button>
        </>
      )}
      {!codes && left !== null && (
        <>
          <p>
            {left} of {HOW_MANY} codes left.{left <= FEW && ' It is time for new ones.'}
          </p>
          <ConfirmButton
            label="Make new codes"
            look="secondary"
            of="recovery codes"
            question="Make new codes? The old ones stop working."
            work={generate}
            done={MADE}
          />
        </>
      )}
    </Section>
  )
}

async function newCodes(how: 'generate' | 'regenerate'): Promise<string[]> {
  const { client } = await openSession()
  return granted(await client.mfa.recoveryCodes[how]()).codes
}

interface ShownCodesProps {
  codes: readonly string[]
  email: string
  onClose: () => void
}

/** Nobody can show them again: whoever closes this without keeping them makes new ones. */
function ShownCodes({ codes, email, onClose }: ShownCodesProps) {
  const readable = codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'))
  const text = [`${siteName}: recovery codes for ${email}`, 'Each works once.', '', ...readable, ''].join(
    '\n',
  )
  return (
    <div className="recovery-codes">
      <Panel title="Your recovery codes">
        <p className="text-muted">
          For {email}. Keep them now: they are not shown again. A password manager or a drawer is a good
          place.
        </p>
        <ol aria-label="Recovery codes" className="grid gap-x-8 gap-y-1.5 font-mono text-base sm:grid-cols-2">
          {readable.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div className="flex flex-wrap gap-3 print:hidden">
          <Button onClick={onClose}>I have kept them</Button>
          <Button
            look="secondary"
            onClick={() => saveFile('walking-together-recovery-codes.txt', text, 'text/plain')}
          >
            Download
          </Button>
          <Button look="secondary" onClick={() => print()}>
            Print
          </Button>
          <CopyButton text={text} what="Codes" />
        </div>
      </Panel>
    </div>
  )
}
