/**
 * Copies, exports and imports sites through the service: this machine starts the transfer, waits for it, and
 * moves the archive.
 */
import { createWriteStream, openAsBlob, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from '../../../../client/src/index.ts'
import type { Transfer } from '../../../../src/operation/transfers/schema.ts'
import { Problem } from '../../problem.ts'
import type { Output } from '../../terminal/output.ts'

/** The target of a transfer. */
interface Working {
  client: Client
  output: Output
}

/** The size of a part of an archive in bytes. */
const partBytes = 4 * 1024 * 1024
const pollMs = 500

const sitePath = (site: string): string => `/api/cloud/sites/${encodeURIComponent(site)}/`
const transferPath = ({ id }: Transfer): string => `/api/cloud/transfers/${id}/`

/** Copies a site. Returns the finished transfer. */
export async function copyByService(
  working: Working,
  site: string,
  body: { slug: string; name?: string; rows: boolean; secrets: boolean; activate: boolean },
): Promise<Transfer> {
  const path = `${sitePath(site)}copy/`
  return untilDone(working, await working.client.request<Transfer>({ method: 'POST', path, body }))
}

/** Exports a site into a file, which exists only if it is complete. Returns the transfer. */
export async function exportByService(
  working: Working,
  {
    site,
    path,
    rows,
    publicKey,
  }: { site: string; path: string; rows: boolean; publicKey: string | undefined },
): Promise<Transfer> {
  const { client } = working
  const body = { rows, ...(publicKey === undefined ? {} : { public_key: publicKey }) }
  const begun = await client.request<Transfer>({ method: 'POST', path: `${sitePath(site)}exports/`, body })
  const done = await untilDone(working, begun)
  const answer = await client.send({ path: `${transferPath(done)}archive/` })
  const beside = `${path}.part`
  try {
    await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(beside))
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
  return done
}

/** Imports an archive. Returns the finished transfer. */
export async function importByService(
  working: Working,
  organization: string,
  archive: string,
  body: { slug: string; name?: string; private_key?: string; activate: boolean },
): Promise<Transfer> {
  const { client, output } = working
  const file = await openAsBlob(archive)
  const path = `/api/cloud/organizations/${encodeURIComponent(organization)}/imports/`
  const begun = await client.request<Transfer>({ method: 'POST', path, body })
  const count = Math.ceil(file.size / partBytes)
  for (let part = 0; part < count; part++) {
    const bytes = await file.slice(part * partBytes, (part + 1) * partBytes).arrayBuffer()
    const content = Buffer.from(bytes).toString('base64')
    await client.request({ method: 'PUT', path: `${transferPath(begun)}parts/${part}/`, body: { content } })
    output.note(`Sent part ${part + 1} of ${count}.`)
  }
  return untilDone(
    working,
    await client.request<Transfer>({ method: 'POST', path: `${transferPath(begun)}start/` }),
  )
}

/** Waits until a transfer has ended. Throws a Problem if it has failed or was cancelled. */
async function untilDone({ client, output }: Working, begun: Transfer): Promise<Transfer> {
  let told = ''
  for (let transfer = begun; ; transfer = await client.request<Transfer>({ path: transferPath(begun) })) {
    const { state, error, progress } = transfer
    if (state === 'done') return transfer
    if (state !== 'running') throw new Problem(error ?? `The ${begun.kind} was ${state}.`)
    const line = `${progress.done} of ${progress.total ?? '?'} steps, ${progress.records} records.`
    if (line !== told) output.note(line)
    told = line
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
