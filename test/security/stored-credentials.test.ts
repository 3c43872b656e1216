/**
 * Somebody who may manage a site, but does not know its stored credentials, lets the service send them to a
 * server of their own: each way to change where a stored header or client secret goes.
 */
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createEventful, type Eventful } from '../support/events.ts'
import { openIdApp, serverOf } from '../support/social-login.ts'
import type { Received } from '../support/webhook-server.ts'

const server = inject('webhookServer')
const port = new URL(server).port
/** The server as another host. */
const attacker = `http://127.0.0.1:${port}`
const functions = '/apps/shop/functions/'
const mask = '***HIDDEN***'

let one: Eventful

beforeAll(async () => {
  one = await createEventful('kept', { ALLOW_PRIVATE_HOSTS: 'true' })
})

/** The members of a body by which a stored credential goes elsewhere, and the operations that have them. */
const doors: Record<string, readonly string[]> = {
  webhook_url: ['createFunction', 'replaceFunction', 'updateFunction'],
  server_url: ['createSocialApp', 'updateSocialApp'],
}

it('the doors of this file are all operations whose body says where a credential goes', async () => {
  const { paths, components } = (await one.owner.get('/schema/')).body
  /** Returns the JSON of a body with the schemas to which it refers. */
  const textOf = (body: object = {}): string => {
    const text = JSON.stringify(body)
    const names = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name)
    return [text, ...names.map((name) => textOf(components.schemas[name]))].join()
  }
  const operations = Object.values(paths as Record<string, Record<string, Operation>>).flatMap((path) =>
    Object.values(path),
  )
  for (const [member, ids] of Object.entries(doors)) {
    const found = operations.filter(({ requestBody }) => textOf(requestBody).includes(`"${member}":`))
    expect(found.map(({ operationId }) => operationId).sort()).toEqual([...ids].sort())
  }
})

interface Operation {
  operationId: string
  requestBody?: object
}

describe('the headers of a function are not sent to another host', () => {
  const refused = {
    status: 400,
    body: { headers: ['The URL has another host than before: send the values of the headers again, or {}.'] },
  }
  const whole = (slug: string, webhook_url: string) => ({ name: slug, execution_mode: 'proxy', webhook_url })

  /** Creates a function that calls the server with a stored header. */
  async function keeping(slug: string) {
    const body = { ...whole(slug, `${server}/json/${slug}`), headers: { authorization: 'CANARY' } }
    expect((await one.owner.post(functions, body)).status).toBe(201)
    return `${functions}${slug}/`
  }
  const calls = async (slug: string): Promise<Received[]> =>
    (await fetch(`${server}/received/json/${slug}`)).json()

  it.each<[string, (path: string, slug: string) => Promise<unknown>]>([
    ['PATCH with the URL', (path) => one.owner.patch(path, { webhook_url: `${attacker}/` })],
    [
      'PATCH with the URL and masked headers',
      (path) => one.owner.patch(path, { webhook_url: `${attacker}/`, headers: { authorization: mask } }),
    ],
    [
      'PUT with masked headers',
      (path, slug) =>
        one.owner.put(path, { ...whole(slug, `${attacker}/`), headers: { authorization: mask, 'x-a': 'b' } }),
    ],
    ['PATCH with another port', (path) => one.owner.patch(path, { webhook_url: 'http://localhost:9/' })],
    [
      'PATCH with a subdomain',
      (path) => one.owner.patch(path, { webhook_url: `http://a.localhost:${port}/` }),
    ],
    [
      'PATCH with the host as a name of a user',
      (path) => one.owner.patch(path, { webhook_url: `http:\\\\127.0.0.1:${port}\\@localhost:${port}/` }),
    ],
    [
      'a restored version',
      async (path) => {
        await one.owner.patch(path, { webhook_url: `${attacker}/`, headers: {} })
        await one.owner.patch(path, { webhook_url: `${server}/`, headers: { authorization: 'CANARY' } })
        return one.owner.post(`${path}versions/2/restore/`, undefined)
      },
    ],
  ])('by %s', async (what, attempt) => {
    const slug = what.toLowerCase().replaceAll(' ', '-')
    const path = await keeping(slug)
    const before = (await one.owner.get(path)).body.webhook_url
    expect(await attempt(path, slug)).toMatchObject(refused)
    expect(new URL((await one.owner.get(path)).body.webhook_url).host).toBe(new URL(before).host)
  })

  it('by a change in the database', async () => {
    const path = await keeping('moved')
    await one.app.sql(`update tenant._functions set webhook_url = $1 where slug = 'moved'`, [
      `${attacker}/json/moved`,
    ])
    expect((await one.owner.post(`${path}execute/`, {})).body.invocation).toMatchObject({
      status: 'FAILURE',
      error: 'The headers were entered for another host. Enter them again.',
    })
    expect(await calls('moved')).toEqual([])
  })

  it('unless their values are sent again, and are dropped if {} is sent', async () => {
    const path = await keeping('entered')
    const webhook_url = `${attacker}/json/entered`
    const entered = { webhook_url, headers: { authorization: 'entered again' } }
    expect(await one.owner.patch(path, entered)).toMatchObject({ status: 200, body: { webhook_url } })
    await one.owner.post(`${path}execute/`, {})
    expect((await calls('entered')).at(-1)?.headers.authorization).toBe('entered again')
    const dropped = await one.owner.patch(path, { webhook_url: `${server}/json/entered`, headers: {} })
    expect([dropped.status, dropped.body.headers]).toEqual([200, {}])
    await one.owner.post(`${path}execute/`, {})
    expect((await calls('entered')).at(-1)?.headers.authorization).toBeUndefined()
  })

  it('but another path of the same host keeps them', async () => {
    const path = await keeping('same')
    const webhook_url = `${server}/json/same-host`
    expect(await one.owner.patch(path, { webhook_url })).toMatchObject({ status: 200 })
    await one.owner.post(`${path}execute/`, {})
    expect((await calls('same-host'))[0]?.headers.authorization).toBe('CANARY')
  })
})

