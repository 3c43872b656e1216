/** The events of accounts that are created, changed or deleted. Spec: Events, rules 2 and 3; E1. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkPayloads, createEventful, type Eventful, eventfulShop, fail, noop } from '../support/events.ts'
import { ownerOf } from '../support/fixtures.ts'
import { runs } from '../support/runs.ts'
import { createSocialSite, verified } from '../support/social-login.ts'
import { timeLimit } from '../support/time-limit.ts'

let mine: Eventful
let theirs: Eventful

/** The seconds for all functions together. */
const allSeconds = runs(4, 20)

beforeAll(async () => {
  mine = await createEventful('mine', { ACCOUNT_WAIT_SECONDS: String(allSeconds) })
  theirs = await eventfulShop(mine.app, 'theirs', mine.queue)
})
beforeEach(async () => {
  await mine.app.sql('delete from tenant._subscribers')
  await mine.app.sql('delete from tenant._functions')
})

let count = 0
const input = (more = {}) => {
  const username = `sailor-${++count}`
  return {
    username,
    email: `${username}@mail.example`,
    password: 'Sail-away-1',
    first_name: 'Jo',
    last_name: '',
    ...more,
  }
}
const create = (body: object, { shop, app }: Eventful = mine, path = shop.api) =>
  app.request('POST', `${path}/users/`, { token: shop.owner.token, body })
const saved = async (username: string) =>
  (await mine.app.sql('select from users where username = $1', [username])).length

describe('PRE_USER_CREATE', () => {
  it('runs before the user is saved, with the validated data and without the password', async () => {
    await mine.listener('check', ['PRE_USER_CREATE'], {
      code: 'export default (params, { user }) => ({ params, by: user.username })',
    })
    const { password, ...account } = input()
    const created = await create({ ...account, password, email: ` ${account.email} ` })
    expect(created.status).toBe(201)
    expect(await mine.runs('check')).toMatchObject([
      {
        trigger_type: 'event',
        event: 'PRE_USER_CREATE',
        status: 'SUCCESS',
        attempts: 1,
        params: { ...account, phase: 'created' },
        result: { params: { ...account, phase: 'created' }, by: 'mine-owner' },
      },
    ])
    expect(JSON.stringify(await mine.app.sql(`select * from tenant._invocations`))).not.toContain(password)
  })

  it('names each function that fails, breaks or hangs, and saves no user, in limited time', async () => {
    await mine.listener('good', ['PRE_USER_CREATE'], noop)
    await mine.listener('failing', ['PRE_USER_CREATE'], fail)
    await mine.listener('broken', ['PRE_USER_CREATE'])
    await mine.app.sql(`update tenant._functions set code = 'export default (' where slug = 'broken'`)
    await mine.listener('refusing', ['PRE_USER_CREATE'], {
      code: 'export default () => { throw new Error("No sailors.") }',
    })
    for (const name of ['slow 1', 'slow 2']) {
      await mine.listener(name, ['PRE_USER_CREATE'], {
        code: 'export default () => new Promise((done) => setTimeout(done, 60_000))',
      })
    }
    await mine.listener('hurried', ['PRE_USER_CREATE'], {
      code: 'export default () => new Promise((done) => setTimeout(done, 60_000))',
      timeout_seconds: 1,
    })
    const account = input()
    const began = Date.now()
    const rejected = await create(account)
    expect(Date.now() - began).toBeLessThan(allSeconds * 1000 + (await timeLimit(2_000)))
    expect(rejected.status).toBe(400)
    expect(rejected.body.non_field_errors.toSorted()).toEqual([
      expect.stringMatching(/^The function "broken" failed: The code cannot be loaded: SyntaxError/),
      'The function "failing" failed: The system function "fail" always fails.',
      'The function "hurried" failed: The function took longer than 1 seconds.',
      'The function "refusing" failed: Error: No sailors.',
      expect.stringMatching(
        /^The function "slow 1" failed: The function took longer than \d+(\.\d)? seconds\.$/,
      ),
      expect.stringMatching(
        /^The function "slow 2" failed: The function took longer than \d+(\.\d)? seconds\.$/,
      ),
    ])
    expect(await saved(account.username)).toBe(0)
    expect((await mine.runs('failing'))[0]).toMatchObject({ status: 'FAILURE', attempts: 1 })
    expect((await mine.runs('good'))[0]).toMatchObject({ status: 'SUCCESS' })
    expect(mine.queue.waiting).toEqual([])
  })

  it('gives each function its own timeout, and all together a limit that the refusal names', async () => {
    for (let n = 1; n <= 5; n++) {
      await mine.listener(`slow ${n}`, ['PRE_USER_CREATE'], {
        code: 'export default () => new Promise((done) => setTimeout(done, 90_000))',
        timeout_seconds: n === 1 ? 3 : 600,
      })
    }
    const account = input()
    const began = Date.now()
    const rejected = await create(account)
    expect(Date.now() - began).toBeLessThan(allSeconds * 1000 + (await timeLimit(5_000)))
    expect(rejected.status).toBe(400)
    expect(rejected.body.non_field_errors.toSorted()).toEqual([
      'The function "slow 1" failed: The function took longer than 3 seconds.',
      ...[2, 3, 4, 5].map((n) =>
        expect.stringMatching(
          `^The function "slow ${n}" failed: The function took longer than \\d+(\\.\\d)? seconds\\.$`,
        ),
      ),
    ])
    expect(await saved(account.username)).toBe(0)
  })

  it('does not start functions after the limit of all, and says so', async () => {
    for (let n = 1; n <= 5; n++) {
      await mine.listener(`slow ${n}`, ['PRE_USER_CREATE'], {
        code: 'export default () => new Promise((done) => setTimeout(done, 90_000))',
      })
    }
    const rejected = await create(input())
    expect([rejected.status, rejected.body.non_field_errors.toSorted().at(-1)]).toEqual([
      400,
      'The function "slow 5" failed: It was not started: an account waits at most ' +
        `${allSeconds} seconds for all functions.`,
    ])
  })

  it('does not run for rejected requests', async () => {
    await mine.listener('unasked', ['PRE_USER_CREATE'], noop)
    expect((await create(input({ email: 'nobody' }))).status).toBe(400)
    const stranger = await mine.app.user('stranger')
    expect(
      (await mine.app.request('POST', `${mine.shop.api}/users/`, { token: stranger.token, body: input() }))
        .status,
    ).toBe(403)
    expect(await mine.runs('unasked')).toEqual([])
  })
})

