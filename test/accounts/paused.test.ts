/** Accounts that a function of a paused site would have to allow. 422 at every door, and nothing is made. */
import { beforeAll, expect, it } from 'vitest'
import { makePasskey, signWith } from '../../dev/examples/authenticator.ts'
import type { TestApp } from '../support/app.ts'
import { createEventful, type Eventful, noop } from '../support/events.ts'
import { linkTokenOf } from '../support/letters.ts'
import { createDirectory, type Directory, schemas } from '../support/scim.ts'

const origin = 'https://app.example.com'
const password = 'Sail-away-1'
let one: Eventful
let directory: Directory
let api: string
let invitations: string
/** What was begun before the pause. */
let begun: {
  token: string
  passkey: { token: string; credential: unknown }
  invitation: string
  known: string
}

const auth = (path: string, body?: object, token?: string) =>
  one.app.request('POST', `${origin}${api}/auth/${path}`, { body, token })

beforeAll(async () => {
  one = await createEventful('quay', {
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: origin,
    RATE_LIMIT_SCALE: '1000',
  })
  const { app, shop } = one
  ;({ api } = shop)
  invitations = `/api/cloud/organizations/${shop.slug}-org/invitations/`
  const change = (body: object) =>
    app.request('PATCH', `/api/cloud/sites/${shop.slug}/`, { token: shop.owner.token, body })
  await change({ sign_up: 'open' })
  await one.listener('guard', ['PRE_USER_CREATE'], noop)
  directory = await createDirectory(app, shop)
  await auth('sign-up/', { email: 'begun@example.com', password })
  const { held, credential } = await makePasskey(
    (await auth('sign-up/passkey/options/', { email: 'key@example.com' })).body,
    origin,
  )
  await auth('sign-up/passkey/', { email: 'key@example.com', name: 'Phone', credential })
  const invited = await app.request('POST', invitations, {
    token: shop.owner.token,
    body: { invitee_identifier: 'invited@example.com' },
  })
  await app.sql(`delete from users where email = 'invited@example.com'`)
  const { token: known } = await app.user('known')
  await app.sql(`update users set email_verified_at = now() where username = 'known'`)
  const options = await app.request('POST', `${origin}/api/auth/passkeys/options/`, { body: {} })
  begun = {
    token: await linkTokenOf(app, 'begun@example.com'),
    passkey: {
      token: await linkTokenOf(app, 'key@example.com'),
      credential: await signWith(held, options.body, origin),
    },
    invitation: invited.body.uuid,
    known,
  }
  await change({ paused: true })
})

const doors: [name: string, ask: () => ReturnType<TestApp['request']>][] = [
  ['a sign-up', () => auth('sign-up/', { email: 'new@example.com', password })],
  ['the link of a sign-up', () => auth('sign-up/confirm/', { token: begun.token, password })],
  ['the link of a sign-up with a passkey', () => auth('sign-up/passkey/confirm/', begun.passkey)],
  ['joining', () => auth('join/', undefined, begun.known)],
  [
    'an invitation',
    () =>
      one.app.request('POST', invitations, {
        token: one.shop.owner.token,
        body: { invitee_identifier: 'another@example.com' },
      }),
  ],
  [
    'the acceptance of an invitation whose account is gone',
    () =>
      one.app.request('POST', `/api/cloud/invitations/${begun.invitation}/accept/`, {
        body: { password, first_name: 'Ines', last_name: 'Holm' },
      }),
  ],
  [
    'a directory',
    () =>
      directory.call('POST', '/Users', {
        schemas: schemas.user,
        userName: 'listed@example.com',
        emails: [{ value: 'listed@example.com', primary: true }],
      }),
  ],
]

it.each(doors)('%s is 422 while the site is paused', async (_, ask) => {
  const count = () => one.app.sql('select count(*)::int as count from users')
  const before = await count()
  const { status, body } = await ask()
  expect([status, body.detail]).toEqual([
    422,
    'The site is paused, and one of its functions would have to allow this account.',
  ])
  expect(await count()).toEqual(before)
})
