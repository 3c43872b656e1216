/** `tessera push`: environments, and one app in many sites. docs/guide/deploy-your-app.md. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCli } from '../../dev/build-cli.ts'
import { type Client, signIn } from '../../dev/client.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { scaled } from '../support/scaled.ts'
import { sharedStack } from '../support/shared-stack.ts'
import { type Person, person } from './program.ts'

const admin = { username: 'admin@example.com', password: 'Admin-demo-1' }
const root = temporaryFolder('cli-push')
const organization = 'many-practices'
const sites = Array.from({ length: 12 }, (_, index) => `practice-${String(index + 1).padStart(2, '0')}`)
const [empty, differing, refusing] = [sites.slice(0, 7), sites.slice(7, 10), sites.slice(10)]
let stack: { address: string }
let client: Client
let ada: Person

const tableOf = (...names: string[]) => ({
  schema: {
    fields: [{ name: 'id', type: 'integer' }, ...names.map((name) => ({ name, type: 'string' }))],
    primaryKey: ['id'],
  },
})
const addressOf = (site: string) => `${stack.address}/sites/${site}`

interface Pushed {
  apps: { app: string; sites: { site: string; outcome: string; changes: number; reason?: string }[] }[]
}

const fieldsAt = async (site: string) => {
  const table = await client.request<{ json_schema: { fields: { name: string }[] } }>(
    'GET',
    `/sites/${site}/api/apps/clinic/datatables/patients/`,
  )
  return table.json_schema.fields.map(({ name }) => name)
}

beforeAll(async () => {
  let program: string
  ;[program, stack] = await Promise.all([buildCli(join(root, 'program')), sharedStack()])
  stack = { address: stack.address.replace(/\/$/, '') }
  client = await signIn(stack.address, admin.username, admin.password)
  ada = person(root, program, stack.address)
  await ada.runWith({ input: `${admin.password}\n` }, 'login', '--user', admin.username, '--stdin')
  const made = ['--organization', organization, '--create-organization', 'Many practices']
  for (const site of sites) await ada.json('sites', 'create', site, ...made)
  ada.write('tessera/clinic/app.json', { name: 'Clinic' })
  ada.write('tessera/clinic/tables/patients.json', tableOf('name'))
  ada.write('differing.txt', `# earlier customers\n${differing.join('\n')}\n`)
  expect((await ada.run('push', '--sites', 'differing.txt', '--yes')).code).toBe(0)
  for (const site of refusing) {
    await client.request('POST', `/sites/${site}/api/apps/`, { name: 'Clinic' })
    await client.request(
      'POST',
      `/sites/${site}/api/apps/clinic/datatables/create_schema/?materialize=true`,
      {
        resources: [{ name: 'patients', ...tableOf('another') }],
      },
    )
  }
  ada.write('tessera/clinic/tables/patients.json', tableOf('name', 'city'))
}, scaled(300_000))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('an environment', () => {
  it.each([
    [
      'without a file',
      undefined,
      'There is no tessera.config.js with the environment production. Write it: ',
    ],
    ['that the file does not have', {}, 'tessera.config.js has no environment production. It has: none.'],
    [
      'with an unknown member',
      { production: { url: 'https://a.example', site_slug: 'a' } },
      'tessera.config.js: production has the unknown member site_slug. Known are url, site, organization.',
    ],
    ['without an address', { production: {} }, 'tessera.config.js: production needs url, the address'],
    ['with another address', { production: { url: 'shop' } }, 'shop is not the address of a service'],
  ])('is refused %s', async (_, environments, message) => {
    rmSync(join(ada.folder, 'tessera.config.js'), { force: true })
    if (environments) ada.write('tessera.config.js', `export default ${JSON.stringify({ environments })}`)
    const { code, err } = await ada.run('push', '--env', 'production')
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })

  it('names the service and the site', async () => {
    const environments = { test: { url: stack.address, site: differing[0] } }
    ada.write('tessera.config.js', `export default ${JSON.stringify({ environments })}`)
    const { code, out } = await ada.run('push', '--env', 'test', '--dry-run')
    expect([code, out]).toEqual([6, expect.stringContaining('Add field city')])
  })
})

describe('one app in many sites', () => {
  it('needs the organization of all sites', async () => {
    expect(await ada.run('push', '--sites', 'all')).toMatchObject({
      code: 2,
      err: 'Name the organization of --sites all: --organization <slug>\n',
    })
    expect(await ada.run('push', '--sites', 'none.txt')).toMatchObject({
      code: 2,
      err: 'none.txt cannot be read. Name a file with one slug a line, or all.\n',
    })
  })

  it('is planned for all of them, grouped by what differs, before anything changes', async () => {
    const { code, out } = await ada.run('push', '--sites', 'all', '--organization', organization, '--dry-run')
    expect(code).toBe(1)
    expect(out).toContain(`clinic, ${empty.length} sites: ${empty.map(addressOf).join(', ')}\n+ app`)
    expect(out).toContain(
      `clinic, ${differing.length} sites: ${differing.map(addressOf).join(', ')}\n~ table`,
    )
    expect(out).toContain('REFUSED: These files were never pulled from')
    expect(out).toContain('clinic: 0 pushed, 0 the same, 10 not pushed, 2 refused.')
    expect(await fieldsAt(differing[0] as string)).toEqual(['id', 'name'])
  })

  it(
    'goes on after a kill, and leaves a site that refuses as it was',
    async () => {
      const args = ['push', '--sites', 'all', '--organization', organization, '--yes']
      const killed = ada.start(...args)
      while (!killed.err().includes('Pushed clinic')) await new Promise((again) => setTimeout(again, 20))
      await killed.stop()

      const { code, out } = await ada.run(...args, '--json')
      const [result] = (JSON.parse(out) as Pushed).apps
      const outcomes = Object.fromEntries(result?.sites.map(({ site, outcome }) => [site, outcome]) ?? [])
      expect(code).toBe(1)
      expect(Object.keys(outcomes)).toEqual(sites.map(addressOf))
      for (const site of [...empty, ...differing]) {
        expect(['same', 'pushed']).toContain(outcomes[addressOf(site)])
        expect(await fieldsAt(site)).toEqual(['id', 'name', 'city'])
      }
      for (const site of refusing) {
        expect(outcomes[addressOf(site)]).toBe('refused')
        expect(await fieldsAt(site)).toEqual(['id', 'another'])
      }
      const again = await ada.run(...args)
      expect(again.out).toContain('clinic: 0 pushed, 10 the same, 0 not pushed, 2 refused.')
    },
    scaled(120_000),
  )
})
