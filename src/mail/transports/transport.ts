/** The port that letters leave through. I7. */
import type { Config, Env } from '../../env.ts'
import type { Letter } from '../letter.ts'

/** Hands a letter over, or throws. The message of what it throws is logged: it names nobody and quotes nothing. */
export type Transport = (sender: Sender, letter: Letter) => Promise<void>

export interface Sender {
  env: Env
  config: Config
}

export class MailFailure extends Error {}
