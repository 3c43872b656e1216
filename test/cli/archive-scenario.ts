/** Exports, erases and imports a site with the built command line. */
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../dev/client.ts'
import { zipFiles } from '../../dev/loader/zip-files.ts'
import { readJsonVerbatim } from '../../src/kernel/lib/exact-json.ts'
import type { Manifest } from '../../src/operation/transfers/archive/manifest.ts'
import { siteSettings } from '../../src/operation/transfers/source/settings.ts'
import { hardRecords, hardTable } from '../support/hard-values.ts'
import { until } from '../support/until.ts'
import type { Person } from './program.ts'

const organization = 'archives'

/** The inputs of the functions that make and move the site of an archive. */
interface Scenario {
  ada: Person
  client: Client
  /** The slug of the site. */
  site: string
  /** The number of records in its largest table. */
  rows: number
}

const field = (name: string, type: string, constraints?: object) => ({
  name,
  type,
  ...(constraints ? { constraints } : {}),
})
const resources = [
  {
    name: 'makers',
    schema: {
      fields: [field('id', 'integer'), field('name', 'string', { required: true, unique: true })],
      primaryKey: 'id',
      graph: { enabled: true, types: [{ name: 'supplies', inverse: 'supplied_by' }] },
    },
  },
  {
    name: 'products',
    schema: {
      fields: [
        field('id', 'integer'),
        field('sku', 'string', { required: true, unique: true }),
        field('price', 'number', { minimum: 0 }),
        field('maker_id', 'integer'),
        field('made_at', 'datetime'),
        field('facts', 'object'),
      ],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'maker_id', reference: { resource: 'makers', fields: 'id' } }],
      access: { rules: [{ name: 'cheap', who: 'anyone', can: ['read'], where: { price__lt: 10 } }] },
    },
  },
]

/** Creates an organization, and a site with two apps, rules, edges, functions, subscriptions and secrets. */
export async function makeSite({ ada, client, site, rows }: Scenario): Promise<void> {
  const created = ['sites', 'create', 'Archived', '--slug', site, '--organization', organization]
  await ada.json(...created, '--create-organization', 'Archives')
  const post = (path: string, body: unknown) => client.request('POST', `/sites/${site}/api/${path}`, body)
  await post('apps/', { name: 'Shop' })
  await post('apps/shop/datatables/create_schema/?materialize=true', { resources })
  await post('apps/', { name: 'Desk' })
  await post('apps/desk/datatables/import-reference/', {
    source_app_slug: 'shop',
    source_table_name: 'makers',
    reference_name: 'producers',
  })
  const makers = Array.from({ length: 100 }, (_, n) => ({ id: n + 1, name: `Maker ${n + 1}` }))
  await post('apps/shop/datatables/makers/data/', makers)
  const edges = makers
    .slice(1)
    .map(({ id }) => ({ from_id: 1, to_id: id, type: 'supplies', metadata: { id } }))
  await post('apps/shop/datatables/makers/edges/', edges)
  for (let start = 0; start < rows; start += 1000)
    await post(
      'apps/shop/datatables/products/data/',
      Array.from({ length: Math.min(1000, rows - start) }, (_, n) => ({
        id: start + n + 1,
        sku: `P-${start + n + 1}`,
        price: (start + n) / 7,
        maker_id: ((start + n) % 100) + 1,
        made_at: new Date(1.7e12 + 1000 * (start + n)).toISOString(),
        facts: { n: start + n, text: 'Größe → "x"' },
      })),
    )
  await post('apps/shop/datatables/create_schema/?materialize=true', { resources: [hardTable] })
  await post('apps/shop/datatables/cases/data/', readJsonVerbatim(hardRecords))
  await client.request('PATCH', `/api/cloud/sites/${site}/`, { sign_up: 'invited', branding: looks })
  const fn = await post('apps/shop/functions/', { name: 'note', code: 'export default () => 1' })
  const { id } = fn as { id: number }
  await post('cloud/events/RECORD_CREATE/subscribe/', { function_id: id })
  await post('cloud/events/RECORD_UPDATE/subscribe/', { function_id: id, tables: ['makers', 'products'] })
  const hook = { name: 'hook', execution_mode: 'proxy', webhook_url: 'https://hooks.example.com/x' }
  await post('apps/shop/functions/', { ...hook, headers: { 'X-Key': 'secret' } })
  await post('secret-types/', { name: 'printer', sensitivity_level: 'sensitive' })
  await post('tags/', { name: 'hall', color: '#0EA5E9' })
  await post('secrets/', { secret_type: 'printer', key: 'PRINTER', value: { port: 631 }, tags: ['hall'] })
  await post('secrets/', { secret_type: 'api-key', key: 'PAY', value: { api_key: 'of shop' }, app: 'shop' })
  await post('secrets/', { secret_type: 'api-key', key: 'PAY', value: { api_key: 'of site' } })
  const cases = { name: 'Cases', app: 'shop', table: 'cases', measure: 'count', group_by: 'made_at' }
  await post('questions/', { ...cases, bucket: 'month' })
  await post('dashboards/', { name: 'Shop', questions: [cases] })
}

const looks = {
  name: 'Größe',
  color: '#0f766e',
  logo:
    'data:image/png;base64,' +
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
}

/** Creates a pair of keys in the working folder: `<name>.pub` and `<name>.key`. */
export function makeKeys({ write }: Person, name: string): void {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  write(`${name}.pub`, publicKey.export({ type: 'spki', format: 'pem' }))
  write(`${name}.key`, privateKey.export({ type: 'pkcs8', format: 'pem' }))
}

/**
 * Exports the site. Returns its settings and the digests of its files, without the file that differs in every
 * export.
 */
export async function exportSite(
  { ada, site }: Scenario,
  archive: string,
  ...options: readonly string[]
): Promise<Record<string, string>> {
  await ada.json('sites', 'export', archive, '--site', site, '--secrets-for', 'recovery.pub', ...options)
  const { files: all, site: made } = await manifestOf(join(ada.folder, archive))
  const { 'secrets.jsonl': secrets, 'function-secrets.jsonl': _, ...files } = all
  if (!secrets?.startsWith('3:')) throw new Error(`the archive has other secrets: ${secrets}`)
  return { ...files, settings: JSON.stringify(siteSettings.map((name) => [name, made[name]])) }
}

async function manifestOf(path: string): Promise<Manifest> {
  const files = await zipFiles(new Blob([readFileSync(path)]), path)
  return JSON.parse(await (await files.blob('site.json')).text())
}

/** Deletes the site permanently, and waits until its address returns 404. */
export async function eraseSite({ client, site }: Scenario): Promise<void> {
  await client.request('DELETE', `/api/cloud/sites/${site}/?now=true`)
  const isGone = async () => (await client.find(`/api/cloud/sites/${site}/`)) === undefined
  await until(isGone, () => `the site ${site} is erased`)
}

/** Returns the arguments of the command that imports the archive into the place of the site. */
export const importOf = ({ site }: Scenario, archive: string, key: string): string[] => [
  ...['sites', 'import', archive, '--organization', organization, '--slug', site],
  ...['--secrets-key', key, '--activate'],
]
