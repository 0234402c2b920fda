import { z } from 'zod'
import { challengeId } from '../mfa/fields.ts'

/** What a client sends after a ceremony; the credential is looked into when its challenge is known to be good. */
export const PasskeyAnswer = z.object({
  challenge_id: challengeId,
  credential: z.record(z.string(), z.unknown(), 'credential must be an object'),
})
