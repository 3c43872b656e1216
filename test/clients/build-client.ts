/** Builds the package tessera-client before the tests, which import it from client/dist. */
import { buildClient, sizeMax } from '../../dev/build-client.ts'

/** Builds the client. Throws if it is larger than the limit. */
export default async function build(): Promise<void> {
  const { index = 0 } = await buildClient()
  if (index > sizeMax) throw new Error(`The client has ${index} bytes compressed, and may have ${sizeMax}.`)
}
