import { z } from 'zod'

export const organizationInput = z.strictObject({ name: z.string().trim().min(1).max(100) })
export type OrganizationInput = z.infer<typeof organizationInput>
