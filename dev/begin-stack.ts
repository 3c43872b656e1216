/** The first steps of a stack on a data folder, before its database starts. */
import { type Command, holdFolder } from './data-folder.ts'
import { keepChildren } from './keeper.ts'
import { keep } from './lifecycle.ts'
import { bundleWorker } from './worker.ts'

/**
 * Reserves a data folder for the stack of this process until the stack is stopped. Everything that the stack
 * starts ends with it. `address`: the address of its Worker; null if it runs none. Returns the code of the
 * Worker, which is bundled while Postgres starts. Throws if another stack uses the folder.
 */
export function beginStack(
  dataFolder: string,
  command: Command,
  address: string | null,
): { code: Promise<string> } {
  const hold = holdFolder(dataFolder, command, address)
  keep({ stop: async () => hold.release() })
  keepChildren(hold.note)
  const code = bundleWorker()
  // The error reaches the caller that awaits the promise.
  code.catch(() => undefined)
  return { code }
}
