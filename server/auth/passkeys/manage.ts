import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import { type AuthContext, clientOf, type Endpoint } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { passkeyErrors } from '../errors.ts'
import { lockMember } from '../mfa/assurance.ts'
import { factorName, idInPath } from '../mfa/fields.ts'
import { readBody } from '../request-body.ts'
import { renderPasskey } from './render.ts'
import { deletePasskey, findPasskey, findPasskeysOf, renamePasskey } from './repository.ts'

/** GET /passkeys: the member's own. */
export const listPasskeys: Endpoint = async (c) => {
  const { services, member } = c.var
  const passkeys = await services.db.asOwner('passkeys', (tx) => findPasskeysOf(tx, member.user.id))
  return c.json(passkeys.map(renderPasskey))
}

const Name = z.object({ friendly_name: factorName.min(1, 'friendly_name must not be empty') })

/** PATCH /passkeys/{passkey_id}: its name. */
export const updatePasskey: Endpoint = async (c) => {
  const { db, now } = c.var.services
  const id = idInPath(c, 'passkey_id')
  const { friendly_name: name } = await readBody(c, Name)
  const passkey = await db.asOwner('rename passkey', async (tx) => {
    const found = await ownPasskey(c, tx, id)
    await renamePasskey(tx, id, name, new Date(now()).toISOString())
    await note(c, tx, 'passkey_updated', id)
    return { ...found, friendly_name: name }
  })
  return c.json(renderPasskey(passkey))
}

export const TO_REMOVE_PASSKEY = { message: 'AAL2 required to remove a passkey' }

/** DELETE /passkeys/{passkey_id} */
export const removePasskey: Endpoint = async (c) => {
  const id = idInPath(c, 'passkey_id')
  const { services, member } = c.var
  await services.db.asOwner('remove passkey', async (tx) => {
    await lockMember(tx, member, { now: services.now(), refusal: TO_REMOVE_PASSKEY })
    const { friendly_name: name } = await ownPasskey(c, tx, id)
    await deletePasskey(tx, id)
    await note(c, tx, 'passkey_deleted', id)
    await notifyAccountChange(tx, c.var.services, c.var.member.user, 'passkeyRemoved', name)
  })
  return c.body(null, 204)
}

async function ownPasskey(c: AuthContext, tx: Transaction, id: string) {
  const passkey = await findPasskey(tx, id, c.var.member.user.id)
  if (!passkey) throw passkeyErrors.notFound()
  return passkey
}

const note = (c: AuthContext, tx: Transaction, action: 'passkey_updated' | 'passkey_deleted', id: string) =>
  audit(tx, { action, actor: c.var.member.user, client: clientOf(c), traits: { passkey_id: id } })
