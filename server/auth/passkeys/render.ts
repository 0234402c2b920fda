import { instant } from '../users/user.ts'
import type { PasskeyRow } from './repository.ts'

/** A passkey as clients know it; neither key nor credential. */
export const renderPasskey = ({ id, friendly_name, created_at, last_used_at }: PasskeyRow) => ({
  id,
  friendly_name,
  created_at: instant(created_at),
  ...(last_used_at && { last_used_at: instant(last_used_at) }),
})
