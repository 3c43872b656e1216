/** The data of the account page. */
import type { RequestContext } from '../../../kernel/context.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { onPlatform } from '../../../kernel/db/platform.ts'
import { type OfferedSite, selectOfferedSites } from '../../users/service.ts'
import { type JoinableSite, selectJoinable } from '../join/store.ts'
import type { OwnProvider } from '../providers/schema.ts'
import { selectProviders } from '../providers/store.ts'
import type { SignIn } from '../sign-ins/schema.ts'
import { selectSignIns } from '../sign-ins/store.ts'
import type { TrustedDevice } from '../trusted-devices/schema.ts'
import { selectTrustedDevices } from '../trusted-devices/store.ts'
import type { OwnAccount } from './schema.ts'
import { asOwn } from './service.ts'
import { selectOwn } from './store.ts'

/**
 * An account with its latest sign-ins, its providers, its trusted devices, what was offered to it, and what
 * it may join.
 */
export interface OwnOverview {
  account: OwnAccount
  signIns: readonly SignIn[]
  /** Whether there are more sign-ins than these. */
  hasMore: boolean
  providers: readonly OwnProvider[]
  trustedDevices: readonly TrustedDevice[]
  /** The sites whose permissions the person can accept. */
  offered: readonly OfferedSite[]
  /** The site of the request, if the person may join it. */
  joinable: JoinableSite | undefined
}

/** The most rows of a part of the page. */
const listedMax = 50

/** Reads the caller's account with all of these. */
export async function readOverview(ctx: RequestContext): Promise<OwnOverview> {
  const caller = requireCaller(ctx)
  const { own, signIns, providers, trusted, offered, joinable } = await onPlatform(ctx, {
    own: selectOwn(caller),
    signIns: selectSignIns(caller, { limit: listedMax + 1 }).page,
    providers: selectProviders(caller, { limit: listedMax }).page,
    trusted: selectTrustedDevices(caller, { limit: listedMax }).page,
    offered: selectOfferedSites(ctx, listedMax),
    joinable: selectJoinable(ctx.tenant, caller),
  })
  return {
    account: asOwn(own.one),
    signIns: signIns.all.slice(0, listedMax),
    hasMore: signIns.all.length > listedMax,
    providers: providers.all,
    trustedDevices: trusted.all,
    offered: offered.all,
    joinable: joinable.first,
  }
}
