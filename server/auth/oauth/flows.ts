import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import type { Services } from '../context.ts'
import { providerErrors } from '../errors.ts'
import type { Challenge } from '../pkce.ts'
import { STATE_LIFETIME_SECONDS } from '../settings.ts'
import type { FlowProof } from './port.ts'

/** Somebody on the way to a provider. The row's id is the `state`. */
export interface ProviderFlow {
  id: string
  provider: string
  /** Of PKCE between the client and us; an implicit flow has none. */
  challenge: Challenge | undefined
  redirectTo: string
  /** The account that the identity shall be added to, and the session in which that was asked for. */
  linkTo: { userId: string; sessionId: string } | undefined
}

interface FlowRow {
  id: string
  provider_type: string
  code_challenge: string | null
  code_challenge_method: Challenge['method'] | null
  referrer: string
  linking_target_id: string | null
  linking_session_id: string | null
  created_at: string
}

/** Remembers a departure until the answer comes. Those that nobody came back from are forgotten. */
export async function insertProviderFlow(tx: Transaction, flow: ProviderFlow, at: string): Promise<void> {
  await tx.query(
    `delete from auth.flow_state where authentication_method = 'oauth' and created_at < $1::timestamptz - interval '1 day'`,
    [at],
  )
  await tx.query(
    `insert into auth.flow_state (id, provider_type, authentication_method, code_challenge, code_challenge_method,
       referrer, linking_target_id, linking_session_id, created_at, updated_at)
     values ($1, $2, 'oauth', $3, $4, $5, $6, $7, $8, $8)`,
    [
      flow.id,
      flow.provider,
      flow.challenge?.value ?? null,
      flow.challenge?.method ?? null,
      flow.redirectTo,
      flow.linkTo?.userId ?? null,
      flow.linkTo?.sessionId ?? null,
      at,
    ],
  )
}

/** The flow of a state, which is used up by it. Errors: bad_oauth_state. */
export async function takeProviderFlow(tx: Transaction, state: string, now: number): Promise<ProviderFlow> {
  const { rows } = await tx.query<{ flow: FlowRow }>(
    `delete from auth.flow_state f where id = $1 and authentication_method = 'oauth' and auth_code is null
     returning to_jsonb(f) as flow`,
    [state],
  )
  const flow = rows[0]?.flow
  if (!flow) throw providerErrors.unknownState()
  if (Date.parse(flow.created_at) + STATE_LIFETIME_SECONDS * 1000 <= now) throw providerErrors.expiredState()
  const { code_challenge: value, code_challenge_method: method } = flow
  const { linking_target_id: userId, linking_session_id: sessionId } = flow
  return {
    id: flow.id,
    provider: flow.provider_type,
    challenge: value && method ? { value, method } : undefined,
    redirectTo: flow.referrer,
    linkTo: userId && sessionId ? { userId, sessionId } : undefined,
  }
}

/** What a flow keeps to itself. */
export const proofOf = ({ secrets }: Pick<Services, 'secrets'>, id: string): FlowProof => ({
  state: id,
  nonce: secrets.flowSecret('nonce', id),
  verifier: secrets.flowSecret('verifier', id),
})

export const newFlowId = (): string => randomUUID()
