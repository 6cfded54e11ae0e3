/** Which pages a user can open: the requests of the others would be refused. */
import { isReader, session } from '../rest/session.ts';
import type { ConsoleRoute } from '../routes.ts';

export function mayOpen({ isForAdministrators = false, isForReaders }: ConsoleRoute): boolean {
  if (session.value?.isAdministrator) return true;
  return isReader() ? isForReaders === true : !isForAdministrators;
}
