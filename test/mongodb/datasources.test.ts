import { beforeAll, describe, expect, inject, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { createDesk, type Desk, databaseOf } from './desk.ts'

let app: TestApp
let desk: Desk

const source = (slug: string, provider_config: unknown) => ({
  name: 'Documents',
  slug,
  provider_type: 'mongodb',
  provider_config,
})
const create = (slug: string, config: unknown) =>
  desk.ask('POST', '/apps/shop/datasources/', source(slug, config))
const keep = (key: string, url: string) =>
  desk.ask('POST', '/secrets/', { key, secret_type: 'connection', value: { url } })

beforeAll(async () => {
  app = await startApp()
  desk = await createDesk(app, 'desk-sources')
})

describe('datasources of the type mongodb', () => {
  it('a creation returns 400 for other settings than secret, database and location', async () => {
    expect((await create('a', {})).body).toEqual({
      provider_config: ['secret: This field is required.', 'database: This field is required.'],
    })
    expect((await create('a', { secret: 'MONGO', database: '$where', url: 'mongodb://x' })).status).toBe(400)
    expect((await create('a', { secret: 'MONGO', database: 'admin' })).body).toEqual({
      provider_config: ['database: This database is one of the server itself.'],
    })
  })

  it('a creation returns 422 with the reason if the connection cannot be used, and no part of its string', async () => {
    const reasons = {
      NONE: 'There is no secret "NONE".',
      OTHER: 'The secret is not a connection string: mongodb://… or mongodb+srv://…',
      PROXY: 'The connection string has an option that is not taken: "proxyHost".',
      LAX: 'The connection string has an option that is not taken: "tlsInsecure".',
      AWS: 'authMechanism must be one of DEFAULT, SCRAM-SHA-1, SCRAM-SHA-256, PLAIN.',
      DOWN: 'No server of the connection string answers.',
      PLAIN: 'A public server needs TLS: omit tls=false.',
    }
    await keep('OTHER', 'postgres://hidden:word@db.example.com')
    await keep('PROXY', 'mongodb://hidden:word@db.example.com/?proxyHost=hidden')
    await keep('LAX', 'mongodb://hidden:word@db.example.com/?tlsInsecure=true')
    await keep('AWS', 'mongodb://hidden:word@db.example.com/?authMechanism=MONGODB-AWS')
    await keep('DOWN', 'mongodb://hidden:word@127.0.0.1:1/')
    await keep('PLAIN', 'mongodb://hidden:word@db.example.com/?tls=false')
    for (const [secret, detail] of Object.entries(reasons)) {
      const answer = await create('a', { secret, database: 'shop' })
      expect(answer).toMatchObject({ status: 422 })
      expect(answer.body).toEqual({ error: 'MongoDB cannot be used', detail, code: 'not_supported' })
    }
  })

  it('only servers with public addresses may be called, unless ALLOW_PRIVATE_HOSTS is set', async () => {
    const answer = await app.request('POST', `${desk.api}/apps/shop/datasources/`, {
      token: desk.owner.token,
      body: source('a', { secret: 'MONGO', database: 'shop' }),
    })
    expect(answer).toMatchObject({ status: 422 })
    expect(answer.body.detail).toBe('A host of the connection string is not a public one.')
  })

  it('a check says what the server is', async () => {
    const answer = await desk.ask('POST', '/apps/shop/datasources/docs/check/')
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({
      server: expect.stringMatching(/^MongoDB \d/),
      transactions: true,
      round_trip_ms: expect.any(Number),
    })
  })

  it('a check of another datasource says that it is in Postgres', async () => {
    await desk.ask('POST', '/apps/shop/datasources/', {
      name: 'Flat',
      slug: 'flat',
      provider_type: 'flat_table',
    })
    expect((await desk.ask('POST', '/apps/shop/datasources/flat/check/')).body).toEqual({
      server: 'Postgres',
      transactions: true,
      round_trip_ms: 0,
    })
  })

  it('a change of the settings tries the new connection', async () => {
    const path = '/apps/shop/datasources/docs/'
    const wrong = await desk.ask('PATCH', path, { provider_config: { secret: 'NONE', database: 'shop' } })
    expect(wrong).toMatchObject({ status: 422 })
    const config = { secret: 'MONGO', database: databaseOf('desk-sources'), location: 'weur' }
    expect((await desk.ask('PATCH', path, { provider_config: config })).body.provider_config).toEqual(config)
  })

  it('the connection string is in no answer', async () => {
    const answer = await desk.ask('GET', '/apps/shop/datasources/docs/')
    expect(answer.text).not.toContain(new URL(inject('mongodbUrl')).host)
  })
})
