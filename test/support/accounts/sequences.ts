/** The events of a sequence, with their functions and frequencies. */
import fc from 'fast-check'
import * as credentials from './credential-events.ts'
import * as invitations from './invitation-events.ts'
import * as management from './management-events.ts'
import { type Step, someBeginnings, someStep } from './steps.ts'
import { type Beginning, type Cast, createWorld, type Label, type World } from './world.ts'

interface Event {
  weight: number
  run(world: World, step: Step): Promise<unknown>
}

/** Events that hash a password take a tenth of a second or more, so they are less frequent. */
const events: Readonly<Record<string, Event>> = {
  invite: { weight: 7, run: invitations.inviteSomebody },
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
  confirm: { weight: 4, run: credentials.confirmSignIn },
  'sign in with a password': { weight: 3, run: credentials.signInWithPassword },
  "sign in at a tenant's host": { weight: 4, run: credentials.signInAtHost },
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
  'use a site': { weight: 3, run: management.visitSite },
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
  /** The addresses whose accounts are recovered with an e-mail in the end. The others use a provider. */
  byLetters: Label[]
}

const weights = Object.fromEntries(Object.entries(events).map(([name, { weight }]) => [name, weight]))

export const someSequence: fc.Arbitrary<Sequence> = fc.record(
  {
    beginnings: someBeginnings,
    steps: fc.array(someStep(weights), { minLength: 6, maxLength: 16, size: 'max' }),
    byLetters: fc.oneof(
      { weight: 4, arbitrary: fc.constant<Label[]>([]) },
      fc.constant<Label[]>(['ada']),
      fc.constant<Label[]>(['eve']),
    ),
  },
  { noNullPrototype: true },
)

/** Creates the world in which a sequence begins. */
export async function open(cast: Cast, beginnings: readonly Beginning[]): Promise<World> {
  const world = await createWorld(cast, beginnings)
  for (const { label, as, org, role, rights, invitedTo } of beginnings) {
    const isMember = invitedTo === org && (as === 'employee' || (as === 'proven' && role !== 'none'))
    if (invitedTo !== 'none' && !isMember)
      await invitations.inviteBy(world, world.owners[invitedTo], { org: invitedTo, address: label, rights })
  }
  return world
}

/**
 * Plays the steps. Returns the number of successful steps; the others were refused, or had nothing to act on.
 */
export async function play(world: World, steps: readonly Step[]): Promise<number> {
  let done = 0
  for (const step of steps) {
    const before = world.story.length
    await events[step.event]?.run(world, step)
    done += Number(/: 20\d$/.test(world.story[before] ?? ''))
  }
  return done
}
