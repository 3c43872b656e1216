/** The events that sequences are of: what each does, and how often it comes. */
import fc from 'fast-check'
import * as credentials from './credential-events.ts'
import * as invitations from './invitation-events.ts'
import * as management from './management-events.ts'
import { type Step, someBeginnings, someStep } from './steps.ts'
import type { Beginning, World } from './world.ts'

interface Event {
  weight: number
  run(world: World, step: Step): Promise<unknown>
}

/** What hashes a password takes a tenth of a second and more: there is less of it. */
const events: Readonly<Record<string, Event>> = {
  invite: { weight: 8, run: invitations.inviteSomebody },
  resend: { weight: 1, run: invitations.resendLetter },
  cancel: { weight: 1, run: invitations.cancelInvitation },
  'accept with the uuid': { weight: 3, run: invitations.acceptWithUuid },
  'accept with the code': { weight: 4, run: invitations.acceptWithCode },
  'accept with another code': { weight: 1, run: invitations.acceptWithOtherCode },
  'accept with a token': { weight: 3, run: invitations.acceptWithToken },
  'sign in by a provider': { weight: 7, run: credentials.signInHonestly },
  'sign in by a lie': { weight: 7, run: credentials.signInByLie },
  'sign in without a verified address': { weight: 3, run: credentials.signInUnverified },
  'sign in as a known subject': { weight: 2, run: credentials.signInAsKnown },
  confirm: { weight: 6, run: credentials.confirmSignIn },
  'sign in with a password': { weight: 3, run: credentials.signInWithPassword },
  refresh: { weight: 2, run: credentials.refreshTokens },
  'reuse a refresh token': { weight: 1, run: credentials.reuseRefresh },
  blacklist: { weight: 1, run: credentials.blacklist },
  'end a session': { weight: 1, run: credentials.endSession },
  'make a key': { weight: 5, run: credentials.makeApiKey },
  'delete a key': { weight: 1, run: credentials.deleteApiKey },
  leave: { weight: 3, run: management.leave },
  remove: { weight: 2, run: management.removeSomebody },
  'change a role': { weight: 4, run: management.changeSomebodysRole },
  grant: { weight: 7, run: management.grantRights },
  decline: { weight: 2, run: management.declineRights },
  'change an e-mail': { weight: 7, run: management.changeEmail },
  'set a password': { weight: 2, run: management.resetPassword },
  'switch on or off': { weight: 3, run: management.switchActivity },
  delete: { weight: 2, run: management.deleteSomebody },
  'make an account': { weight: 3, run: management.createSomebody },
  'make an organization': { weight: 2, run: management.makeOwnOrganization },
}

export interface Sequence {
  beginnings: Beginning[]
  steps: Step[]
  /** How everybody gets their account back in the end. */
  recovery: 'letter' | 'provider'
}

const weights = Object.fromEntries(Object.entries(events).map(([name, { weight }]) => [name, weight]))

export const someSequence: fc.Arbitrary<Sequence> = fc.record(
  {
    beginnings: someBeginnings,
    steps: fc.array(someStep(weights), { minLength: 6, maxLength: 16, size: 'max' }),
    recovery: fc.oneof({ weight: 1, arbitrary: fc.constant('letter' as const) }, { weight: 4, arbitrary: fc.constant('provider' as const) }),
  },
  { noNullPrototype: true },
)

export async function play(world: World, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await events[step.event]?.run(world, step)
}
