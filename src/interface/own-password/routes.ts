/** Routes for the own password: every authenticated user can change it, and no one can read it. */
import type { RouteTable } from '../../http/routes/route.ts';
import { ROLE_AUTHENTICATED } from '../../lib/identity/principal.ts';
import { changeOwnPassword } from '../../security/users/own-password.ts';
import { family, put, type Services } from '../common/services.ts';
import { ownPasswordReader } from './representation.ts';

export function ownPasswordRoutes(): RouteTable<Services> {
  return family(
    'Own password',
    {
      description: 'Password of the authenticated user. A change takes effect with the next request.',
      formats: ['xml', 'json'],
      formatGroup: 'accounts',
    },
    [
      put(
        '/security/self/password',
        'Change your own password',
        {
          accepts: ownPasswordReader,
          role: ROLE_AUTHENTICATED,
          problems: ['password-missing', 'password-unacceptable', 'password-elsewhere', 'user-unknown'],
        },
        ({ services, principal, body }) => changeOwnPassword(services.security, principal, body),
      ),
    ],
  );
}