describe('POST_USER_CREATE, POST_USER_UPDATE and POST_USER_DELETE', () => {
  it('have the complete user as the API shows it; a function that fails changes nothing', async () => {
    await mine.listener('all', ['POST_USER_CREATE', 'POST_USER_UPDATE', 'POST_USER_DELETE'], noop)
    await mine.listener('bad', ['POST_USER_CREATE'], fail)
    const created = await create(input())
    expect(created.status).toBe(201)
    const path = `${mine.shop.api}/users/${created.body.username}/`
    const changed = await mine.app.request('PATCH', path, {
      token: mine.shop.owner.token,
      body: { last_name: 'Lee' },
    })
    expect((await mine.app.request('DELETE', path, { token: mine.shop.owner.token })).status).toBe(204)
    await mine.queue.drain(mine.app.env)
    expect((await mine.runs('all')).map(({ event, params, status }) => [event, status, params])).toEqual([
      ['POST_USER_CREATE', 'SUCCESS', { ...created.body, phase: 'created' }],
      ['POST_USER_UPDATE', 'SUCCESS', changed.body],
      ['POST_USER_DELETE', 'SUCCESS', changed.body],
    ])
    const seen = ['POST_USER_CREATE', 'POST_USER_DELETE', 'POST_USER_UPDATE', 'PRE_USER_CREATE']
    expect(await checkPayloads(mine.app, mine.shop)).toEqual({ seen, problems: [] })
    expect(await mine.runs('bad')).toMatchObject([{ status: 'RETRY' }])
    mine.queue.waiting.length = 0
  })

  it('do not fire for rejected requests', async () => {
    await mine.listener('quiet', ['POST_USER_CREATE', 'POST_USER_UPDATE', 'POST_USER_DELETE'], noop)
    const { username } = theirs.shop.owner
    const account = input()
    await theirs.app.request('POST', `${theirs.shop.api}/users/`, {
      token: theirs.shop.owner.token,
      body: account,
    })
    for (const body of [
      input({ username }),
      input({ email: theirs.shop.owner.email }),
      input({ username: theirs.shop.owner.email }),
    ]) {
      expect((await create(body)).status).toBe(400)
    }
    for (const [method, body] of [['PATCH', { first_name: 'x' }], ['DELETE']] as const) {
      const rejected = await mine.app.request(method, `${mine.shop.api}/users/${account.username}/`, {
        token: mine.shop.owner.token,
        ...(body ? { body } : {}),
      })
      expect(rejected.status).toBe(404)
    }
    const alone = await mine.app.request('DELETE', `${mine.shop.api}/users/mine-owner/`, {
      token: mine.shop.owner.token,
    })
    expect(alone.status).toBe(400)
    await mine.queue.drain(mine.app.env)
    expect(await mine.runs('quiet')).toEqual([])
  })
})

