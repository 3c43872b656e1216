/** Performs each operation of the API on a service with the demo. */
import { demoPassword } from '../../src/kernel/access/demo-password.ts'
import type { OpenApiDocument } from '../../src/kernel/http/openapi/types.ts'
import { demo } from '../demo/data.ts'
import { askAccounts } from './account-requests.ts'
import { askRecords, askTables } from './data-requests.ts'
import { askOperation } from './operation-requests.ts'
import { startProvider } from './provider.ts'
import { type Recorded, recorder } from './recorder.ts'
import {
  askAccess,
  askFunctions,
  askOrganizations,
  askQuestions,
  askSecrets,
  askSocialLogin,
} from './requests.ts'
import { askScim } from './scim-requests.ts'
import { askTransfers } from './transfer-requests.ts'

export interface Performed {
  recorded: Recorded
  /** The discovery document of the provider of the sign-ins. */
  discovery: string
}

/**
 * Performs every operation on the service at `address`, without a slash at its end. Its e-mails must go to
 * its local mailbox. Throws at the first operation that fails.
 */
export async function performOperations(address: string): Promise<Performed> {
  const provider = await startProvider()
  try {
    const document = (await (await fetch(`${address}/api/schema/`)).json()) as OpenApiDocument
    const record = recorder(document, address, {
      organization: 'harbour-street',
      site: demo.site,
      app: demo.app,
      table: 'tools',
    })
    const token = await askAccess(record, address, { email: 'admin@example.com', password: demoPassword })
    await askOrganizations(record, token)
    await askScim(record, token)
    await askSecrets(record, token)
    await askQuestions(record, token)
    await askTables(record, token)
    await askRecords(record, token)
    await askFunctions(record, token)
    await askOperation(record, token)
    await askTransfers(record, token)
    const mailed = (pattern: RegExp, to = '') => inMailbox(`${address}/_dev/mailbox/${to}`, pattern)
    await askSocialLogin(record, token, provider, () => mailed(/\b(\d{8})\b/))
    // Passkeys do not work on IP addresses.
    const at = address.replace('127.0.0.1', 'localhost')
    await askAccounts(record, { token, at, provider }, (path, to) =>
      mailed(new RegExp(`${path}/(?:confirm/)?\\?token=([\\w-]{32})`), `?to=${to}`),
    )
    return { recorded: record.recorded, discovery: provider.discovery }
  } finally {
    await provider.stop()
  }
}

/**
 * Waits until the mailbox contains a match for the pattern, and returns it. E-mails are sent after the
 * response.
 */
async function inMailbox(mailbox: string, pattern: RegExp): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const page = await (await fetch(mailbox)).text()
    const [, found] = pattern.exec(page.replace(/<[^>]*>/g, ' ')) ?? []
    if (found) return found
    await new Promise((again) => setTimeout(again, 100))
  }
  throw new Error('no e-mail with a code or a link has arrived')
}
