/** Plays the person who confirms the sign-in of the command line. */
import { createHash, randomBytes } from 'node:crypto'

/**
 * Confirms the sign-in on the page of the service, in the session of a cookie. Returns the data that the
 * command line then sends.
 */
export async function agreeOnPage(
  address: string,
  cookie: string,
): Promise<{ code: string; verifier: string }> {
  const [verifier, state] = [randomBytes(32), randomBytes(32)].map((bytes) =>
    bytes.toString('base64url'),
  ) as [string, string]
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const response = await fetch(`${address}/accounts/cli/`, {
    method: 'POST',
    headers: { cookie, origin: address },
    body: new URLSearchParams({ port: '43210', challenge, state, name: 'laptop', answer: 'yes' }),
    redirect: 'manual',
  })
  const code = new URL(response.headers.get('location') ?? '', address).searchParams.get('code')
  if (!code) throw new Error(`the page of the command line answered ${response.status} without a code`)
  return { code, verifier }
}
