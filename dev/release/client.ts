/**
 * The parts of a release for its tests: its superuser, its demo, and a request for each of its operations.
 */
import { demoPassword } from '../../src/kernel/access/demo-password.ts'
import { signIn } from '../client.ts'
import { seedDemo } from '../demo/seed.ts'
import { performOperations } from '../examples/perform.ts'
import { ensureSuperuser } from '../superuser.ts'

const email = 'admin@example.com'

/** Creates the superuser of the demo in a database that this release has migrated. */
export const makeAdmin = (ownerUrl: string): Promise<void> => ensureSuperuser(ownerUrl, email, demoPassword)

/** Creates the demo on a running service of this release. */
export const makeDemo = async (address: string): Promise<void> =>
  seedDemo(await signIn(address, email, demoPassword))

/** Performs every operation of this release on a service with the demo. Returns their ids. */
export const performAll = async (address: string): Promise<string[]> =>
  Object.keys((await performOperations(address)).recorded)
