/**
 * The example `examples/practice`: two practices of one organization, built from its files and played
 * through.
 */
import { cpSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCli } from '../../dev/build-cli.ts'
import { type Client, signIn } from '../../dev/client.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { sharedStack } from '../support/shared-stack.ts'
import { until } from '../support/until.ts'
import { type Person, person } from './program.ts'

const admin = { username: 'admin@example.com', password: 'Admin-demo-1' }
const sites = ['practice-a', 'practice-b'] as const
const root = temporaryFolder('practice')
let ada: Person
let client: Client
let address: string

const dataOf = (site: string, table: string) => `/sites/${site}/api/apps/practice/datatables/${table}/data/`

/** Sends a request as somebody with a token, or as a visitor. */
async function ask(method: string, path: string, { token, body }: { token?: string; body?: unknown } = {}) {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

/** Signs somebody up, by the link of the e-mail. */
async function signUp(site: string, body: { email: string; password: string }): Promise<void> {
  await ask('POST', `/sites/${site}/api/auth/sign-up/`, { body })
  let token: string | undefined
  await until(
    async () => {
      const { body: letters } = await ask('GET', `/_dev/mailbox/?to=${encodeURIComponent(body.email)}`)
      token = /sign-up\/confirm\/\?token=([\w-]+)/.exec(JSON.stringify(letters))?.[1]
      return token !== undefined
    },
    () => 'the e-mail of the sign-up is there',
  )
  const confirmed = { token, password: body.password }
  expect(await ask('POST', `/sites/${site}/api/auth/sign-up/confirm/`, { body: confirmed })).toMatchObject({
    status: 201,
  })
}

const tokenOf = async (username: string, password: string): Promise<string> =>
  (await ask('POST', '/api/auth/jwt/token/', { body: { username, password } })).body.access

beforeAll(async () => {
  const [program, stack] = await Promise.all([buildCli(join(root, 'program')), sharedStack()])
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'), 'junction')
  address = stack.address
  client = await signIn(address, admin.username, admin.password)
  ada = person(root, program, address)
  await ada.runWith({ input: `${admin.password}\n` }, 'login', '--user', admin.username, '--stdin')
  cpSync(join(import.meta.dirname, '../../examples/practice'), ada.folder, { recursive: true })
  for (const site of sites) {
    const created = ['sites', 'create', site, '--slug', site, '--organization', 'practices']
    await ada.json(...created, '--create-organization', 'Practices')
    const { applied } = await ada.json<{ applied: string[] }>(
      ...['schema', 'push', 'practice', '--site', site, '--yes'],
    )
    expect(applied.toSorted()).toEqual([
      ...['access rules', 'app', 'function reminders', 'role reception', 'role therapist', 'subscriptions'],
      ...['table bookings', 'table slots'],
    ])
    const slots = [8, 9, 10].map((hour, index) => ({
      id: index + 1,
      therapist: 'Kim',
      starts_at: `2030-03-04T0${hour}:00:00Z`.replace('T010', 'T10'),
      ends_at: `2030-03-04T0${hour}:45:00Z`.replace('T010', 'T10'),
    }))
    await client.request('POST', dataOf(site, 'slots'), slots)
    const open = { sign_up: 'open' }
    await client.request('PATCH', `/api/cloud/sites/${site}/`, open)
  }
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('the example of a practice', () => {
  it('is the same in the files and in the service after a push', async () => {
    const diff = await ada.json('schema', 'diff', 'practice', '--site', 'practice-a')
    expect(diff).toMatchObject({ changes: [] })
  })

  it('refuses an appointment that overlaps another one of the therapist', async () => {
    const token = await tokenOf(admin.username, admin.password)
    const slot = (therapist: string, from: string, to: string) => ({
      therapist,
      starts_at: `2030-03-04T${from}:00Z`,
      ends_at: `2030-03-04T${to}:00Z`,
    })
    const add = (body: object) => ask('POST', dataOf('practice-a', 'slots'), { token, body })
    expect(await add(slot('Kim', '08:30', '09:00'))).toEqual({
      status: 409,
      body: {
        error: 'Record excluded',
        detail: 'The therapist has another appointment at this time.',
        field: 'therapist,starts_at,ends_at',
        exclusion: 'one_at_a_time',
        code: 'record_excluded',
      },
    })
    expect((await add(slot('Kim', '09:00', '08:00'))).status).toBe(400)
    expect((await add(slot('Lou', '08:30', '09:00'))).status).toBe(201)
    expect((await add(slot('Kim', '08:45', '09:00'))).status).toBe(201)
  })

  it('gives a slot to one of ten visitors who book it at once', async () => {
    const booked = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        ask('POST', dataOf('practice-a', 'bookings'), {
          body: { slot_id: 1, name: `Visitor ${n}`, email: `visitor-${n}@example.org` },
        }),
      ),
    )
    expect(booked.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
    expect((await ask('GET', dataOf('practice-a', 'bookings'))).status).toBe(401)
  })

  it('shows a client of one practice nothing of another before joining there', async () => {
    const body = { email: 'cleo@example.org', password: 'Quiet-otter-71' }
    await signUp('practice-a', body)
    const token = await tokenOf(body.email, body.password)
    const booking = { slot_id: 2, name: 'Cleo', email: body.email }
    const made = await ask('POST', dataOf('practice-a', 'bookings'), { token, body: booking })
    expect(made.status).toBe(201)
    const own = await ask('GET', dataOf('practice-a', 'bookings'), { token })
    expect(own.body.data).toMatchObject([{ slot_id: 2, name: 'Cleo' }])
    expect((await ask('GET', dataOf('practice-b', 'bookings'), { token })).status).toBe(403)
    expect((await ask('POST', '/sites/practice-b/api/auth/join/', { token })).status).toBe(204)
    expect((await ask('GET', dataOf('practice-b', 'bookings'), { token })).body.data).toEqual([])
  })

  it('lets the reception of one practice into all tables there, and into none of another', async () => {
    const body = { email: 'rae@example.org', password: 'Quiet-otter-72' }
    await signUp('practice-a', body)
    const token = await tokenOf(body.email, body.password)
    const me = await ask('GET', '/api/users/me/', { token })
    await client.request('PUT', `/api/cloud/sites/practice-a/permissions/${me.body.id}/`, {
      permissions: [],
      roles: ['reception'],
    })
    expect((await ask('GET', dataOf('practice-a', 'bookings'), { token })).body.total).toBe(2)
    expect((await ask('GET', dataOf('practice-b', 'bookings'), { token })).status).toBe(403)
  })

  it('shows the owner the figures of a week of all practices, without previews', async () => {
    const elsewhere = { slot_id: 3, name: 'Bo', email: 'bo@example.org' }
    expect((await ask('POST', dataOf('practice-b', 'bookings'), { body: elsewhere })).status).toBe(201)
    await ada.json('sites', 'create', 'trial', '--organization', 'practices', '--environment', 'preview')
    const figures = (table: string, from: string, name: string) =>
      ada.json(
        ...['data', 'list', 'practice', table, '--organization', 'practices', '--environment', 'production'],
        '--query',
        `${from}__within=2030-W10@Europe/Berlin&_aggregate=count(*) as ${name}`,
      )
    expect(await figures('bookings', 'slot_id.starts_at', 'bookings')).toEqual({
      data: [
        { site: 'practice-a', aggregates: { bookings: 2 } },
        { site: 'practice-b', aggregates: { bookings: 1 } },
      ],
      aggregates: { bookings: 3 },
      skipped: [],
    })
    expect(await figures('slots', 'starts_at', 'slots')).toMatchObject({ aggregates: { slots: 8 } })
    const shown = await ada.run(
      ...['data', 'list', 'practice', 'bookings', '--organization', 'practices'],
      ...['--query', '_sort=slot_id&fields=id,name'],
    )
    expect(shown.out).toContain('practice-b')
    expect(shown.out).toContain('Skipped trial: There is no app "practice" in this site.')
    await ada.json('sites', 'delete', 'trial', '--yes', '--now')
  })

  it('sends reminders of the next day to its people, and keeps them in a preview', async () => {
    const remind = (site: string) =>
      ada.json<{ data: unknown }>(
        ...['functions', 'run', 'practice', 'reminders', '--site', site],
        ...['--params', '{"day": "2030-03-03T12:00:00Z"}'],
      )
    const mailsOf = (site: string) =>
      client.request<{ results: { to: string; state: string }[] }>('GET', `/sites/${site}/api/mails/`)
    expect(await remind('practice-a')).toMatchObject({ data: { sent: 2 } })
    await until(
      async () => (await mailsOf('practice-a')).results.every(({ state }) => state !== 'waiting'),
      () => 'the reminders leave',
    )
    // Without a mail server of its own, a site sends nothing to visitors.
    const states = (await mailsOf('practice-a')).results.map(({ to, state }) => [to.split('-')[0], state])
    expect(states.toSorted()).toEqual([
      ['cleo@example.org', 'sent'],
      ['visitor', 'dropped'],
    ])
    await ada.json('sites', 'copy', 'practice-preview', '--site', 'practice-a', '--rows')
    expect(await client.request('GET', '/api/cloud/sites/practice-preview/')).toMatchObject({
      environment: 'preview',
      paused: true,
    })
    expect(await remind('practice-preview')).toMatchObject({ data: { sent: 2 } })
    await until(
      async () => (await mailsOf('practice-preview')).results.every(({ state }) => state === 'kept'),
      () => 'the reminders of the preview are kept',
    )
    expect((await mailsOf('practice-preview')).results).toHaveLength(2)
  })
})
