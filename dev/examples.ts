/**
 * `npm run examples`: performs each operation of the API on the demo, and writes what was sent and answered
 * to src/reference/examples.json, which the OpenAPI documents carry.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenApiDocument } from '../src/http/openapi/types.ts'
import { demo } from './demo/data.ts'
import { askRecords, askTables } from './examples/data-requests.ts'
import { normalise } from './examples/normalise.ts'
import { startProvider } from './examples/provider.ts'
import { recorder } from './examples/recorder.ts'
import {
  askAccess,
  askAccounts,
  askFunctions,
  askOrganizations,
  askSecrets,
  askSocialLogin,
} from './examples/requests.ts'
import { askScim } from './examples/scim-requests.ts'
import { startStack } from './examples/stack.ts'

const file = join(import.meta.dirname, '..', 'src', 'reference', 'examples.json')
const started = Date.now()
const stack = await startStack()
const provider = await startProvider()
try {
  const document = (await (await fetch(`${stack.address}/api/schema/`)).json()) as OpenApiDocument
  const record = recorder(document, stack.address, {
    organization: 'harbour-street',
    site: demo.site,
    app: demo.app,
    table: 'tools',
  })
  const token = await askAccess(record, { email: 'admin@example.com', password: 'Admin-demo-1' })
  await askOrganizations(record, token)
  await askScim(record, token)
  await askSecrets(record, token)
  await askTables(record, token)
  await askRecords(record, token)
  await askFunctions(record, token)
  const mailed = (pattern: RegExp, to = '') => inMailbox(`${stack.address}/_dev/mailbox/${to}`, pattern)
  await askSocialLogin(record, token, provider, () => mailed(/\b(\d{8})\b/))
  // An address of digits is no host of passkeys.
  const at = stack.address.replace('127.0.0.1', 'localhost')
  await askAccounts(record, { token, at, provider }, (path, to) =>
    mailed(new RegExp(`${path}/confirm/\\?token=([\\w-]{32})`), `?to=${to}`),
  )
  const text = `${JSON.stringify(normalise(record.recorded, provider.discovery, started), null, 1)}\n`
  const changed = readOrEmpty(file) !== text
  writeFileSync(file, text)
  console.log(
    `${Object.keys(record.recorded).length} operations, ${text.length} bytes: ${changed ? 'written to' : 'the same as before in'} ${file}`,
  )
} finally {
  await provider.stop()
  await stack.stop()
}

/** Returns what the pattern finds in the mailbox, and waits for it: letters are sent behind the answer. */
async function inMailbox(mailbox: string, pattern: RegExp): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const page = await (await fetch(mailbox)).text()
    const [, found] = pattern.exec(page.replace(/<[^>]*>/g, ' ')) ?? []
    if (found) return found
    await new Promise((again) => setTimeout(again, 100))
  }
  throw new Error('no letter with a code or a link has come')
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
