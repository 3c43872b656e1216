/** Builds the console once, before several files need it at the same time. */
import { buildConsole } from '../../dev/build-console.ts'

export default async function build(): Promise<void> {
  await buildConsole()
}
