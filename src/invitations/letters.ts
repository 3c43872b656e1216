/**
 * The letters of invitations, sent from the queue. An invitation that wants its letter says so in its row: what never got
 * into the queue is found there again. A message has ids and nothing else; the code in a link is made when it is sent.
 */
import { openDatabase } from '../db/client.ts'
import { configOf, type Env } from '../env.ts'
import { fullName } from '../lib/full-name.ts'
import { sha256 } from '../lib/hash.ts'
import { letterOf, publicUrl, sendLetter } from '../mail/service.ts'
import * as store from './store.ts'
import { passwordReplaced, toExistingUser, toNewUser } from './wordings.ts'

export interface SendInvitation {
  kind: 'send-invitation'
  letter: store.WantedLetter
}

export interface TellOwner {
  kind: 'tell-owner'
  invitationId: number
}

const deadlineMs = 10_000

export const queueInvitation = (env: Env, { id, mailVersion }: store.WantedLetter): Promise<unknown> =>
  env.JOBS.send({ kind: 'send-invitation', letter: { id, mailVersion } } satisfies SendInvitation)

export const queueNotice = (env: Env, invitationId: number): Promise<unknown> =>
  env.JOBS.send({ kind: 'tell-owner', invitationId } satisfies TellOwner)

export const codeHash = (code: string): string => sha256(`invitation ${code}`)

/** Sends the letter of an invitation that wants one. Sent twice, the newest link is the one that holds. */
export async function sendInvitation(env: Env, { letter }: SendInvitation): Promise<void> {
  const config = configOf(env)
  const database = openDatabase(config)
  const code = Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString('base64url')
  const { written } = await database.batch({ written: store.writeLetter(letter, codeHash(code)) }, deadlineMs)
  if (!written.first) return
  const { to, uuid, organization, isKnown, first_name, last_name, inviterEmail } = written.first
  const sender = { env, config }
  const inviter = fullName({ first_name: first_name ?? '', last_name: last_name ?? '' }) || inviterEmail
  const invited = { organization, inviter, url: publicUrl(sender, `/invitations/${uuid}/?code=${code}`) }
  await sendLetter(sender, letterOf(to, isKnown ? toExistingUser(invited) : toNewUser(invited)))
  await database.batch({ noted: store.noteLetter(letter, 'sent') }, deadlineMs)
}

/** It was tried as often as the queue tries: the invitation stands, and can be resent. */
export async function giveUpInvitation(env: Env, { letter }: SendInvitation): Promise<void> {
  await openDatabase(configOf(env)).batch({ noted: store.noteLetter(letter, 'failed') }, deadlineMs)
}

/** Tells somebody that an invitation has changed the password of their account. I6. */
export async function tellOwner(env: Env, { invitationId }: TellOwner): Promise<void> {
  const config = configOf(env)
  const database = openDatabase(config)
  const { notice } = await database.batch({ notice: store.selectNotice(invitationId) }, deadlineMs)
  if (!notice.first) return
  const { to, organization } = notice.first
  await sendLetter({ env, config }, letterOf(to, passwordReplaced(organization)))
  await database.batch({ noted: store.noteNotice(invitationId, 'sent') }, deadlineMs)
}

export async function giveUpNotice(env: Env, { invitationId }: TellOwner): Promise<void> {
  await openDatabase(configOf(env)).batch({ noted: store.noteNotice(invitationId, 'failed') }, deadlineMs)
}

/** Longer than the queue tries. */
const forgottenMinutes = 15

export async function queueForgottenLetters(env: Env): Promise<void> {
  const { letters, notices } = await openDatabase(configOf(env)).batch(
    { letters: store.selectForgotten(forgottenMinutes), notices: store.selectForgottenNotices(forgottenMinutes) },
    deadlineMs,
  )
  for (const letter of letters.all) await queueInvitation(env, letter)
  for (const { id } of notices.all) await queueNotice(env, id)
}
