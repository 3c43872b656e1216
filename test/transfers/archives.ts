/** Archives with the API: downloads an export, and sends an import in parts. */
import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'vitest'
import type { Site } from '../support/app.ts'
import type { TransferService } from './service.ts'

/** Creates a pair of keys for the secrets of archives, as PEM. */
export const newKeyPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

/** Calls the API of the platform as the owner of a site. */
const askAs = ({ app }: TransferService, by: Site, method: string, path: string, body?: object) =>
  app.request(method, `/api/cloud/${path}/`, { token: by.owner.token, ...(body ? { body } : {}) })

/** Exports a site. Returns the archive. */
export async function exportSite(
  service: TransferService,
  site: Site,
  body: object,
): Promise<{ id: string; bytes: Uint8Array }> {
  const { id } = (await askAs(service, site, 'POST', `sites/${site.slug}/exports`, body)).body
  await service.drain()
  const { token } = site.owner
  const response = await service.app.open('GET', `/api/cloud/transfers/${id}/archive/`, { token })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  return { id, bytes: new Uint8Array(await response.arrayBuffer()) }
}

/** Sends an archive in parts of `size` bytes, not in order, and imports it as a new site. */
export async function importSite(
  service: TransferService,
  by: Site,
  slug: string,
  bytes: Uint8Array,
  { size = 20_000, key, activate }: { size?: number; key: string | undefined; activate?: boolean },
) {
  const begun = await askAs(service, by, 'POST', `organizations/${by.slug}-org/imports`, {
    slug,
    private_key: key,
    activate,
  })
  const { id } = begun.body
  const count = Math.ceil(bytes.length / size)
  for (let part = count - 1; part >= 0; part--) {
    const content = Buffer.from(bytes.subarray(part * size, (part + 1) * size)).toString('base64')
    await askAs(service, by, 'PUT', `transfers/${id}/parts/${part}`, { content })
  }
  const started = await askAs(service, by, 'POST', `transfers/${id}/start`)
  await service.drain()
  return { id, started, ended: (await askAs(service, by, 'GET', `transfers/${id}`)).body }
}
