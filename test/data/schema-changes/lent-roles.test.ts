/**
 * A change of a large table borrows the role of its site. Other changes, which begin and end at the same
 * time, do not end it. D8.
 */
import { beforeAll, expect, it } from 'vitest'
import { createSite, type Site, siteIdOf, startApp, type TestApp } from '../../support/app.ts'

let app: TestApp
let site: Site
let other: Site

const role = 'tessera_schema'
const field = (name: string) => ({ name, type: 'string' })
const schema = (...names: string[]) => ({
  fields: [{ name: 'id', type: 'integer' }, ...names.map(field)],
  primaryKey: 'id',
  indexes: names.map((name) => ({ name: `by_${name}`, fields: [name] })),
})

beforeAll(async () => {
  app = (await startApp()).with({ LARGE_TABLE_BYTES: '0', CHANGE_WAIT_MS: '600000' })
  site = await createSite(app, 'borrows')
  other = await createSite(app, 'others')
  const { token } = site.owner
  await app.request('POST', `${site.api}/apps/`, { token, body: { name: 'shop' } })
})

/** Runs a statement once, as the platform, as soon as the role of the site is lent. */
const whenLent = (statement: string) =>
  app.sql(`
    do $$ begin
      for attempt in 1 .. 20000 loop
        exit when exists (select from pg_auth_members m
                           where m.roleid = '${site.schema}'::regrole and m.member = '${role}'::regrole);
        perform pg_sleep(0.0005);
      end loop;
      set local role tessera;
      perform ${statement};
    end $$`)

it.each([
  ['ends in the same site', () => `public.return_site_role(${siteIdOf(site)}, '${role}')`],
  ['begins in another site', () => `public.lend_site_role(${siteIdOf(other)}, '${role}')`],
])('a change is made although another one %s before it has taken the role', async (title, statement) => {
  const { token } = site.owner
  const name = title.replaceAll(' ', '_')
  const path = `${site.api}/apps/shop/datatables/`
  const resources = [{ name, schema: schema('a') }]
  await app.request('POST', `${path}create_schema/?materialize=true`, { token, body: { resources } })
  const [answer] = await Promise.all([
    app.request('PUT', `${path}${name}/`, { token, body: { json_schema: schema('a', 'b') } }),
    whenLent(statement()),
  ])
  await app.sql(`select public.return_site_role(${siteIdOf(other)}, '${role}')`)
  expect([answer.status, answer.body.json_schema?.indexes.length]).toEqual([200, 2])
  const lent = await app.sql(
    `select from pg_auth_members m where m.roleid = '${site.schema}'::regrole and m.member = '${role}'::regrole`,
  )
  expect(lent).toEqual([])
})
