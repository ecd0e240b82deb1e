import { Failure } from '../model/error.ts';
import type { AdminCall } from '../model/service.ts';
import type { Call, Result, ServerRoute } from './http.ts';

const summaries: Record<AdminCall, string> = {
  info: 'figures about the file',
  checkpoint: 'write the log into the file',
  backup: 'write a copy of the file',
  settings: 'every setting and its value',
  setting: 'the value of one setting',
  set: 'change a setting',
  users: 'who there is',
  addUser: 'add a user',
  changeUser: 'change the password or the role of a user',
  removeUser: 'take a user away',
};

/** What only the owner of the calendar may ask, each at a path below `/-/`: a POST with one JSON value, answered as `{done: …}`. */
export const adminRoutes: readonly ServerRoute[] = (Object.keys(summaries) as AdminCall[]).map((name) => ({
  path: `/-/${name}`,
  below: 'namespace',
  methods: ['POST'],
  access: 'owner',
  summary: summaries[name],
  answer: (call) => answer(name, call),
}));

async function answer(name: AdminCall, { service, request }: Call): Promise<Result> {
  const { adminInputs } = await import('./admin-inputs.ts');
  const input = adminInputs[name].safeParse(parsed(request.body));
  if (!input.success) {
    const [issue] = input.error.issues;
    throw new Failure('bad-request', [...issue!.path, issue!.message].join(': '));
  }
  const perform = service.admin[name] as (input: unknown) => Promise<unknown>;
  return { status: 200, headers: {}, value: { done: (await perform(input.data)) ?? null } };
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    throw new Failure('rest_invalid_json', 'the body is not valid JSON');
  }
}
