/** A device with a lock, which Chromium imitates: it makes passkeys, and signs with them. */
import type { CDPSession, Page } from 'playwright-core'

/** A device of a page. */
interface VirtualDevice {
  session: CDPSession
  authenticatorId: string
}

/** Gives a page a device whose person is there, and is known. */
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
