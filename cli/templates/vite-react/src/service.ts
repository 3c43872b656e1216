import { browserStore, createClient } from 'tessera-client'
import { type Apps, schemas } from '../tessera/types'

/** `tessera dev` sets the address; for a build, set VITE_TESSERA_URL. */
const url = import.meta.env.VITE_TESSERA_URL ?? location.origin

export const service = createClient<Apps>({ url, schemas, auth: { store: browserStore() } })
export const booking = service.app('booking')
