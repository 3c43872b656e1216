/** `npm run dev`: reloads when a source or a page of the documentation has changed. */
import { join } from 'node:path'
import { watchFolders } from './watch.ts'

const root = join(import.meta.dirname, '..')
const folders = ['src', 'migrations', 'docs', 'console', 'client'].map((name) => join(root, name))

/** Wait before a reload, because an editor or git may write many files together. */
const settleMs = 50

/**
 * Calls `reload`, one at a time, after each change. It returns whether something has changed; if it throws,
 * the previous code stays live. Returns a function that stops this.
 */
export function reloadOnChange(reload: () => Promise<boolean>): { stop(): Promise<void> } {
  let settling: NodeJS.Timeout | undefined
  let isReloading = false
  let hasChanged = false

  async function reloadNow(): Promise<void> {
    hasChanged = true
    if (isReloading) return
    isReloading = true
    while (hasChanged) {
      hasChanged = false
      const began = performance.now()
      try {
        if (await reload()) console.log(`Reloaded in ${Math.round(performance.now() - began)} ms.`)
      } catch (error) {
        // esbuild has already printed its error with the place.
        const { message, errors } = error as Error & { errors?: unknown }
        console.error(`${errors ? '' : `${message}\n`}Not reloaded: what ran before goes on.`)
      }
    }
    isReloading = false
  }

  const watching = watchFolders(
    folders,
    () => {
      clearTimeout(settling)
      settling = setTimeout(reloadNow, settleMs)
    },
    (error) => console.error(`Some changes will not be noticed: ${error.message}`),
  )
  return {
    async stop() {
      clearTimeout(settling)
      watching.stop()
    },
  }
}
