/** The requests of transfers: copies, exports and imports of sites. docs/operate/tenants.md. */
import { queryOptions } from '@tanstack/react-query'
import { service } from '../../session/client.ts'
import { dataUrlOf } from '../../shared/data-url.ts'

export interface Transfer {
  id: string
  kind: 'copy' | 'export' | 'import'
  state: 'uploading' | 'running' | 'done' | 'failed' | 'cancelled'
  /** The slug of the new or exported site. */
  site: string
  progress: { done: number; total: number | null; records: number; edges: number; secrets: number }
  notes: string[]
  error: string | null
}

const partBytes = 4 * 1024 * 1024
const pollMs = 1000

const pathOf = (id: string) => `/api/cloud/transfers/${encodeURIComponent(id)}/`
const sitePath = (site: string) => `/api/cloud/sites/${encodeURIComponent(site)}/`

/** Returns whether a transfer is still running. */
export const goesOn = (transfer: Transfer | undefined): boolean =>
  transfer?.state === 'running' || transfer?.state === 'uploading'

/** A transfer, loaded again while it runs. */
export const transferQuery = (id: string) =>
  queryOptions({
    queryKey: ['transfers', id],
    queryFn: ({ signal }) => service.request<Transfer>({ path: pathOf(id), signal }),
    refetchInterval: ({ state }) => (goesOn(state.data) ? pollMs : false),
  })

/** Starts a copy of a site. */
export const beginCopy = (
  site: string,
  body: { slug: string; rows: boolean; secrets: boolean },
): Promise<Transfer> => service.request({ method: 'POST', path: `${sitePath(site)}copy/`, body })

/** Starts an export of a site. Without a public key, it has no secrets. */
export const beginExport = (site: string, rows: boolean, publicKey: string): Promise<Transfer> =>
  service.request({
    method: 'POST',
    path: `${sitePath(site)}exports/`,
    body: { rows, ...(publicKey ? { public_key: publicKey } : {}) },
  })

/** Sends an archive in parts, and starts to create a site from it. `told` gets the sent share. */
export async function beginImport(
  organization: string,
  archive: Blob,
  { slug, privateKey }: { slug: string; privateKey: string },
  told: (share: number) => void,
): Promise<Transfer> {
  const begun = await service.request<Transfer>({
    method: 'POST',
    path: `/api/cloud/organizations/${encodeURIComponent(organization)}/imports/`,
    body: { slug, ...(privateKey ? { private_key: privateKey } : {}) },
  })
  const count = Math.ceil(archive.size / partBytes)
  for (let part = 0; part < count; part++) {
    const url = await dataUrlOf(archive.slice(part * partBytes, (part + 1) * partBytes))
    const content = url.slice(url.indexOf(',') + 1)
    await service.request({ method: 'PUT', path: `${pathOf(begun.id)}parts/${part}/`, body: { content } })
    told((part + 1) / count)
  }
  return service.request({ method: 'POST', path: `${pathOf(begun.id)}start/` })
}

export const cancelTransfer = (id: string): Promise<Transfer> =>
  service.request({ method: 'DELETE', path: pathOf(id) })

/** Reads the archive of a finished export. */
export const readArchive = async (id: string): Promise<Blob> =>
  (await service.send({ path: `${pathOf(id)}archive/` })).blob()
