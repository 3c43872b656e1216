/** Events of sequences.ts: signing in, and the credentials from it: tokens, sessions, API keys. A1–A4, S7. */

import { decodeJwt } from 'jose'
import { deleteKey, makeKey } from './management.ts'
import { confirm, signInByPassword } from './rules.ts'
import { signIn } from './sign-ins.ts'
import { type Bearer, opened } from './state.ts'
import { nth, ownerActor, type Step, tokenOf, told } from './steps.ts'
import {
  type BegunConfirmation,
  bearerOf,
  emailOf,
  type HeldToken,
  hostOf,
  keepTokens,
  readers,
  type SiteName,
  settle,
  type World,
} from './world.ts'

const nothing = () => undefined

/**
 * Signs in somebody with their own address, which the provider has verified. Usually confirms it at once if
 * the service asks for it.
 */
export async function signInHonestly(world: World, { org, address, flag, role }: Step): Promise<void> {
  const begun = world.confirmations.length
  await signIn(world, {
    holder: readers[address],
    org,
    subject: address,
    address,
    verified: true,
    onPage: flag,
  })
  const asked = world.confirmations[begun]
  if (asked && role !== 'owner') await confirmBegun(world, asked, { org, code: asked.code })
}

/** Signs in the owner of an organization with any claims, because the owner controls the provider. */
export const signInByLie = (world: World, { org, address, pick, flag, ...step }: Step) =>
  signIn(world, {
    holder: ownerActor({ org, address, pick, flag, ...step }),
    org,
    subject: `liar-${pick % 2}`,
    address,
    verified: true,
    onPage: flag,
  })

export const signInUnverified = (world: World, step: Step) =>
  signIn(world, {
    holder: ownerActor(step),
    org: step.org,
    subject: `quiet-${step.pick % 2}`,
    address: step.address,
    verified: false,
  })

/** Signs in the owner of an organization with a subject that the provider has used before. */
export const signInAsKnown = (world: World, step: Step) =>
  signIn(world, {
    holder: ownerActor(step),
    org: step.org,
    subject: step.other,
    address: step.address,
    verified: step.flag,
  })

/**
 * Confirms a sign-in with the code of the e-mail if its starter reads that e-mail, and otherwise with a
 * guess.
 */
export async function confirmSignIn(world: World, step: Step): Promise<void> {
  const waiting = world.confirmations.filter(({ model }) => !model.over)
  const begun = nth(waiting.length > 0 ? waiting : world.confirmations, step.pick)
  if (!begun) return
  const code = begun.holder === begun.reader ? begun.code : '00000000'
  await confirmBegun(world, begun, {
    org: step.role === 'owner' ? step.org : (begun.model.org as SiteName),
    code,
  })
}

export async function confirmBegun(
  world: World,
  begun: BegunConfirmation,
  { org, code }: { org: SiteName; code: string },
): Promise<void> {
  const outcome = confirm(world.state, begun.model, org, code)
  const answer = await world.cast.app.request('POST', `${world.cast.sites[org].api}/auth/confirm/`, {
    body: { confirmation: begun.uuid, code },
  })
  const line = `${begun.holder} confirms at ${org} ${code === begun.code ? 'with the code' : 'with a guess'}`
  const account = settle(world, line, answer, outcome, nothing)
  if (account) keepTokens(world, begun.holder, bearerOf(account, org), answer.body)
}

export async function signInWithPassword(world: World, step: Step): Promise<void> {
  const known = nth(world.passwords, step.pick)
  if (!known) return
  const address = world.state.accounts.get(known.account)?.address ?? step.address
  const path = step.flag ? '/api/auth/session/' : '/api/auth/jwt/token/'
  const answer = await world.cast.app.request('POST', path, {
    body: { username: emailOf(world, address), password: known.text },
  })
  const outcome = signInByPassword(world.state, address, known.text)
  const account = settle(
    world,
    `${known.holder} signs in as ${address} with "${known.text}"`,
    answer,
    outcome,
    nothing,
  )
  if (!account) return
  if (!step.flag) return keepTokens(world, known.holder, bearerOf(account), answer.body)
  const cookie = /sessionid=([^;]+)/.exec(answer.headers.getSetCookie().join())?.[1] ?? ''
  world.sessions.push({ holder: known.holder, bearer: bearerOf(account), cookie, host: '' })
}

/**
 * Signs in with a password at the tenant's host of an organization. Its owner gets what the host issues, by
 * sending the domain to another server. A8.
 */
export async function signInAtHost(world: World, step: Step): Promise<void> {
  const known = nth(world.passwords, step.pick)
  if (!known) return
  const { org } = step
  const host = hostOf(org)
  const address = world.state.accounts.get(known.account)?.address ?? step.address
  const answer = await world.cast.app.request(
    'POST',
    `${host}${step.flag ? '/api/auth/session/' : '/api/auth/jwt/token/'}`,
    {
      headers: { origin: host },
      body: { username: emailOf(world, address), password: known.text },
    },
  )
  const line = `${known.holder} signs in at ${host} as ${address} with "${known.text}"`
  const account = settle(world, line, answer, signInByPassword(world.state, address, known.text), nothing)
  if (!account) return
  const bearer: Bearer = { ...bearerOf(account, org), isOfHost: true }
  const holder = ownerActor(step)
  const cookie = /sessionid=([^;]+)/.exec(answer.headers.getSetCookie().join())?.[1] ?? ''
  if (step.flag) world.sessions.push({ holder, bearer, cookie, host })
  else keepTokens(world, holder, bearer, answer.body, undefined, host)
}

