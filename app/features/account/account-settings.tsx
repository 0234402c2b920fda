import { useState } from 'react'
import type { Member } from '#app/session/current-user.ts'
import { Button } from '#app/ui/button.tsx'
import { Banner } from '#app/ui/page.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { downloadData } from './download-data.ts'
import { EditProfile } from './edit-profile.tsx'

/** What members may do with their account: change it, take all data with them, end it. */
export function AccountSettings({ member }: { member: Member }) {
  const [failed, setFailed] = useState(false)
  const download = async () => setFailed(!(await downloadData()))
  return (
    <details className="group/settings">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold hover:text-accent">
        Account settings
      </summary>
      <div className="mt-3 space-y-8">
        <EditProfile key={`${member.name} ${member.avatar}`} member={member} />
        <section>
          <h2 className="text-lg">Your data</h2>
          <p className="mt-1 text-sm text-muted">Everything we hold about you, as one JSON file.</p>
          <Button look="secondary" className="mt-3" onClick={download}>
            Download my data
          </Button>
          {failed && (
            <Banner tone="error" className="mt-3">
              Your data could not be collected. Please try again.
            </Banner>
          )}
        </section>
        <DeleteAccount email={member.email} />
      </div>
    </details>
  )
}
