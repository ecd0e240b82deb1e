import * as z from 'zod';
import type { AdminCall, AdminCalls } from '../model/service.ts';
import { roles } from '../model/viewer.ts';

/** What each admin call takes; null for nothing. */
export const adminInputs = {
  info: z.null(),
  checkpoint: z.null(),
  backup: z.string().min(1),
  settings: z.null(),
  setting: z.string(),
  set: z.object({ name: z.string(), value: z.string() }),
  users: z.null(),
  addUser: z.object({ id: z.int().positive().optional(), name: z.string(), role: z.enum(roles), password: z.string() }),
  changeUser: z.object({ name: z.string(), role: z.enum(roles).optional(), password: z.string().optional() }),
  removeUser: z.string(),
} satisfies { [Name in AdminCall]: z.ZodType<Parameters<AdminCalls[Name]>[0] | null> };
