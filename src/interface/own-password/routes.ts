/** The own password family: everybody who is logged in may change theirs, and nobody may read one. */
import type { RouteTable } from '../../http/routes/route.ts';
import { ROLE_AUTHENTICATED } from '../../lib/identity/principal.ts';
import { changeOwnPassword } from '../../security/users/own-password.ts';
import { family, put, type Services } from '../common/services.ts';
import { ownPasswordReader } from './representation.ts';

export function ownPasswordRoutes(): RouteTable<Services> {
  return family(
    'Own password',
    {
      description: 'The password of whoever is logged in. It counts from the next request on.',
      formats: ['xml', 'json'],
      formatGroup: 'accounts',
    },
    [
      put(
        '/security/self/password',
        'Change your own password',
        {
          takes: ownPasswordReader,
          role: ROLE_AUTHENTICATED,
          problems: ['password-missing', 'password-unacceptable', 'password-elsewhere', 'user-unknown'],
        },
        ({ services, principal, body }) => changeOwnPassword(services.security, principal, body),
      ),
    ],
  );
}
