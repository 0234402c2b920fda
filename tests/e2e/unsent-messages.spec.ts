import { adminApi } from '#tests/support/members.ts'
import { freePort } from '#tests/support/server-process.ts'
import { expect, test } from '#tests/support/site.ts'
import { startSmtp } from '#tests/support/smtp.ts'

const smtpPort = await freePort()
test.use({
  serverOptions: { env: { SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, AUTH_EMAIL_INTERVAL: '0' } },
})

test('an admin sees which mail was refused, and why, and sends it again', async ({
  page,
  site,
  signInAs,
  axeFindings,
}) => {
  test.setTimeout(90_000)
  const smtp = await startSmtp(smtpPort)
  try {
    const guest = 'no.such.mailbox@example.org'
    smtp.bounce(guest)
    await signInAs('admin')
    await page.goto('/admin')
    const unsent = page.getByRole('region', { name: 'Messages that could not be sent' })
    await expect(page.getByRole('region', { name: 'Storage in use' })).toBeVisible()
    await expect(unsent).toBeHidden()

    expect((await adminApi(site).inviteUserByEmail(guest)).error).toBeNull()
    await expect(async () => {
      await page.reload()
      await expect(unsent).toContainText(`Invitation to ${guest}`, { timeout: 2000 })
    }).toPass({ timeout: 30_000 })
    await expect(unsent).toContainText('given up')
    await expect(unsent).toContainText('550 no such mailbox')
    expect(await axeFindings(page)).toEqual([])

    smtp.welcome(guest)
    await unsent.getByRole('button', { name: `Try again: Invitation to ${guest}` }).click()
    await expect(page.getByText(`The message to ${guest} is tried again now.`)).toBeAttached()
    await expect.poll(() => smtp.mails.filter(({ to }) => [to].flat()[0]?.text === guest).length).toBe(1)
    await page.reload()
    await expect(page.getByRole('region', { name: 'Storage in use' })).toBeVisible()
    await expect(unsent).toBeHidden()
  } finally {
    await smtp.stop()
  }
})