describe('the functions that an event of an account runs', () => {
  const both = ['PRE_USER_CREATE', 'POST_USER_CREATE']
  const heard = async () => {
    await mine.queue.drain(mine.app.env)
    return [(await mine.runs('ear')).length, (await theirs.runs('ear')).length]
  }
  beforeEach(async () => {
    await mine.app.sql('delete from tenant._invocations')
    for (const site of [mine, theirs]) await site.listener('ear', both, noop)
  })

  it('are those of the site in the request', async () => {
    expect((await create(input())).status).toBe(201)
    expect(await heard()).toEqual([2, 0])
  })

  it('are those of all sites of the account’s organization if the request has no site', async () => {
    const made = await mine.app.request('POST', '/api/cloud/organizations/mine-org/sites/', {
      token: mine.shop.owner.token,
      body: { name: 'Second', slug: 'second' },
    })
    expect(made.status).toBe(201)
    expect((await create(input(), mine, '/api')).status).toBe(201)
    expect(await heard()).toEqual([2, 0])
  })

  it('are never those of another organization, even if the request is for its site', async () => {
    expect((await create(input(), mine, theirs.shop.api)).status).toBe(201)
    expect(await heard()).toEqual([2, 0])
  })
})

describe('an account that a sign-in through a provider creates', () => {
  it('fires both events; a function that fails prevents both the account and the sign-in', async () => {
    const app = mine.app.with({ ALLOW_PRIVATE_HOSTS: 'true' })
    const site = await createSocialSite(app, 'social', ['liar'])
    const owner = ownerOf(app, site, '')
    await owner.post('/apps/', { name: 'shop' })
    const { body } = await owner.post('/apps/shop/functions/', { name: 'ear', ...noop })
    for (const event of ['PRE_USER_CREATE', 'POST_USER_CREATE'])
      await owner.post(`/cloud/events/${event}/subscribe/`, { function_id: body.id })
    const made = await site.signIn('liar', verified('newcomer'))
    expect(made.status).toBe(200)
    await mine.queue.drain(mine.app.env)
    const runs = (await owner.get('/invocations/')).body.results.reverse()
    expect(runs.map(({ event, status }: { event: string; status: string }) => [event, status])).toEqual([
      ['PRE_USER_CREATE', 'SUCCESS'],
      ['POST_USER_CREATE', 'SUCCESS'],
    ])
    expect(runs[0].params).toEqual({
      username: 'newcomer',
      email: 'newcomer@example.org',
      first_name: '',
      last_name: '',
      phase: 'provider',
    })
    expect(runs[1].params).toEqual({ ...made.body.user, phase: 'provider' })

    await site.signIn('liar', verified('newcomer'))
    expect((await owner.get('/invocations/')).body.count).toBe(2)
    await owner.patch('/apps/shop/functions/ear/', { system_function: 'fail' })
    const rejected = await site.signIn('liar', verified('unwanted'))
    expect([rejected.status, rejected.body]).toEqual([
      400,
      { non_field_errors: ['The function "ear" failed: The system function "fail" always fails.'] },
    ])
    expect(await saved('unwanted')).toBe(0)
  })
})

