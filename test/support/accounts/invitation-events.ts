/** Events of sequences.ts: inviting and accepting. I1–I6. */
import { forgetSentLetters, invitationCode } from '../letters.ts'
import { accept, cancel, invite, openInvitationOf, resend } from './rules.ts'
import { readerOf } from './sign-ins.ts'
import type { Bearer, Invitation, Right } from './state.ts'
import { accountOf, nth, type Step, tokenOf, told } from './steps.ts'
import {
  type Actor,
  emailOf,
  type HeldToken,
  keepPassword,
  type Label,
  ownerOf,
  type SentInvitation,
  type SiteName,
  settle,
  type World,
} from './world.ts'

const organization = (world: World, org: SiteName) =>
  `/api/cloud/organizations/${world.cast.sites[org].slug}-org`

/** Sends the e-mail at once, and reads its code. */
async function readLetter(world: World, sent: SentInvitation): Promise<void> {
  await forgetSentLetters(world.cast.app)
  const code = await invitationCode(world.cast.app, {
    id: sent.id,
    invitee_identifier: emailOf(world, sent.model.address),
  })
  sent.codes.push(code)
  sent.model.code = code
}

export const inviteSomebody = (world: World, step: Step) => inviteBy(world, tokenOf(world, step), step)

interface Asked {
  org: SiteName
  address: Label
  rights: readonly Right[]
}

/** Invites somebody and reads the e-mail. Returns the invitation, or undefined if it was refused. */
export async function inviteBy(
  world: World,
  token: HeldToken,
  { org, address, rights }: Asked,
): Promise<SentInvitation | undefined> {
  const site = world.cast.sites[org].slug
  const answer = await world.cast.app.request('POST', `${organization(world, org)}/invitations/`, {
    token: token.access,
    body: {
      invitee_identifier: emailOf(world, address),
      invitation_config: { site: [{ slug: site, permissions: rights }] },
    },
  })
  let made: Invitation | undefined
  settle(
    world,
    `${told(world, token)} invites ${address} to ${org}`,
    answer,
    invite(world.state, token.bearer, { org, address, rights }),
    (body) => ({
      inviteeId: body.invitee,
      made: (invitation) => {
        made = invitation
      },
    }),
  )
  if (!made) return undefined
  world.usernames.set(answer.body.invitee, answer.body.invitee_user.username)
  const sent: SentInvitation = { id: answer.body.id, model: made, uuid: answer.body.uuid, codes: [] }
  world.invitations.push(sent)
  await readLetter(world, sent)
  return sent
}

export async function resendLetter(world: World, step: Step): Promise<void> {
  const target = accountOf(world, step)
  if (!target) return
  const token = tokenOf(world, step)
  const answer = await world.cast.app.request(
    'POST',
    `${organization(world, step.org)}/invitations/${target.id}/resend/`,
    { token: token.access },
  )
  settle(
    world,
    `${told(world, token)} has ${step.address}'s letter of ${step.org} sent again`,
    answer,
    resend(world.state, token.bearer, step.org, target.id),
    () => undefined,
  )
  const open = openInvitationOf(world.state, step.org, target.id)
  const sent = world.invitations.find(({ model }) => model === open)
  if (answer.status === 200 && sent) await readLetter(world, sent)
}

export async function cancelInvitation(world: World, step: Step): Promise<void> {
  const sent = nth(world.invitations, step.pick)
  if (!sent) return
  const token = tokenOf(world, step)
  const answer = await world.cast.app.request(
    'DELETE',
    `${organization(world, step.org)}/invitations/${sent.uuid}/`,
    { token: token.access },
  )
  const line = `${told(world, token)} cancels, in ${step.org}, the invitation of ${sent.model.address} to ${sent.model.org}`
  settle(world, line, answer, cancel(world.state, token.bearer, step.org, sent.model), () => undefined)
}

interface Shown {
  who: Actor
  how: string
  code?: string | undefined
  bearer?: Bearer
  access?: string
}

export async function acceptAs(
  world: World,
  sent: SentInvitation,
  { who, how, code, bearer, access }: Shown,
): Promise<void> {
  const password = `Accepted-horse-${world.serial}-${world.story.length}`
  const outcome = accept(world.state, sent.model, { code, bearer, password })
  const answer = await world.cast.app.request('POST', `/api/cloud/invitations/${sent.uuid}/accept/`, {
    body: { password, first_name: 'Ada', last_name: 'Byron', ...(code === undefined ? {} : { code }) },
    ...(access ? { token: access } : {}),
  })
  const line = `${who} accepts the invitation of ${sent.model.address} to ${sent.model.org} ${how}`
  const account = settle(world, line, answer, outcome, (body) => ({ userId: body.user.id }))
  if (account?.password?.text === password) await keepPassword(world, who, account.id, password)
}

/** Returns the invitation for a step, usually an open one, which is created if there is none. */
async function invitationOf(world: World, step: Step): Promise<SentInvitation | undefined> {
  const open = world.invitations.filter(({ model }) => model.state === 'open')
  return (
    nth(step.role === 'owner' ? world.invitations : open, step.pick) ??
    (await inviteBy(world, world.owners[step.org], step))
  )
}

export async function acceptWithUuid(world: World, step: Step): Promise<void> {
  const sent = await invitationOf(world, step)
  if (sent)
    await acceptAs(world, sent, {
      who: step.flag ? readerOf(sent.model.address) : (ownerOf[sent.model.org] as Actor),
      how: 'with the uuid',
    })
}

export async function acceptWithCode(world: World, step: Step): Promise<void> {
  const sent = await invitationOf(world, step)
  if (sent)
    await acceptAs(world, sent, {
      who: readerOf(sent.model.address),
      how: 'with the code',
      code: sent.codes.at(-1),
    })
}

export async function acceptWithOtherCode(world: World, step: Step): Promise<void> {
  const sent = await invitationOf(world, step)
  const other =
    sent &&
    (sent.codes.length > 1 ? sent.codes[0] : world.invitations.find((one) => one !== sent)?.codes.at(-1))
  if (sent)
    await acceptAs(world, sent, {
      who: readerOf(sent.model.address),
      how: 'with another code',
      code: other ?? 'x'.repeat(24),
    })
}

export async function acceptWithToken(world: World, step: Step): Promise<void> {
  const sent = await invitationOf(world, step)
  const token = tokenOf(world, step)
  if (sent)
    await acceptAs(world, sent, {
      who: token.holder,
      how: `as ${told(world, token)}`,
      bearer: token.bearer,
      access: token.access,
    })
}
