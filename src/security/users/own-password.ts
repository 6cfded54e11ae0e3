/** Changes the password of the logged-in user. */
import type { Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { administratorKind, findAdministrator, replacePassword } from '../core/administrator.ts';
import { hashPassword } from '../core/passwords.ts';
import type { Security } from '../core/security.ts';
import { changeSecurity } from '../core/security-state.ts';
import { checkPassword } from './password-policy.ts';
import { userKind } from './user.ts';

export async function changeOwnPassword(security: Security, principal: Principal, password: string): Promise<void> {
  const { account } = principal;
  if (account === undefined || account.kind === 'directory') {
    throw problem('password-elsewhere', {});
  }
  checkPassword(password, 'newPassword');
  const passwordHash = await hashPassword(password);
  await changeSecurity(security.catalog, principal, 'change own password', async (transaction) => {
    if (account.kind === 'administrator') {
      const administrator = await findAdministrator(transaction);
      if (administrator !== undefined) {
        await transaction.update(administratorKind, replacePassword(administrator, passwordHash));
        return;
      }
    } else {
      const user = await transaction.get(userKind, account.id);
      if (user !== undefined) {
        await transaction.update(userKind, { ...user, passwordHash });
        return;
      }
    }
    // The user was deleted since this request began.
    throw problem('user-unknown', { name: principal.name });
  });
}