describe('an account that an invitation creates', () => {
  const path = '/api/cloud/organizations/mine-org/invitations/'
  const invite = (email: string, { shop }: Eventful = mine, at = path) =>
    mine.app.request('POST', at, { token: shop.owner.token, body: { invitee_identifier: email } })
  const accept = (uuid: string, first_name: string) =>
    mine.app.request('POST', `/api/cloud/invitations/${uuid}/accept/`, {
      body: { password: 'Sail-away-1', first_name, last_name: 'Lee' },
    })
  const refusalBy = (name: string) => [
    400,
    { non_field_errors: [`The function "${name}" failed: The system function "fail" always fails.`] },
  ]
  const written = async (email: string) =>
    (
      await mine.app.sql(
        'select email from users where email = $1 union all select invitee_identifier from invitations where invitee_identifier = $1',
        [email],
      )
    ).length

  beforeEach(async () => {
    await mine.app.sql(`delete from tenant._invocations`)
  })

  it('is not stored before PRE_USER_CREATE has run; a function that fails also prevents the invitation', async () => {
    await mine.listener('guard', ['PRE_USER_CREATE'], {
      ...fail,
      filter_conditions: 'event.email.endsWith("@bad.example")',
    })
    const rejected = await invite('guest@bad.example')
    expect([rejected.status, rejected.body]).toEqual(refusalBy('guard'))
    expect(await written('guest@bad.example')).toBe(0)
    expect(await mine.runs('guard')).toMatchObject([
      {
        status: 'FAILURE',
        attempts: 1,
        params: {
          username: 'guest@bad.example',
          email: 'guest@bad.example',
          first_name: '',
          last_name: '',
          phase: 'invited',
        },
      },
    ])
    expect((await invite('guest@good.example')).status).toBe(201)
    expect(await written('guest@good.example')).toBe(2)
  })

  it('is passed to functions with its final name, and with the inviter as the cause', async () => {
    await mine.listener('check', ['PRE_USER_CREATE'], {
      code: 'export default (params, { user }) => ({ params, by: user.username })',
    })
    const { body } = await invite("o'hara@mail.example")
    expect(body.invitee_user.username).toMatch(/^invited-/)
    const params = {
      username: body.invitee_user.username,
      email: "o'hara@mail.example",
      first_name: '',
      last_name: '',
      phase: 'invited',
    }
    expect(await mine.runs('check')).toMatchObject([
      { status: 'SUCCESS', params, result: { params, by: 'mine-owner' } },
    ])
  })

  it('has to wait for a paused production site, and is refused; a paused preview is not asked', async () => {
    await mine.listener('guard', ['PRE_USER_CREATE'], noop)
    const change = (environment: string, paused: boolean) =>
      mine.app.request('PATCH', `/api/cloud/sites/${mine.shop.slug}/`, {
        token: mine.shop.owner.token,
        body: { environment, paused },
      })
    await change('production', true)
    const refused = await invite('stopped@mail.example')
    expect([refused.status, refused.body.code]).toEqual([422, 'site_paused'])
    expect(await written('stopped@mail.example')).toBe(0)
    await change('preview', true)
    expect((await invite('passing@mail.example')).status).toBe(201)
    expect(await mine.runs('guard')).toEqual([])
    await change('production', false)
  })

  it('fires no event if the account already exists or the invitation is rejected', async () => {
    await mine.listener('unasked', ['PRE_USER_CREATE'], fail)
    await mine.app.user('known')
    expect((await invite('known@example.org')).status).toBe(201)
    expect((await invite('newcomer@good.example', theirs)).status).toBe(403)
    expect(
      (await invite('newcomer@good.example', mine, '/api/cloud/organizations/none/invitations/')).status,
    ).toBe(404)
    expect((await invite('mine-owner@example.org')).status).toBe(400)
    expect(await mine.runs('unasked')).toEqual([])
  })

  it('fires both events once, when its row is saved; accepting is an update with the phase accepted', async () => {
    await mine.listener('ear', ['PRE_USER_CREATE', 'POST_USER_CREATE', 'POST_USER_UPDATE'], noop)
    const { uuid } = (await invite('guest@mail.example')).body
    await mine.queue.drain(mine.app.env)
    expect((await mine.runs('ear')).map(({ event, params }) => [event, params])).toEqual([
      [
        'PRE_USER_CREATE',
        {
          username: 'guest@mail.example',
          email: 'guest@mail.example',
          first_name: '',
          last_name: '',
          phase: 'invited',
        },
      ],
      [
        'POST_USER_CREATE',
        expect.objectContaining({ email: 'guest@mail.example', is_active: false, phase: 'invited' }),
      ],
    ])
    // The same placeholder for another invitation, and an account that somebody has: nothing is created.
    expect((await invite('guest@mail.example')).status).toBe(201)
    await mine.app.user('idle')
    const known = (await invite('idle@example.org')).body
    await mine.queue.drain(mine.app.env)
    expect(await mine.runs('ear')).toHaveLength(2)

    const newest = (await invite('guest@mail.example')).body
    expect((await accept(uuid, 'Ann')).status).toBe(410)
    expect((await accept(newest.uuid, 'Ann')).status).toBe(200)
    expect((await accept(known.uuid, 'Theo')).status).toBe(200)
    await mine.queue.drain(mine.app.env)
    expect((await mine.runs('ear')).slice(2).map(({ event, params }) => [event, params])).toEqual([
      [
        'POST_USER_UPDATE',
        expect.objectContaining({
          email: 'guest@mail.example',
          full_name: 'Ann Lee',
          is_active: true,
          phase: 'accepted',
        }),
      ],
      ['POST_USER_UPDATE', expect.objectContaining({ full_name: 'Theo Lee', phase: 'accepted' })],
    ])
    const seen = ['POST_USER_CREATE', 'POST_USER_UPDATE', 'PRE_USER_CREATE']
    expect(await checkPayloads(mine.app, mine.shop)).toEqual({ seen, problems: [] })
  })

  it('is made again at acceptance, with both events, if it was deleted in the meantime', async () => {
    await mine.listener('ear', ['PRE_USER_CREATE', 'POST_USER_CREATE', 'POST_USER_UPDATE'], noop)
    const { uuid } = (await invite('again@mail.example')).body
    await mine.app.sql("delete from users where email = 'again@mail.example'")
    expect((await accept(uuid, 'Ann')).status).toBe(200)
    await mine.queue.drain(mine.app.env)
    expect((await mine.runs('ear')).map(({ event, params }) => [event, params.phase])).toEqual([
      ['PRE_USER_CREATE', 'invited'],
      ['POST_USER_CREATE', 'invited'],
      ['PRE_USER_CREATE', 'invited'],
      ['POST_USER_CREATE', 'invited'],
      ['POST_USER_UPDATE', 'accepted'],
    ])
  })

  it('is checked by the functions of the organization that invites it first', async () => {
    await theirs.listener('guard', ['PRE_USER_CREATE'], fail)
    expect((await invite('shared@mail.example')).status).toBe(201)
    const at = '/api/cloud/organizations/theirs-org/invitations/'
    const { body } = await invite('shared@mail.example', theirs, at)
    expect((await accept(body.uuid, 'Ann')).status).toBe(200)
    const rejected = await invite('unwanted@mail.example', theirs, at)
    expect([rejected.status, rejected.body]).toEqual(refusalBy('guard'))
  })
})

