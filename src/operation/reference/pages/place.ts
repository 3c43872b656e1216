/** The place of a reference page: its addresses, and its reader. */
import type { Reader } from '../reader.ts'

/** The data that all pages of one reference share. */
export interface ReferencePlace {
  /** The path prefix of the site: '' or `/sites/<slug>`. */
  mount: string
  /** The slug of the reference's app. Undefined: the reference of the whole API. */
  app: string | undefined
  /** The title of the document. */
  title: string
  /** The signed-in reader. Undefined: nobody is signed in. */
  reader: Reader | undefined
}

/** Returns the address of a reference: of the whole API, or of an app. */
export const referenceAddress = (mount: string, app?: string): string =>
  `${mount}/api/docs/${app === undefined ? '' : `apps/${app}/`}`

export const operationAddress = ({ mount, app }: ReferencePlace, operationId: string): string =>
  `${referenceAddress(mount, app)}${operationId}/`

/** Returns the address of the OpenAPI document that the pages show. */
export const documentAddress = ({ mount, app }: ReferencePlace): string =>
  `${mount}/api/${app === undefined ? '' : `apps/${app}/`}schema/`

/** Returns the address of the sign-in page that leads back to `address`. */
export const signInAddress = (mount: string, address: string): string =>
  `${mount}/accounts/login/?next=${encodeURIComponent(address)}`
