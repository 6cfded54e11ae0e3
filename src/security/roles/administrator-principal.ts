/** The principal of requests with the password of the built-in administrator. */
import { type Principal, ROLE_AUTHENTICATED } from '../../lib/identity/principal.ts';
import { ADMINISTRATOR } from '../core/administrator.ts';
import { roleAliases } from './role.ts';

export const administratorPrincipal: Principal = {
  name: ADMINISTRATOR,
  roles: new Set([ROLE_AUTHENTICATED, ...roleAliases.flat()]),
  account: { kind: 'administrator' },
  via: { method: 'basic' },
};
