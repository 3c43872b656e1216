/** Why a provider cannot be used, for the owner of its social app. */
import * as z from 'zod'
import { OutgoingFailure } from '../../../kernel/outgoing/failure.ts'

/** A provider cannot be used. The message says why, in the service's own words. */
export class ProviderProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ProviderProblem'
  }
}

/** Returns the reason of an error that a request to a provider has caused, as a sentence. */
export function reasonFor(error: unknown): string {
  if (error instanceof ProviderProblem || error instanceof OutgoingFailure) return asSentence(error.message)
  if (error instanceof z.ZodError)
    return `The discovery document lacks valid members: ${namesIn(error).join(', ')}.`
  return 'The answer of the provider cannot be read.'
}

const asSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`

const namesIn = ({ issues }: z.ZodError): string[] => [...new Set(issues.map(({ path }) => String(path[0])))]
