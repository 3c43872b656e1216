/** The running service with the demo that several files share. */
import { inject } from 'vitest'

/**
 * Returns the address of the shared service, without a slash at its end. The first call starts it. Files run
 * at the same time: each creates its own apps and does not change the demo. Secret types and invocations
 * belong to the site, so at most one of the files may create them. Throws with the output of the stack if it
 * does not start.
 */
export async function sharedStack(): Promise<{ address: string }> {
  const answer = await fetch(inject('sharedStack'))
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return { address: text }
}