describe('a function that guards an event', () => {
  const path = '/apps/shop/functions/guard/'
  const refused = {
    status: 409,
    body: {
      error: 'A function guards an event',
      detail:
        'The function "guard" guards PRE_USER_CREATE: without it, accounts would be created unchecked. ' +
        'Unsubscribe it first.',
      code: 'guards_event',
    },
  }

  it('cannot be switched off or deleted, nor its app, before it is unsubscribed', async () => {
    const id = await mine.listener('guard', ['PRE_USER_CREATE', 'POST_USER_CREATE'], fail)
    const whole = (await mine.owner.get(path)).body
    for (const attempt of [
      () => mine.owner.patch(path, { is_active: false }),
      () => mine.owner.put(path, { ...whole, is_active: false }),
      () => mine.owner.delete(path),
      () => mine.owner.delete('/apps/shop/'),
    ])
      expect(await attempt()).toMatchObject(refused)
    expect((await create(input())).status).toBe(400)
    expect((await mine.owner.patch(path, { description: 'still here' })).status).toBe(200)
    expect((await mine.unsubscribe('PRE_USER_CREATE', id)).status).toBe(200)
    expect((await mine.owner.patch(path, { is_active: false })).status).toBe(200)
    expect((await mine.owner.delete(path)).status).toBe(204)
  })

  it('cannot be switched off at the moment at which it is subscribed', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await mine.listener(`guard ${round}`, [], noop)
      const [subscribed, off] = await Promise.all([
        mine.subscribe('PRE_USER_CREATE', id),
        mine.owner.patch(`/apps/shop/functions/guard-${round}/`, { is_active: false }),
      ])
      expect([
        [201, 200],
        [201, 409],
      ]).toContainEqual([subscribed.status, off.status])
    }
  })
})