/** Revokes a family of refresh tokens, and its access tokens with it. */
function revokeFamily({ family, bearer }: HeldToken): void {
  family.revoked = true
  bearer.ended = true
}

/** Uses a refresh token, which works once. Its second use revokes its family. A2. */
async function refreshWith(world: World, token: HeldToken, line: string): Promise<void> {
  const { family, bearer, holder, refresh, host } = token
  const isOpen = opened(world.state, { ...bearer, ended: false }) !== undefined
  const works = isOpen && !family.revoked && family.current === refresh
  if (isOpen && !works) revokeFamily(token)
  const path = '/api/auth/jwt/token/refresh/'
  if (host !== '') {
    const refused = await world.cast.app.request('POST', path, { body: { refresh } })
    settle(world, `${line} at the platform`, refused, { status: 401 }, nothing)
  }
  const answer = await world.cast.app.request('POST', `${host}${path}`, { body: { refresh } })
  settle(world, line, answer, { status: works ? 200 : 401 }, nothing)
  if (works) keepTokens(world, holder, bearer, answer.body, family, host)
}

const refreshable = (world: World) => world.tokens.filter(({ refresh }) => refresh !== '')

export async function refreshTokens(world: World, step: Step): Promise<void> {
  const token = nth(
    refreshable(world).filter(({ family, refresh }) => family.current === refresh),
    step.pick,
  )
  if (token) await refreshWith(world, token, `${told(world, token)} refreshes`)
}

export async function reuseRefresh(world: World, step: Step): Promise<void> {
  const token = nth(
    refreshable(world).filter(({ family, refresh }) => family.current !== refresh),
    step.pick,
  )
  if (!token) return
  // Used at once after its rotation, the token would get the same successor again. A9
  await world.cast.app.sql(
    `update refresh_families set rotated_at = rotated_at - interval '1 minute' where id = $1`,
    [decodeJwt(token.refresh).family],
  )
  await refreshWith(world, token, `${told(world, token)} refreshes with a used token`)
}

export async function blacklist(world: World, step: Step): Promise<void> {
  const token = nth(refreshable(world), step.pick)
  if (!token) return
  const answer = await world.cast.app.request('POST', `${token.host}/api/auth/jwt/token/blacklist/`, {
    body: { refresh: token.refresh },
  })
  settle(world, `${told(world, token)} blacklists a refresh token`, answer, { status: 200 }, nothing)
  revokeFamily(token)
}

const sameOrigin = (cookie: string, host: string) => ({
  cookie: `sessionid=${cookie}`,
  origin: host || 'http://localhost',
})

export async function endSession(world: World, step: Step): Promise<void> {
  const session = nth(world.sessions, step.pick)
  if (!session) return
  const bearer: Bearer = session.bearer
  const answer = await world.cast.app.request('DELETE', `${session.host}/api/auth/session/`, {
    headers: sameOrigin(session.cookie, session.host),
  })
  settle(
    world,
    `${session.holder} ends a session`,
    answer,
    { status: opened(world.state, bearer) ? 204 : 401 },
    nothing,
  )
  bearer.ended = true
}

export async function makeApiKey(world: World, step: Step): Promise<void> {
  const token = tokenOf(world, step)
  const { org } = step
  const outcome = makeKey(world.state, token.bearer, org)
  const answer = await world.cast.app.request('POST', `${world.cast.sites[org].api}/api-keys/`, {
    token: token.access,
    body: { name: 'mine' },
  })
  const account = settle(world, `${told(world, token)} makes a key at ${org}`, answer, outcome, (body) => ({
    keyId: body.id,
  }))
  if (account)
    world.keys.push({
      holder: token.holder,
      account: account.id,
      id: answer.body.id,
      org,
      text: answer.body.key,
      bound: token.bearer.org !== undefined,
    })
}

export async function deleteApiKey(world: World, step: Step): Promise<void> {
  const key = nth(world.keys, step.pick)
  if (!key) return
  const token =
    nth(
      world.tokens.filter(({ bearer }) => bearer.account === key.account),
      step.pick,
    ) ?? tokenOf(world, step)
  const outcome = deleteKey(world.state, token.bearer, key.org, key.id)
  const answer = await world.cast.app.request(
    'DELETE',
    `${world.cast.sites[key.org].api}/api-keys/${key.id}/`,
    { token: token.access },
  )
  settle(
    world,
    `${told(world, token)} deletes a key of ${key.holder}'s at ${key.org}`,
    answer,
    outcome,
    nothing,
  )
}
