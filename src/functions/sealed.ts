/** What of a function is encrypted: what it signs its calls with, and the values of their headers. E2, E6. */
import { z } from 'zod'
import type { Config } from '../env.ts'
import { randomText } from '../lib/random-text.ts'
import { decrypt, encrypt, type Place, type SiteKeys } from '../secrets/encryption/service.ts'

const content = z.object({ signing_secret: z.string(), headers: z.record(z.string(), z.string()) })
export type Sealed = z.infer<typeof content>

export interface SealedRow {
  uuid: string
  version: number
  sealed: string
}

export const placeOf = ({ uuid, version }: Pick<SealedRow, 'uuid' | 'version'>): Place => ({ kind: 'function', id: uuid, version })

export const seal = (config: Config, keys: SiteKeys, row: Pick<SealedRow, 'uuid' | 'version'>, sealed: Sealed): Promise<string> =>
  encrypt(config, keys, placeOf(row), JSON.stringify(sealed))

export const open = async (config: Config, keys: SiteKeys, row: SealedRow): Promise<Sealed> =>
  content.parse(JSON.parse(await decrypt(config, keys, placeOf(row), row.sealed)))

const secretBytes = 32

/** As Standard Webhooks writes it. */
export const newSigningSecret = (): string => `whsec_${randomText(secretBytes)}`

/** What stands for the value of a header wherever it is shown; sent, it keeps the value that is there. */
export const mask = '***HIDDEN***'
