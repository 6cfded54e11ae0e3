/** Opens the source that the command line names: a directory, a ZIP archive or a running server. */
import type { Task } from '../../client/command.ts';
import { MoveInError } from '../report/move-in-error.ts';
import { openLocalSource } from '../source/open-source.ts';
import type { Source } from '../source/source.ts';

export async function openSource(task: Task): Promise<Source> {
  const { isAddress, readSourceAddress } = await import('../remote/source-address.ts');
  const source = task.operand('SOURCE');
  if (isAddress(source)) {
    const { openUrl } = await import('../remote/url-source.ts');
    return openUrl(await readSourceAddress(task));
  }
  for (const option of ['source-user', 'source-password-file']) {
    if (task.text(option) === undefined) continue;
    throw new MoveInError('option-invalid', `--${option} requires the address of a running GeoServer as SOURCE.`);
  }
  return openLocalSource(task.world.resolvePath(source));
}
