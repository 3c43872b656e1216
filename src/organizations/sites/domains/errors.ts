import { invalidFields } from '../../../errors.ts'

export const domainTaken = (domain: string) => invalidFields({ domain: [`"${domain}" is a domain of a site already.`] })
export const domainOfPlatform = (domain: string) => invalidFields({ domain: [`"${domain}" belongs to this service itself.`] })
