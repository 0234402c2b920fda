import { Notice, Page } from '#app/ui/page.tsx'

/** What stands on an admin's page until it is known who reads it; without JavaScript that stays so. */
export const AdminGate = () => (
  <Page>
    <Notice title="One moment…">
      <p>This page is for admins.</p>
    </Notice>
  </Page>
)
