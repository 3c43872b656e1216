/** The running service that several files share, with the demo in it. */
import { inject } from 'vitest'

/**
 * Returns the address of the shared service, without a slash at its end; the first call starts it. Files run at the
 * same time: each makes apps of its own and leaves the demo as it is. Secret types and invocations are the site's:
 * at most one of the files may make any.
 * Throws with what the stack printed, if it does not start.
 */
export async function sharedStack(): Promise<{ address: string }> {
  const answer = await fetch(inject('sharedStack'))
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return { address: text }
}