describe('the secret of a social app is not sent to another server', () => {
  const refused = {
    status: 400,
    body: { secret: ['The provider or its server_url changes: send the secret again.'] },
  }

  it.each<[string, object, object]>([
    ['another discovery document', { settings: { server_url: serverOf('stolen') } }, { secret: mask }],
    ['another server', { provider: 'gitlab', settings: { server_url: attacker } }, {}],
    ['another provider', { provider: 'saml', settings: {} }, {}],
  ])('by PATCH with %s', async (what, change, more) => {
    const id = what.replaceAll(' ', '-')
    const made = await one.owner.post('/auth/social-apps/', openIdApp(id, serverOf('first')))
    const path = `/auth/social-apps/${made.body.data.id}/`
    for (const secret of [{}, { secret: mask }, more])
      expect(await one.owner.patch(path, { ...change, ...secret })).toMatchObject(refused)
    expect((await one.owner.get(path)).body).toMatchObject({
      provider: 'openid_connect',
      settings: { server_url: serverOf('first') },
    })
    expect((await one.owner.patch(path, { ...change, secret: 'entered again' })).status).toBe(200)
  })

  it('by settings without the server_url of a self-hosted provider', async () => {
    const made = await one.owner.post('/auth/social-apps/', {
      provider: 'github',
      name: 'GitHub',
      client_id: 'a',
      secret: 'b',
      settings: { server_url: `${inject('identityProviders')}/d/github` },
    })
    const path = `/auth/social-apps/${made.body.data.id}/`
    expect(await one.owner.patch(path, { settings: { icon: 'github' } })).toMatchObject(refused)
  })

  it('but the private key of a SAML provider, which is never sent, stays with other metadata', async () => {
    const made = await one.owner.post('/auth/social-apps/', {
      provider: 'saml',
      provider_id: 'idp',
      name: 'IdP',
      client_id: 'a',
      secret: 'b',
      settings: { saml: { metadata_url: `${inject('identityProviders')}/saml-metadata` } },
    })
    const path = `/auth/social-apps/${made.body.data.id}/`
    expect(await one.owner.patch(path, { settings: {} })).toMatchObject({ status: 200 })
  })
})
