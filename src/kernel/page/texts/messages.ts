/** The texts that pages show for errors of the API. */
import type { ErrorCode } from '../../error-codes.ts'
import type { AppError } from '../../errors.ts'

/** Texts by code, or by code and reason. `{n}` is the number in the text of the API. */
export type ErrorTexts = Readonly<Partial<Record<ErrorCode | `${ErrorCode}.${string}`, string>>>

/** Returns a function that returns the text for an error; undefined if it has none. */
export const errorTextFrom =
  (texts: ErrorTexts) =>
  ({ code, reason, body }: AppError): string | undefined => {
    const text = (reason === undefined ? undefined : texts[`${code}.${reason}`]) ?? texts[code]
    return text?.replace('{n}', () => /\d+/.exec(JSON.stringify(body))?.[0] ?? '')
  }
