/** The API requests that tools send. */
import { AppError } from '../../kernel/errors.ts'
import type { ApiRequest } from '../../kernel/http/beside-requests.ts'

/** The API's answer. */
export interface ApiAnswer {
  status: number
  text: string
}

/** Sends a request with the credentials of the caller. `reads`: the request changes nothing. */
export type CallApi = (request: ApiRequest, reads: boolean) => Promise<ApiAnswer>

/** Servers and networks accept addresses of about this length. */
const queryLengthMax = 16_384

/** Returns the answer to a request whose query is too long for an address; undefined for any other. */
export const tooLong = ({ query = {} }: ApiRequest): ApiAnswer | undefined =>
  JSON.stringify(query).length <= queryLengthMax
    ? undefined
    : answerOf(
        new AppError(414, 'query_too_long', { detail: `A query has at most ${queryLengthMax} characters.` }),
      )

const answerOf = ({ status, body }: AppError): ApiAnswer => ({ status, text: JSON.stringify(body) })

/** Writes a path. Each value becomes one segment of the path. */
export const path = (texts: TemplateStringsArray, ...values: (string | number)[]): string =>
  String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value)))
