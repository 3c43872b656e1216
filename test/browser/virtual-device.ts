/** An authenticator that Chromium imitates: it makes passkeys, and signs with them. */
import type { CDPSession, Page } from 'playwright-core'

/** The authenticator of a page. */
interface VirtualDevice {
  session: CDPSession
  authenticatorId: string
}

/** Gives a page an authenticator whose user is present and verified. */
export async function addDevice(page: Page): Promise<VirtualDevice> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options })
  return { session, authenticatorId }
}
