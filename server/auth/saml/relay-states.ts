import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { samlErrors } from '../errors.ts'
import type { Challenge } from '../pkce.ts'
import { STATE_LIFETIME_SECONDS } from '../settings.ts'

/** A request on its way to an identity provider. Its id travels as RelayState. */
export interface RelayState {
  id: string
  providerId: string
  /** The response must name it in what is signed. */
  requestId: string
  redirectTo: string
  challenge: Challenge | undefined
}

/** Remembers a request until the response comes; a challenge lies where those of other flows do. */
export async function insertRelayState(tx: Transaction, state: RelayState, at: string): Promise<void> {
  await tx.query(`delete from auth.saml_relay_states where created_at < $1::timestamptz - interval '1 day'`, [
    at,
  ])
  const { challenge } = state
  const flowId = challenge ? randomUUID() : null
  if (challenge) {
    await tx.query(
      `insert into auth.flow_state (id, code_challenge, code_challenge_method, provider_type, authentication_method,
         created_at, updated_at) values ($1, $2, $3, $4, 'sso/saml', $5, $5)`,
      [flowId, challenge.value, challenge.method, `sso:${state.providerId}`, at],
    )
  }
  await tx.query(
    `insert into auth.saml_relay_states (id, sso_provider_id, request_id, redirect_to, flow_state_id, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)`,
    [state.id, state.providerId, state.requestId, state.redirectTo, flowId, at],
  )
}

interface Row {
  id: string
  sso_provider_id: string
  request_id: string
  redirect_to: string
  flow_state_id: string | null
  created_at: string
}
interface FlowRow {
  code_challenge: string
  code_challenge_method: Challenge['method']
}

/** The request of a RelayState, which is used up by it. Errors: saml_relay_state_not_found, saml_relay_state_expired. */
export async function takeRelayState(tx: Transaction, id: string, now: number): Promise<RelayState> {
  const { rows } = await tx.query<{ state: Row }>(
    'delete from auth.saml_relay_states r where id = $1 returning to_jsonb(r) as state',
    [id],
  )
  const row = rows[0]?.state
  if (!row) throw samlErrors.unknownRelayState()
  const challenge = row.flow_state_id ? await takeChallenge(tx, row.flow_state_id) : undefined
  if (Date.parse(row.created_at) + STATE_LIFETIME_SECONDS * 1000 <= now) throw samlErrors.expiredRelayState()
  return {
    id: row.id,
    providerId: row.sso_provider_id,
    requestId: row.request_id,
    redirectTo: row.redirect_to,
    challenge,
  }
}

async function takeChallenge(tx: Transaction, flowId: string): Promise<Challenge | undefined> {
  const { rows } = await tx.query<FlowRow>(
    'delete from auth.flow_state where id = $1 returning code_challenge, code_challenge_method',
    [flowId],
  )
  const flow = rows[0]
  return flow && { value: flow.code_challenge, method: flow.code_challenge_method }
}
