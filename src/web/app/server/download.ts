import { worldHeader } from '../../../model/addresses.ts';
import { toast } from '../toast.tsx';
import { messageOf } from './api.ts';
import { controlAuthorization } from './session.ts';

/** Downloads a file of the control API. A link can't send the control token. */
export async function download(address: string, name: string, world?: string): Promise<void> {
  const authorization = controlAuthorization();
  try {
    const response = await fetch(address, {
      headers: { ...(authorization && { Authorization: authorization }), ...(world && { [worldHeader]: world }) },
    });
    if (!response.ok) throw new Error(((await response.json()) as { message: string }).message);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    toast(`Couldn’t download ${name}: ${messageOf(error)}`);
  }
}
