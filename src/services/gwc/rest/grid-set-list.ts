/** Lists the grid sets as GeoWebCache does. */
import { listGridSetNames } from '../../../catalog/grid-sets/grid-sets.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { createListReply, type Extension, selectFormat } from './documents.ts';
import { type GwcRestCall, openAdminAccess } from './responses.ts';

/** `path` is that of the list, below the base URL of the client. */
export async function listGridSets(call: GwcRestCall, path: string, extension: Extension): Promise<ServiceReply> {
  await openAdminAccess(call, { isGlobal: true });
  const names = await listGridSetNames(call.services.catalog);
  return createListReply(call, selectFormat(call, extension, 'xml'), {
    root: 'gridSets',
    item: 'gridSet',
    names,
    path,
  });
}
