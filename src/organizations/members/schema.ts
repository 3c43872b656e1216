import { z } from 'zod'

export const memberInput = z.strictObject({ role: z.enum(['owner', 'admin', 'member']) })
export type MemberInput = z.infer<typeof memberInput>
