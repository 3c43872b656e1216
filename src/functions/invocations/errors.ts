import { AppError } from '../../errors.ts'

export const notFailed = () => new AppError(400, { detail: 'Only an invocation that has failed can be replayed.' })
