import { browserStore, createClient } from 'tessera-client'
import { type Booking, bookingSchemas } from '../tessera/types'

/** `tessera dev` sets the address; for a build, set VITE_TESSERA_URL. */
const url = import.meta.env.VITE_TESSERA_URL ?? location.origin

export const service = createClient<Booking>({
  url,
  schemas: bookingSchemas,
  auth: { store: browserStore() },
})
export const booking = service.app('booking')
