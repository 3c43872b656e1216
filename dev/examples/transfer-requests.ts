/** The requests that copy, export and import sites. */
import type { Recorder } from './recorder.ts'

/** Copies a site, exports it, and begins two imports. */
export async function askTransfers({ ask }: Recorder, token: string): Promise<void> {
  const copy = await ask('copySite', { token, body: { slug: 'demo-preview', name: 'Preview', rows: false } })
  await ask('getTransfer', { token, values: { transfer: copy.id } })
  const { id: transfer } = await ask('exportSite', { token, body: {} })
  while ((await ask('getTransfer', { token, values: { transfer } })).state === 'running')
    await new Promise((again) => setTimeout(again, 100))
  await ask('downloadTransferArchive', { token, values: { transfer } })
  const begun = await ask('importSite', { token, body: { slug: 'demo-restored', name: 'Restored' } })
  const values = { transfer: begun.id, part: 0 }
  // An empty zip file: the job detects that it is no archive of a site.
  await ask('uploadTransferPart', { token, values, body: { content: 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==' } })
  await ask('startTransfer', { token, values })
  const other = await ask('importSite', { token, body: { slug: 'demo-again' } })
  await ask('cancelTransfer', { token, values: { transfer: other.id } })
}
