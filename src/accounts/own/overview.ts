/** The data of the account page. */
import type { RequestContext } from '../../context.ts'
import { requireCaller } from '../../db/entering.ts'
import { onPlatform } from '../../db/platform.ts'
import type { OwnProvider } from '../providers/schema.ts'
import { selectProviders } from '../providers/store.ts'
import type { SignIn } from '../sign-ins/schema.ts'
import { selectSignIns } from '../sign-ins/store.ts'
import type { TrustedDevice } from '../trusted-devices/schema.ts'
import { selectTrustedDevices } from '../trusted-devices/store.ts'
import type { OwnAccount } from './schema.ts'
import { asOwn } from './service.ts'
import { selectOwn } from './store.ts'

/** An account with its latest sign-ins, its providers and its trusted devices. */
export interface OwnOverview {
  account: OwnAccount
  signIns: readonly SignIn[]
  /** Whether there are more sign-ins than these. */
  hasMore: boolean
  providers: readonly OwnProvider[]
  trustedDevices: readonly TrustedDevice[]
}

/** The most sign-ins and the most providers that the page lists. */
const listedMax = 50

/** Reads the caller's account with its sign-ins, providers and trusted devices. */
export async function readOverview(ctx: RequestContext): Promise<OwnOverview> {
  const caller = requireCaller(ctx)
  const { own, signIns, providers, trusted } = await onPlatform(ctx, {
    own: selectOwn(caller),
    signIns: selectSignIns(caller, { limit: listedMax + 1 }).page,
    providers: selectProviders(caller, { limit: listedMax }).page,
    trusted: selectTrustedDevices(caller, { limit: listedMax }).page,
  })
  return {
    account: asOwn(own.one),
    signIns: signIns.all.slice(0, listedMax),
    hasMore: signIns.all.length > listedMax,
    providers: providers.all,
    trustedDevices: trusted.all,
  }
}
