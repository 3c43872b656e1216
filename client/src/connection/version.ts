/**
 * Compares the version of the service with that of the client. A client works with a service of its own
 * version, and with newer ones of the same major version, which before 1.0.0 is the minor one. docs/guide/client.md#versions.
 */
import { version } from '../version.ts'

const header = 'x-tessera-version'

/** Returns a function that gets each response, and warns once if the client does not fit the service. */
export function watchVersion(warn: (text: string) => void = console.warn): (answer: Response) => void {
  let isKnown = false
  return ({ headers }) => {
    const service = isKnown ? null : headers.get(header)
    if (service === null) return
    isKnown = true
    if (!fits(version, service))
      warn(
        `tessera-client ${version} may not fit this service, which has the version ${service}. ` +
          `Install tessera-client@${service}.`,
      )
  }
}

/**
 * Tells whether the service understands everything that a client of a version sends. Before 1.0.0, the second
 * number says that something incompatible has changed.
 */
function fits(client: string, service: string): boolean {
  const [[major, minor], [otherMajor, otherMinor]] = [client, service].map(partsOf) as [Parts, Parts]
  return major === otherMajor && (major === 0 ? minor === otherMinor : minor <= otherMinor)
}

type Parts = [major: number, minor: number]

const partsOf = (version: string): Parts => version.split('.', 2).map(Number) as Parts
