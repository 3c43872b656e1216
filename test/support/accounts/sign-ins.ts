/**
 * Signing in at a site with a controlled provider, as a program or on the pages, and the e-mails that follow.
 */
import type { TestApp } from '../app.ts'
import { confirmationCode, forgetSentLetters } from '../letters.ts'
import { codeFor } from '../social-login.ts'
import { signInByProvider } from './rules.ts'
import type { Confirmation } from './state.ts'
import {
  type Actor,
  bearerOf,
  emailOf,
  keepTokens,
  type Label,
  labels,
  readers,
  type SiteName,
  settle,
  type World,
} from './world.ts'

type Answer = Awaited<ReturnType<TestApp['request']>>

export interface SignIn {
  holder: Actor
  org: SiteName
  subject: string
  address: Label
  verified: boolean
  onPage?: boolean
}

/** Returns the person who reads the present address of an account. */
export const readerOf = (address: string): Actor => {
  const label = labels.find((one) => one === address)
  if (!label) throw new Error(`nobody reads ${address}`)
  return readers[label]
}

export async function signIn(
  world: World,
  { holder, org, subject, address, verified, onPage = false }: SignIn,
): Promise<void> {
  const { app, sites } = world.cast
  const claims = {
    sub: `${org}-${subject}-${world.serial}`,
    email: emailOf(world, address),
    email_verified: verified,
  }
  const outcome = signInByProvider(world.state, { org, subject, address, verified })
  const answer = onPage
    ? await signInOnPage(app, sites[org].slug, claims)
    : await sites[org].signIn('one', claims)
  const line = `${holder} signs in ${onPage ? 'on the page' : ''} by ${org}'s provider as "${subject}", ${address}${verified ? ' verified' : ''}`
  if (org !== 'harbour' && !world.subjects.some((one) => one.org === org && one.subject === subject))
    world.subjects.push({ org, subject })

  let asked: Confirmation | undefined
  const userId = answer.status === 200 ? await signedInId(world, answer, claims.sub) : 0
  const account = settle(world, line, answer, outcome, () => ({
    userId,
    confirmed: (confirmation) => {
      asked = confirmation
    },
  }))
  if (asked) await readConfirmation(world, holder, asked, answer)
  if (!account) return
  if (account.id !== userId) throw new Error(`${line}: opened the account ${userId}, and not ${account.id}`)
  if (onPage)
    world.sessions.push({ holder, bearer: bearerOf(account, org), cookie: answer.body.session, host: '' })
  else {
    world.usernames.set(account.id, answer.body.user.username)
    keepTokens(world, holder, bearerOf(account, org), answer.body)
  }
}

/**
 * Returns the id of the account that was signed in. A page does not contain it, so it comes from the
 * database.
 */
async function signedInId(world: World, { body }: Answer, subject: string): Promise<number> {
  if (body.user) return body.user.id
  const [row] = await world.cast.app.sql<{ id: string; username: string }>(
    'select u.id, u.username from social_accounts a join users u on u.id = a.user_id where a.subject = $1 order by a.last_login desc limit 1',
    [subject],
  )
  world.usernames.set(Number(row?.id), row?.username ?? '')
  return Number(row?.id)
}

/** Sends the e-mail at once to the present address of the account, and reads its code. */
async function readConfirmation(
  world: World,
  holder: Actor,
  model: Confirmation,
  answer: Answer,
): Promise<void> {
  const uuid: string = answer.body.confirmation
  await forgetSentLetters(world.cast.app)
  const code = await confirmationCode(world.cast.app, uuid)
  model.code = code
  const reader = readerOf(world.state.accounts.get(model.account)?.address ?? '')
  world.confirmations.push({ model, uuid, holder, code, reader })
}

/** Signs in like a browser, from the page to the provider and back. Returns 200 if it ends in a session. */
async function signInOnPage(app: TestApp, slug: string, claims: Record<string, unknown>): Promise<Answer> {
  const page = `/sites/${slug}/accounts/one/login/`
  const led = await app.request('GET', page)
  const asked = new URL(led.headers.get('location') ?? '').searchParams
  const [cookie = ''] = led.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')
  const code = codeFor({
    challenge: asked.get('code_challenge') ?? undefined,
    claims: { nonce: asked.get('nonce'), ...claims },
  })
  const answer = await app.request('GET', `${page}callback/?code=${code}&state=${asked.get('state')}`, {
    headers: { cookie },
  })
  const session = answer.headers.getSetCookie().flatMap((one) => /^sessionid=([^;]+)/.exec(one)?.[1] ?? [])[0]
  if (answer.status === 303 && session) return { ...answer, status: 200, body: { session } }
  const confirmation = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(answer.body)?.[0]
  return answer.status === 403 ? { ...answer, body: { confirmation } } : answer
}
