import { userIdOf, userToChange } from '../admin/find.ts'
import { audit, traitsOf } from '../audit.ts'
import { clientOf, type Endpoint } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { passkeyErrors } from '../errors.ts'
import { idInPath } from '../mfa/fields.ts'
import { renderPasskey } from './render.ts'
import { deletePasskey, findPasskey, findPasskeysOf } from './repository.ts'

/** GET /admin/users/{id}/passkeys */
export const listAnyPasskeys: Endpoint = async (c) => {
  const id = userIdOf(c)
  const passkeys = await c.var.services.db.asOwner('list passkeys', async (tx) =>
    findPasskeysOf(tx, (await userToChange(tx, id)).id),
  )
  return c.json(passkeys.map(renderPasskey))
}

/** DELETE /admin/users/{id}/passkeys/{passkey_id} */
export const removeAnyPasskey: Endpoint = async (c) => {
  const [id, passkeyId] = [userIdOf(c), idInPath(c, 'passkey_id')]
  await c.var.services.db.asOwner('delete passkey', async (tx) => {
    const user = await userToChange(tx, id)
    const passkey = await findPasskey(tx, passkeyId, id)
    if (!passkey) throw passkeyErrors.notFound()
    await deletePasskey(tx, passkeyId)
    const traits = { ...traitsOf(user), passkey_id: passkeyId }
    await audit(tx, { action: 'passkey_deleted', actor: undefined, client: clientOf(c), traits })
    await notifyAccountChange(tx, c.var.services, user, 'passkeyRemoved', passkey.friendly_name)
  })
  return c.body(null, 204)
}
